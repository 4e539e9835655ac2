#include "app/window.hpp"

#include <glad/gl.h>
// glad must come before GLFW.
#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>
#include <utility>

#include "render/gl.hpp"

namespace rebound::app {
namespace {

std::string& last_glfw_error() {
  static std::string text;
  return text;
}

void remember_error(int, const char* text) { last_glfw_error() = text; }

[[noreturn]] void fail(const std::string& what) {
  std::string cause = last_glfw_error();
  while (!cause.empty() && std::isspace(static_cast<unsigned char>(cause.back()))) cause.pop_back();
  glfwTerminate();
  throw NoDisplay(cause.empty() ? what : what + ": " + cause);
}

// The physical key of a letter moves with the keyboard's layout; shortcuts are named by what is printed on the key.
int printed_key(int key, int scancode) {
  const bool writes = key >= GLFW_KEY_SPACE && key < GLFW_KEY_ESCAPE;
  const char* name = writes ? glfwGetKeyName(key, scancode) : nullptr;
  if (name == nullptr || std::strlen(name) != 1) return key;
  const char c = name[0];
  if (c >= 'a' && c <= 'z') return GLFW_KEY_A + (c - 'a');
  if (c == '-') return GLFW_KEY_MINUS;
  if (c == '=' || c == '+') return GLFW_KEY_EQUAL;
  return key;
}

bool is_modifier(int key) { return key >= GLFW_KEY_LEFT_SHIFT && key <= GLFW_KEY_RIGHT_SUPER; }

// 1600 x 1000 points, or nine tenths of the screen.
Size fitting_size() {
  GLFWmonitor* monitor = glfwGetPrimaryMonitor();
  const GLFWvidmode* mode = monitor != nullptr ? glfwGetVideoMode(monitor) : nullptr;
  if (mode == nullptr) return {1280, 800};
  float scale = 1, unused = 1;
  glfwGetMonitorContentScale(monitor, &scale, &unused);
  scale = std::max(scale, 1.0f);
  return {std::min(mode->width * 9 / 10, static_cast<int>(1600 * scale)),
          std::min(mode->height * 9 / 10, static_cast<int>(1000 * scale))};
}

}  // namespace

Window::Window(const std::string& title, Size size) {
  glfwSetErrorCallback(remember_error);
  if (!glfwInit()) fail("no display");
  create(title, size);
  glfwMakeContextCurrent(window_);
  glfwSwapInterval(1);
  try {
    render::gl::load(glfwGetProcAddress);
  } catch (const render::GlError& error) {
    glfwDestroyWindow(window_);
    last_glfw_error().clear();
    fail(error.what());
  }
  install_callbacks();
  start_imgui();
}

void Window::create(const std::string& title, Size size) {
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
  glfwWindowHint(GLFW_DEPTH_BITS, 24);
  // The picture is smoothed in a framebuffer of its own.
  glfwWindowHint(GLFW_SAMPLES, 0);
  glfwWindowHintString(GLFW_X11_CLASS_NAME, "rebound");
  glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "rebound");
  if (size.empty()) {
    size = fitting_size();
  } else {
    glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
  }
  window_ = glfwCreateWindow(size.width, size.height, title.c_str(), nullptr, nullptr);
  if (window_ == nullptr) fail("no window with OpenGL 3.3 can be opened");
}

Window::~Window() {
  ImGui_ImplOpenGL3_Shutdown();
  ImGui_ImplGlfw_Shutdown();
  ImGui::DestroyContext();
  glfwDestroyWindow(window_);
  glfwTerminate();
}

Window& Window::of(GLFWwindow* window) { return *static_cast<Window*>(glfwGetWindowUserPointer(window)); }

