// The window with its OpenGL context and Dear ImGui. What the person does arrives as lists of events, in order: nothing
// shorter than a frame is lost.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/mouse.hpp"
#include "app/shortcuts.hpp"

struct GLFWwindow;

namespace rebound::app {

/// There is no display, or none with OpenGL 3.3; what() is one line that says why.
class NoDisplay : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct KeyEvent {
  KeyPress press;
  bool is_repeat = false;
};

/// What came in since the last look.
struct Input {
  std::vector<KeyEvent> keys;
  std::vector<MouseEvent> mouse;  ///< in framebuffer pixels from the window's upper left corner
  std::vector<std::filesystem::path> dropped;
  bool anything = false;  ///< events of any kind, a damaged or resized window among them
};

struct Size {
  int width = 0;
  int height = 0;
  bool empty() const { return width <= 0 || height <= 0; }
};

class Window {
 public:
  /// Hidden at first, its context current. `size` is in points; 0 is what fits the display. Throws NoDisplay.
  Window(const std::string& title, Size size);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  void show();
  bool is_closing() const;
  void close();
  void set_title(const std::string& title);
  void toggle_full_screen();

  /// Waits for events, at most so long.
  void wait(double seconds);
  Input take_input();

  Size framebuffer() const;
  bool is_drawable() const;
  /// Framebuffer pixels a unit of window coordinates (and of ImGui): 1 on X11, more on Wayland.
  float density() const;
  /// Framebuffer pixels a point: what the display's settings ask for.
  float content_scale() const;
  /// s between two pictures of the display.
  double refresh_interval() const;

  void begin_frame();
  /// Draws what ImGui was given, over the picture.
  void draw_interface();
  void present();

 private:
  void create(const std::string& title, Size size);
  void install_callbacks();
  void start_imgui();
  void hold_taps();
  void release_taps();
  static Window& of(GLFWwindow* window);

  GLFWwindow* window_ = nullptr;
  Input input_;
  struct Tap {
    int key, mods;
  };
  std::vector<Tap> taps_;       ///< keys pressed since the last frame began
  Vec2 cursor_ = Vec2::Zero();  ///< where the last move went, framebuffer pixels
  struct Placement {
    int x = 0, y = 0, width = 0, height = 0;
  } windowed_;  ///< where to go back to from full screen
};

}  // namespace rebound::app
