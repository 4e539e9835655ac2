#include <signal.h>
#if defined(__GLIBC__)
#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>
#endif

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>

#include "cli/interruption.hpp"
#include "cli/options.hpp"
#include "mesh/error.hpp"
#include "mesh/progress.hpp"
#include "sim/base/memory.hpp"
#include "sim/base/memory_reserve.hpp"
#ifdef REBOUND_WINDOW
#include "cli/window.hpp"
#endif

namespace rebound::cli {
namespace {

// Where the address space is limited. As it is loaded, OpenBLAS starts a thread for each processor and asks for 134 MB
// for each of them, again and again until it gets them. Its threads are of no use here, so the program begins anew
// without. And the C library reserves another 134 MB for each thread that allocates.
void save_address_space(char** argv) {
#if defined(__GLIBC__)
  constexpr const char* kVariable = "OPENBLAS_NUM_THREADS";
  rlimit space{};
  if (getrlimit(RLIMIT_AS, &space) != 0 || space.rlim_cur == RLIM_INFINITY) return;
  mallopt(M_ARENA_MAX, 1);
  char program[4096];
  const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  if (getenv(kVariable) != nullptr || length <= 0) return;
  program[length] = '\0';
  setenv(kVariable, "1", 1);
  execv(program, argv);
#else
  (void)argv;
#endif
}

int main(int argc, char** argv) {
  save_address_space(argv);
  // Files that may not grow and readers that are gone are errors of what writes to them.
  for (const int which : {SIGXFSZ, SIGPIPE}) signal(which, SIG_IGN);
  try {
    const sim::MemoryReserve reserve;
    Program program("rebound", "A real-time sandbox for deformable bodies and their time integrators", REBOUND_VERSION,
                    "Sources: Apache-2.0. This binary is linked with CHOLMOD and as a whole under GPL-3.0-or-later; "
                    "rebound-tetgen is a program of its own under AGPL-3.0-or-later.");
    add_run(program);
    add_check(program);
    add_list(program);
    add_record(program);
    add_bench(program);
    add_measure(program);
    add_reproduce(program, REBOUND_VERSION);
    add_documents(program);
#ifdef REBOUND_WINDOW
    add_window(program);
#endif
    const int status = program.run(argc, argv);
    // A reader that has gone has what it wanted.
    if ((std::fflush(stdout) != 0 || std::ferror(stdout)) && errno != EPIPE && status == kDone)
      return fail(kUnusableInput, std::string("what is printed could not be written (") + std::strerror(errno) + ")");
    return status;
  } catch (const mesh::Cancelled&) {
    return interrupted("nothing is written");
  } catch (const sim::StepAbandoned&) {
    return interrupted("nothing is written");
  } catch (const InputError& error) {
    // What waited for a pipe's other end says that it was woken.
    if (was_interrupted()) return interrupted(error.what());
    return fail(kUnusableInput, error.what());
  } catch (const sim::OutOfMemory& error) {
    return fail(kMachineLacks, error.what());
  } catch (const std::bad_alloc&) {
    return fail(kMachineLacks, "out of memory; close other programs, or take a coarser body");
  } catch (const std::exception& error) {
    return fail(kSimulationFailed, error.what());
  }
}

}  // namespace
}  // namespace rebound::cli

int main(int argc, char** argv) { return rebound::cli::main(argc, argv); }