// Our callbacks go in before ImGui's, which then calls them: ImGui 1.86 asks for a key's state once a frame and misses
// taps that are shorter.
void Window::install_callbacks() {
  glfwSetWindowUserPointer(window_, this);
  glfwSetKeyCallback(window_, [](GLFWwindow* w, int key, int scancode, int action, int mods) {
    Input& input = of(w).input_;
    input.anything = true;
    if (action == GLFW_PRESS && key >= 0) of(w).taps_.push_back({key, mods});
    if (action == GLFW_RELEASE || is_modifier(key)) return;
    const KeyPress press{printed_key(key, scancode), (mods & GLFW_MOD_CONTROL) != 0, (mods & GLFW_MOD_SHIFT) != 0};
    if ((mods & (GLFW_MOD_ALT | GLFW_MOD_SUPER)) == 0) input.keys.push_back({press, action == GLFW_REPEAT});
  });
  static const auto mouse_event = [](GLFWwindow* w, MouseEvent::Kind kind) {
    const auto down = [w](int left, int right) {
      return glfwGetKey(w, left) == GLFW_PRESS || glfwGetKey(w, right) == GLFW_PRESS;
    };
    MouseEvent event;
    event.kind = kind;
    event.at = of(w).cursor_;
    event.shift = down(GLFW_KEY_LEFT_SHIFT, GLFW_KEY_RIGHT_SHIFT);
    event.ctrl = down(GLFW_KEY_LEFT_CONTROL, GLFW_KEY_RIGHT_CONTROL);
    event.time = glfwGetTime();
    of(w).input_.anything = true;
    return event;
  };
  // glfwGetCursorPos tells where the cursor is, not where it was when a button went down: the moves tell that.
  glfwSetCursorPosCallback(window_, [](GLFWwindow* w, double x, double y) {
    of(w).cursor_ = of(w).density() * Vec2(static_cast<float>(x), static_cast<float>(y));
    of(w).input_.mouse.push_back(mouse_event(w, MouseEvent::Kind::move));
  });
  glfwSetMouseButtonCallback(window_, [](GLFWwindow* w, int button, int action, int) {
    if (button > GLFW_MOUSE_BUTTON_MIDDLE) return;
    MouseEvent event = mouse_event(w, action == GLFW_PRESS ? MouseEvent::Kind::press : MouseEvent::Kind::release);
    event.button = static_cast<Button>(button);
    of(w).input_.mouse.push_back(event);
  });
  glfwSetScrollCallback(window_, [](GLFWwindow* w, double, double notches) {
    MouseEvent event = mouse_event(w, MouseEvent::Kind::wheel);
    event.wheel = static_cast<float>(notches);
    of(w).input_.mouse.push_back(event);
  });
  glfwSetDropCallback(window_, [](GLFWwindow* w, int count, const char** paths) {
    Input& input = of(w).input_;
    input.anything = true;
    input.dropped.insert(input.dropped.end(), paths, paths + count);
  });
  const auto damaged = [](GLFWwindow* w) { of(w).input_.anything = true; };
  glfwSetWindowRefreshCallback(window_, damaged);
  glfwSetFramebufferSizeCallback(window_, [](GLFWwindow* w, int, int) { of(w).input_.anything = true; });
  glfwSetWindowContentScaleCallback(window_, [](GLFWwindow* w, float, float) { of(w).input_.anything = true; });
  glfwSetWindowFocusCallback(window_, [](GLFWwindow* w, int) { of(w).input_.anything = true; });
}

void Window::start_imgui() {
  ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.ConfigWindowsMoveFromTitleBarOnly = true;
  ImGui_ImplGlfw_InitForOpenGL(window_, true);
  ImGui_ImplOpenGL3_Init("#version 330 core");
}

void Window::show() { glfwShowWindow(window_); }
bool Window::is_closing() const { return glfwWindowShouldClose(window_) != 0; }
void Window::close() { glfwSetWindowShouldClose(window_, GLFW_TRUE); }
void Window::set_title(const std::string& title) { glfwSetWindowTitle(window_, title.c_str()); }

