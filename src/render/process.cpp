#include "render/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <thread>
#include <utility>

extern char** environ;

namespace rebound::render {

namespace {

/// What the child gets in place of what it would inherit.
class SpawnSettings {
 public:
  SpawnSettings(int input, int errors) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_adddup2(&actions_, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, errors, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, errors, STDERR_FILENO);
    posix_spawnattr_init(&attributes_);
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    // A group of its own: Ctrl-C on the terminal is for us, who then end it in order.
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  }
  ~SpawnSettings() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;

  const posix_spawn_file_actions_t* actions() const { return &actions_; }
  const posix_spawnattr_t* attributes() const { return &attributes_; }

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

[[noreturn]] void refuse_process(const std::string& what) { throw OutputError(what + ": " + std::strerror(errno)); }

}  // namespace

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  std::swap(value_, other.value_);
  return *this;
}

void Descriptor::close() {
  if (value_ >= 0) ::close(value_);
  value_ = -1;
}

Process::Process(const std::vector<std::string>& arguments)
    : name_(arguments.front()), errors_(memfd_create("errors", MFD_CLOEXEC)) {
  if (errors_.get() < 0) refuse_process("no memory for the messages of " + name_);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) refuse_process("no pipe to " + name_);
  const Descriptor child_end(ends[0]);
  input_ = Descriptor(ends[1]);
  fcntl(input_.get(), F_SETFL, O_NONBLOCK);
  // A frame is megabytes: fewer, longer writes. The kernel may refuse; it works without.
  fcntl(input_.get(), F_SETPIPE_SZ, 1 << 20);

  std::vector<char*> pointers;
  for (const std::string& argument : arguments) pointers.push_back(const_cast<char*>(argument.c_str()));
  pointers.push_back(nullptr);
  const SpawnSettings settings(child_end.get(), errors_.get());
  const int error =
      posix_spawnp(&id_, name_.c_str(), settings.actions(), settings.attributes(), pointers.data(), environ);
  if (error != 0) {
    id_ = -1;
    throw MissingProgram(name_ + " cannot be started (" + std::strerror(error) + "); install the package " + name_);
  }
}

Process::~Process() {
  if (id_ < 0) return;
  kill();
  while (waitpid(id_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

Process::Feeding Process::feed(const std::uint8_t* data, std::size_t size, std::chrono::milliseconds patience) {
  while (size > 0) {
    const ssize_t written = write(input_.get(), data, size);
    if (written > 0) {
      data += written;
      size -= static_cast<std::size_t>(written);
      continue;
    }
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && errno != EAGAIN) return Feeding::closed;
    pollfd room{input_.get(), POLLOUT, 0};
    const int ready = poll(&room, 1, static_cast<int>(patience.count()));
    if (ready == 0) return Feeding::stalled;
  }
  return Feeding::done;
}

std::string Process::wait(std::chrono::milliseconds patience, const std::function<std::uintmax_t()>& done) {
  input_.close();
  auto limit = std::chrono::steady_clock::now() + patience;
  bool timed_out = false;
  int status = 0;
  std::uintmax_t last = 0;
  while (!has_ended(status)) {
    if (const std::uintmax_t now = done ? done() : last; now != last) {
      last = now;
      limit = std::chrono::steady_clock::now() + patience;
    }
    if (!timed_out && std::chrono::steady_clock::now() > limit) {
      timed_out = true;
      kill();
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  if (timed_out) return name_ + " did not end in time";
  if (WIFSIGNALED(status)) return name_ + " was ended by signal " + std::to_string(WTERMSIG(status));
  if (WEXITSTATUS(status) == 0) return {};
  const std::string reason = last_error_line();
  return name_ + " failed" + (reason.empty() ? " with status " + std::to_string(WEXITSTATUS(status)) : ": " + reason);
}

bool Process::has_ended(int& status) {
  const std::lock_guard lock(id_mutex_);
  if (id_ < 0) return true;
  const pid_t ended = waitpid(id_, &status, WNOHANG);
  if (ended == 0 || (ended < 0 && errno == EINTR)) return false;
  id_ = -1;
  return true;
}

void Process::kill() {
  const std::lock_guard lock(id_mutex_);
  if (id_ > 0) ::kill(id_, SIGKILL);
}

pid_t Process::id() const {
  const std::lock_guard lock(id_mutex_);
  return id_;
}

std::string Process::last_error_line() const {
  constexpr off_t most = 4096;
  const off_t end = lseek(errors_.get(), 0, SEEK_END);
  std::string text(static_cast<std::size_t>(std::clamp<off_t>(end, 0, most)), '\0');
  const ssize_t got = pread(errors_.get(), text.data(), text.size(), std::max<off_t>(end - most, 0));
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  return text.substr(text.find_last_of('\n') + 1);
}

}  // namespace rebound::render
