// `rebound documents FOLDER`, for who packs the program: the manual page and the completions, where a prefix's share/
// has them. Not in the help, as it is nothing for who uses the program.
#include <filesystem>

#include "cli/options.hpp"
#include "mesh/atomic_file.hpp"
#include "mesh/error.hpp"
#include "scene/library.hpp"

namespace rebound::cli {
namespace {

namespace fs = std::filesystem;

void write_document(const fs::path& file, const std::string& text) {
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  if (error) throw InputError(file.parent_path().string() + ": the folder cannot be made (" + error.message() + ")");
  write_file_atomically(file, text);
}

int write_documents(const fs::path& folder, ProgramInfo program) {
  for (const auto& scene : scene::list_scenes()) program.scenes.push_back(scene.name);
  write_document(folder / "man/man1/rebound.1", manual_page(program));
  write_document(folder / "bash-completion/completions/rebound", bash_completion(program));
  write_document(folder / "zsh/site-functions/_rebound", zsh_completion(program));
  write_document(folder / "fish/vendor_completions.d/rebound.fish", fish_completion(program));
  return kDone;
}

}  // namespace

void add_documents(Program& program) {
  Command command = program.hidden_subcommand("documents", "Write the manual page and the completions");
  auto folder = std::make_shared<std::string>();
  command.option("folder", *folder, "Where share/ would be", {.required = true});
  command.action([folder, &program] { return write_documents(*folder, program.info()); });
}

}  // namespace rebound::cli