void Window::toggle_full_screen() {
  if (glfwGetWindowMonitor(window_) != nullptr) {
    const Placement& p = windowed_;
    glfwSetWindowMonitor(window_, nullptr, p.x, p.y, p.width, p.height, GLFW_DONT_CARE);
    return;
  }
  GLFWmonitor* monitor = glfwGetPrimaryMonitor();
  const GLFWvidmode* mode = monitor != nullptr ? glfwGetVideoMode(monitor) : nullptr;
  if (mode == nullptr) return;
  glfwGetWindowPos(window_, &windowed_.x, &windowed_.y);
  glfwGetWindowSize(window_, &windowed_.width, &windowed_.height);
  glfwSetWindowMonitor(window_, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
}

void Window::wait(double seconds) {
  if (seconds > 0) {
    glfwWaitEventsTimeout(seconds);
  } else {
    glfwPollEvents();
  }
}

Input Window::take_input() { return std::exchange(input_, {}); }

Size Window::framebuffer() const {
  Size size;
  glfwGetFramebufferSize(window_, &size.width, &size.height);
  return size;
}

bool Window::is_drawable() const { return !framebuffer().empty() && !glfwGetWindowAttrib(window_, GLFW_ICONIFIED); }

float Window::density() const {
  constexpr float kLeast = 0.5f, kMost = 8;
  // While somebody drags its edge, the two may be of different moments: then it is asked again.
  constexpr int kMostTries = 4;
  const auto width = [this] {
    int width = 0, height = 0;
    glfwGetWindowSize(window_, &width, &height);
    return width;
  };
  int of_window = width(), pixels = 0;
  for (int attempt = 0; attempt < kMostTries; ++attempt) {
    pixels = framebuffer().width;
    const int before = std::exchange(of_window, width());
    if (before == of_window) break;
  }
  return of_window > 0 ? std::clamp(static_cast<float>(pixels) / static_cast<float>(of_window), kLeast, kMost) : 1;
}

float Window::content_scale() const {
  float x = 1, y = 1;
  glfwGetWindowContentScale(window_, &x, &y);
  return std::isfinite(x) && x > 0 ? std::clamp(x, 0.5f, 8.0f) : 1;
}

double Window::refresh_interval() const {
  GLFWmonitor* monitor = glfwGetPrimaryMonitor();
  const GLFWvidmode* mode = monitor != nullptr ? glfwGetVideoMode(monitor) : nullptr;
  return mode != nullptr && mode->refreshRate > 0 ? 1.0 / mode->refreshRate : 1.0 / 60;
}

void Window::begin_frame() {
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplGlfw_NewFrame();
  hold_taps();
  ImGui::NewFrame();
}

// Before it had a queue of events, ImGui looked at the keys once a frame: a key that came and went since the last one
// has to be down for this one.
void Window::hold_taps() {
#if IMGUI_VERSION_NUM < 18700
  ImGuiIO& io = ImGui::GetIO();
  for (const Tap& tap : taps_) {
    io.KeysDown[tap.key] = true;
    io.KeyCtrl |= (tap.mods & GLFW_MOD_CONTROL) != 0;
    io.KeyShift |= (tap.mods & GLFW_MOD_SHIFT) != 0;
  }
#endif
}

void Window::release_taps() {
#if IMGUI_VERSION_NUM < 18700
  ImGuiIO& io = ImGui::GetIO();
  const auto down = [this](int key) { return glfwGetKey(window_, key) == GLFW_PRESS; };
  for (const Tap& tap : taps_) io.KeysDown[tap.key] = down(tap.key);
  io.KeyCtrl = down(GLFW_KEY_LEFT_CONTROL) || down(GLFW_KEY_RIGHT_CONTROL);
  io.KeyShift = down(GLFW_KEY_LEFT_SHIFT) || down(GLFW_KEY_RIGHT_SHIFT);
#endif
  taps_.clear();
}

void Window::draw_interface() {
  ImGui::Render();
  release_taps();
  const Size size = framebuffer();
  glViewport(0, 0, size.width, size.height);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

void Window::present() { glfwSwapBuffers(window_); }

}  // namespace rebound::app
