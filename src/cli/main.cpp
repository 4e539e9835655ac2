#include <signal.h>

#include <exception>
#include <new>

#include "cli/interruption.hpp"
#include "cli/options.hpp"
#include "mesh/error.hpp"
#include "mesh/progress.hpp"
#ifdef REBOUND_WINDOW
#include "cli/window.hpp"
#endif

namespace rebound::cli {
namespace {

int main(int argc, char** argv) {
  // Files that may not grow and readers that are gone are errors of what writes to them.
  for (const int which : {SIGXFSZ, SIGPIPE}) signal(which, SIG_IGN);
  try {
    Program program("rebound", "A real-time sandbox for deformable bodies and their time integrators", REBOUND_VERSION,
                    "Sources: Apache-2.0. This binary is linked with CHOLMOD and as a whole under GPL-3.0-or-later; "
                    "rebound-tetgen is a program of its own under AGPL-3.0-or-later.");
    add_run(program);
    add_check(program);
    add_list(program);
    add_record(program);
    add_bench(program);
    add_measure(program);
    add_documents(program);
#ifdef REBOUND_WINDOW
    add_window(program);
#endif
    return program.run(argc, argv);
  } catch (const mesh::Cancelled&) {
    return interrupted("nothing is written");
  } catch (const InputError& error) {
    // What waited for a pipe's other end says that it was woken.
    if (was_interrupted()) return interrupted(error.what());
    return fail(kUnusableInput, error.what());
  } catch (const std::bad_alloc&) {
    return fail(kMachineLacks, "out of memory; take fewer tetrahedra");
  } catch (const std::exception& error) {
    return fail(kSimulationFailed, error.what());
  }
}

}  // namespace
}  // namespace rebound::cli

int main(int argc, char** argv) { return rebound::cli::main(argc, argv); }
