#include "mesh/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <thread>
#include <utility>

extern char** environ;

namespace rebound::mesh {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kPollMilliseconds = 50;
constexpr std::size_t kLongestComplaint = 2000;
constexpr rlim_t kSecondsToDie = 5;  // between SIGXCPU, which says why, and SIGKILL

class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor() { reset(); }
  void reset() {
    if (fd_ >= 0) ::close(std::exchange(fd_, -1));
  }
  int get() const { return fd_; }
  bool open() const { return fd_ >= 0; }

 private:
  int fd_ = -1;
};

/// Our end and the child's. A pair of sockets, because sending can be told not to raise SIGPIPE.
struct Channel {
  Descriptor ours, theirs;
  bool make() {
    int fds[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) != 0) return false;
    ours = Descriptor(fds[0]);
    theirs = Descriptor(fds[1]);
    ::fcntl(ours.get(), F_SETFL, ::fcntl(ours.get(), F_GETFL) | O_NONBLOCK);
    return true;
  }
};

class Child {
 public:
  Child(std::string_view input, const ChildLimits& limits) : input_(input), limits_(limits) {}
  ~Child() { kill_and_reap(); }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// 0 or an errno.
  int start(const std::filesystem::path& program) {
    if (!in_.make() || !out_.make() || !err_.make()) return errno;
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_adddup2(&actions, in_.theirs.get(), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out_.theirs.get(), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, err_.theirs.get(), STDERR_FILENO);
    // A group of its own, so that what it starts can be killed with it; the usual signals, whatever ours are.
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    std::string path = program.string();
    char* arguments[] = {path.data(), nullptr};
    pid_t pid = -1;
    const int error = ::posix_spawn(&pid, path.c_str(), &actions, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (error == 0) pid_ = pid;
    in_.theirs.reset();
    out_.theirs.reset();
    err_.theirs.reset();
    return error != 0 ? error : limit_work();
  }

  /// One turn of sending and receiving. False once the child has closed its output.
  bool talk() {
    pollfd fds[3] = {{in_.ours.get(), POLLOUT, 0}, {out_.ours.get(), POLLIN, 0}, {err_.ours.get(), POLLIN, 0}};
    if (::poll(fds, 3, kPollMilliseconds) < 0 && errno != EINTR) return false;
    if (in_.ours.open() && fds[0].revents != 0) send();
    if (err_.ours.open() && fds[2].revents != 0 && !receive(err_.ours, complaint_)) err_.ours.reset();
    if (complaint_.size() > kLongestComplaint) complaint_.erase(0, complaint_.size() - kLongestComplaint);
    if (out_.ours.open() && fds[1].revents != 0 && !receive(out_.ours, output_)) out_.ours.reset();
    return out_.ours.open();
  }

  /// True once it has ended; its status is then known.
  bool ended() {
    if (pid_ <= 0) return true;
    if (::waitpid(pid_, &status_, WNOHANG) != pid_) return false;
    ::kill(-pid_, SIGKILL);  // whatever it left behind
    pid_ = -1;
    return true;
  }

  bool answered_too_much() const { return output_.size() > limits_.most_output; }

  ChildOutcome outcome(ChildOutcome::Kind kind) {
    ChildOutcome outcome;
    outcome.kind = kind;
    if (kind == ChildOutcome::Kind::exited && WIFSIGNALED(status_))
      outcome.kind =
          WTERMSIG(status_) == SIGXCPU ? ChildOutcome::Kind::out_of_work : ChildOutcome::Kind::killed_by_signal;
    outcome.code = WIFSIGNALED(status_) ? WTERMSIG(status_) : WEXITSTATUS(status_);
    outcome.output = std::move(output_);
    outcome.complaint = std::move(complaint_);
    return outcome;
  }

 private:
  /// From outside, so that it holds for any program. 0 or an errno.
  int limit_work() const {
    const auto seconds = static_cast<rlim_t>(limits_.work_seconds);
    const rlimit work{seconds, seconds + kSecondsToDie};
    return ::prlimit(pid_, RLIMIT_CPU, &work, nullptr) == 0 ? 0 : errno;
  }

  void send() {
    const ssize_t sent = ::send(in_.ours.get(), input_.data(), input_.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent > 0) input_.remove_prefix(static_cast<std::size_t>(sent));
    const bool refused = sent < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR;
    if (input_.empty() || refused) in_.ours.reset();
  }

  /// False at the end.
  static bool receive(Descriptor& from, std::string& into) {
    char buffer[1 << 16];
    const ssize_t got = ::recv(from.get(), buffer, sizeof buffer, MSG_DONTWAIT);
    if (got > 0) into.append(buffer, static_cast<std::size_t>(got));
    return got > 0 || (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR));
  }

  void kill_and_reap() {
    if (pid_ <= 0) return;
    ::kill(-pid_, SIGKILL);
    ::kill(pid_, SIGKILL);
    while (::waitpid(pid_, &status_, 0) < 0 && errno == EINTR) {
    }
    pid_ = -1;
  }

  std::string_view input_;
  const ChildLimits& limits_;
  Channel in_, out_, err_;
  pid_t pid_ = -1;
  int status_ = 0;
  std::string output_, complaint_;
};

}  // namespace

ChildOutcome run_child(const std::filesystem::path& program, std::string_view input, const ChildLimits& limits,
                       const Progress& progress, const std::string& stage) {
  Child child(input, limits);
  const auto start = Clock::now();
  if (const int error = child.start(program)) {
    ChildOutcome outcome;
    outcome.code = error;
    return outcome;
  }
  const auto elapsed = [start] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  // How long it will take is not known; the bar creeps on, ever more slowly.
  const auto tell = [&] { progress.step(stage, elapsed() / (elapsed() + 2)); };
  while (child.talk()) {
    tell();
    if (elapsed() > limits.wall_seconds) return child.outcome(ChildOutcome::Kind::out_of_patience);
    if (child.answered_too_much()) return child.outcome(ChildOutcome::Kind::answered_too_much);
  }
  // It may close its output long before it ends.
  while (!child.ended()) {
    tell();
    if (elapsed() > limits.wall_seconds) return child.outcome(ChildOutcome::Kind::out_of_patience);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  child.talk();  // its last words
  return child.outcome(ChildOutcome::Kind::exited);
}

}  // namespace rebound::mesh
