// The command line as plain data: what the manual page and the shells' completions are made of, so that neither can say
// anything else than the program does.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace rebound::cli {

/// What a shell offers for a value.
/// `scenes`: the built-in ones, and files.
enum class Completion { nothing, files, folders, words, scenes };

struct OptionInfo {
  std::vector<std::string> names = {};  ///< "-o", "--output"; of a positional its one name
  std::string value = {};               ///< what stands for it in help, such as INT; of a flag empty
  std::string what = {};
  std::string standard = {};  ///< the value without the option; empty: none to be named
  bool positional = false, required = false;
  bool shared = false;  ///< one of those that every command with a scene takes
  Completion completion = Completion::nothing;
  std::vector<std::string> words = {};  ///< to be offered
  bool listed = false;                  ///< several of them, with commas between

  bool is_flag() const { return value.empty() && !positional; }
  /// The long name where there is one.
  const std::string& name() const { return names.back(); }
};

struct CommandInfo {
  std::string name = {};  ///< empty: the program without a subcommand
  std::string what = {};
  std::vector<OptionInfo> options = {};
  std::function<std::string()> footer = {};  ///< empty: none
};

struct ProgramInfo {
  std::string name = {}, what = {}, version = {};
  CommandInfo alone = {};
  std::vector<CommandInfo> commands = {};
  std::vector<std::string> scenes = {};  ///< the built-in ones
};

/// For man(1), in its own language.
std::string manual_page(const ProgramInfo& program);
/// Source of completions for bash, zsh and fish.
std::string bash_completion(const ProgramInfo& program);
std::string zsh_completion(const ProgramInfo& program);
std::string fish_completion(const ProgramInfo& program);

}  // namespace rebound::cli
