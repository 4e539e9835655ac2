#include "cli/interruption.hpp"

#include <signal.h>
#include <time.h>

#include "cli/options.hpp"
#include "mesh/progress.hpp"

namespace rebound::cli {
namespace {

// A signal handler has nothing else to write to.
std::atomic<bool> signal_came{false};
std::atomic<int> which_signal{0};
std::atomic<long> when{0};  ///< s
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free &&
              std::atomic<long>::is_always_lock_free);

long seconds_now() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec;
}

// Who asks again after a while wants it at once. What comes right after is the same request: timeout(1) tells the
// program, and then its whole group.
void note(int signal) {
  constexpr long kAtOnce = 1;  // s
  if (signal_came && seconds_now() - when > kAtOnce) {
    ::signal(signal, SIG_DFL);
    raise(signal);
    return;
  }
  if (signal_came) return;
  which_signal = signal;
  when = seconds_now();
  signal_came = true;
}

}  // namespace

bool was_interrupted() { return signal_came; }

Interruption::Interruption() : steps_too_(&signal_came) {
  struct sigaction action = {};
  action.sa_handler = note;
  // No SA_RESTART: what waits for a pipe's other end is woken.
  action.sa_flags = 0;
  for (const int signal : {SIGINT, SIGTERM}) sigaction(signal, &action, nullptr);
}

Interruption::~Interruption() {
  for (const int which : {SIGINT, SIGTERM}) signal(which, SIG_DFL);
}

const std::atomic<bool>* Interruption::flag() const { return &signal_came; }

void Interruption::check() const {
  if (happened()) throw mesh::Cancelled();
}

int interrupted(const std::string& what_there_is) {
  const int signal = which_signal;
  return fail(128 + signal,
              std::string("interrupted by ") + (signal == SIGINT ? "Ctrl-C" : "SIGTERM") + ": " + what_there_is);
}

}  // namespace rebound::cli
