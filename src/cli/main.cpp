#include <exception>
#include <new>

#include "cli/options.hpp"
#include "mesh/error.hpp"
#ifdef REBOUND_WINDOW
#include "cli/window.hpp"
#endif

namespace rebound::cli {
namespace {

int main(int argc, char** argv) {
  CLI::App program{"A real-time sandbox for deformable bodies and their time integrators", "rebound"};
  program.set_version_flag(
      "--version", "rebound " REBOUND_VERSION
                   "\nSources: Apache-2.0. This binary is linked with CHOLMOD and as a whole under GPL-2.0-or-later; "
                   "rebound-tetgen is a program of its own under AGPL-3.0-or-later.");
  int exit = kDone;
  add_run(program, exit);
  add_check(program, exit);
  add_list(program, exit);
  add_record(program, exit);
  add_bench(program, exit);
#ifdef REBOUND_WINDOW
  add_window(program, exit);
#else
  program.require_subcommand(1);
#endif
  try {
    program.parse(argc, argv);
    return exit;
  } catch (const CLI::CallForHelp& help) {
    return program.exit(help);
  } catch (const CLI::CallForVersion& version) {
    return program.exit(version);
  } catch (const CLI::ParseError& error) {
    return fail(kUnusableInput, std::string(error.what()) + "; see rebound --help");
  } catch (const InputError& error) {
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
