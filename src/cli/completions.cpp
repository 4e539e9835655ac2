// What shells need to complete the command line.
#include <algorithm>
#include <sstream>

#include "cli/command_info.hpp"

namespace rebound::cli {
namespace {

constexpr const char* kGenerated = "# Made by the program itself from its command line; not to be edited.\n";

std::string joined(const std::vector<std::string>& words, const std::string& between = " ") {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

/// As a shell's word: in single quotes, `quote` standing for one within.
std::string quoted(const std::string& text, const std::string& quote) {
  std::string safe = "'";
  for (const char c : text) safe += c == '\'' ? quote : std::string(1, c);
  return safe + "'";
}

std::vector<std::string> command_words(const ProgramInfo& program) {
  std::vector<std::string> names;
  for (const CommandInfo& command : program.commands) names.push_back(command.name);
  return names;
}

/// The words that may stand for a value.
const std::vector<std::string>& words_of(const OptionInfo& option, const ProgramInfo& program) {
  return option.completion == Completion::scenes ? program.scenes : option.words;
}

// ---- bash ----

std::string bash_value(const OptionInfo& option, const ProgramInfo& program) {
  const std::string words = "\"" + joined(words_of(option, program)) + "\"";
  switch (option.completion) {
    case Completion::words:
      return (option.listed ? "_rebound_listed " : "_rebound_words ") + words;
    case Completion::scenes:
      return "_rebound_words " + words + "; _rebound_files";
    case Completion::files:
      return "_rebound_files";
    case Completion::folders:
      return "_rebound_folders";
    case Completion::nothing:
      break;
  }
  return ":";
}

/// A case of the command: what follows an option, what begins as one, and what stands by its place.
std::string bash_case(const CommandInfo& command, const ProgramInfo& program) {
  std::ostringstream text;
  std::vector<std::string> options, flags;
  std::string places;
  text << "    " << (command.name.empty() ? "''" : command.name) << ")\n      case \"$before\" in\n";
  for (const OptionInfo& option : command.options) {
    if (option.positional) {
      places += (places.empty() ? "" : "; ") + bash_value(option, program);
      continue;
    }
    options.insert(options.end(), option.names.begin(), option.names.end());
    if (!option.is_flag())
      text << "        " << joined(option.names, "|") << ") " << bash_value(option, program) << "; return ;;\n";
  }
  if (command.name.empty())
    places += (places.empty() ? "" : "; ") + ("_rebound_words \"" + joined(command_words(program)) + "\"");
  text << "      esac\n      if [[ $now == -* ]]; then _rebound_words \"" << joined(options) << "\"\n      else "
       << (places.empty() ? ":" : places) << "; fi ;;\n";
  return text.str();
}

// ---- zsh ----

/// In an _arguments specification, brackets and colons have a meaning.
std::string zsh_text(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') safe += '\\';
    safe += c;
  }
  return safe;
}

std::string zsh_action(const OptionInfo& option, const ProgramInfo& program) {
  const std::string words = joined(words_of(option, program));
  switch (option.completion) {
    case Completion::words:
      return option.listed ? "_values -s , ID " + words : "(" + words + ")";
    case Completion::scenes:
      return "_alternative \"scenes:scene:(" + words + ")\" \"files:file:_files\"";
    case Completion::files:
      return "_files";
    case Completion::folders:
      return "_files -/";
    case Completion::nothing:
      break;
  }
  return " ";
}

std::string zsh_specification(const OptionInfo& option, const std::string& name, const ProgramInfo& program) {
  std::string text = name + "[" + zsh_text(option.what) + "]";
  if (!option.is_flag()) text += ":" + zsh_text(option.value) + ":" + zsh_action(option, program);
  return "      " + quoted(text, "'\\''");
}

std::string zsh_case(const CommandInfo& command, const ProgramInfo& program) {
  std::string text = "    " + (command.name.empty() ? std::string("''") : command.name) + ") _arguments -S \\\n";
  std::vector<std::string> lines;
  for (const OptionInfo& option : command.options) {
    if (option.positional) {
      std::string action = zsh_action(option, program);
      if (command.name.empty())
        action.insert(std::string("_alternative ").size(),
                      "\"commands:command:(" + joined(command_words(program)) + ")\" ");
      lines.push_back("      " + quoted("*:" + zsh_text(option.name()) + ":" + action, "'\\''"));
      continue;
    }
    for (const std::string& name : option.names) lines.push_back(zsh_specification(option, name, program));
  }
  return text + joined(lines, " \\\n") + " ;;\n";
}

// ---- fish ----

std::string fish_quoted(const std::string& text) {
  std::string safe = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') safe += '\\';
    safe += c;
  }
  return safe + "'";
}

std::string fish_value(const OptionInfo& option, const ProgramInfo& program) {
  const std::string words = joined(words_of(option, program));
  switch (option.completion) {
    case Completion::words:
      return option.listed ? " -x -a '(__fish_append , " + words + ")'" : " -x -a '" + words + "'";
    case Completion::scenes:
      return " -a '" + words + "'";
    case Completion::files:
      return " -r -F";
    case Completion::folders:
      return " -x -a '(__fish_complete_directories)'";
    case Completion::nothing:
      break;
  }
  return " -x";
}

std::string fish_lines(const CommandInfo& command, const ProgramInfo& program) {
  const std::string condition = command.name.empty()
                                    ? "not __fish_seen_subcommand_from " + joined(command_words(program))
                                    : "__fish_seen_subcommand_from " + command.name;
  const std::string begin = "complete -c " + program.name + " -n '" + condition + "'";
  std::string text;
  for (const OptionInfo& option : command.options) {
    if (option.positional) {
      if (option.completion != Completion::nothing) text += begin + " -k" + fish_value(option, program) + "\n";
      continue;
    }
    text += begin;
    for (const std::string& name : option.names)
      text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    text += (option.is_flag() ? "" : fish_value(option, program)) + " -d " + fish_quoted(option.what) + "\n";
  }
  return text;
}

}  // namespace

std::string bash_completion(const ProgramInfo& program) {
  std::string text = std::string(kGenerated) + R"(_rebound_words() { COMPREPLY+=($(compgen -W "$1" -- "$now")); }
_rebound_files() { compopt -o filenames 2>/dev/null; local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$now")); }
_rebound_folders() { compopt -o filenames 2>/dev/null; local IFS=$'\n'; COMPREPLY+=($(compgen -d -- "$now")); }
# Several with commas between: what stands before the last comma stays.
_rebound_listed() {
  local kept=; [[ $now == *,* ]] && kept=${now%,*},
  compopt -o nospace 2>/dev/null
  COMPREPLY+=($(compgen -P "$kept" -W "$1" -- "${now##*,}"))
}
_rebound() {
  local now=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command= word
  COMPREPLY=()
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case " )" + joined(command_words(program)) +
                     R"( " in *" $word "*) command=$word; break ;; esac
  done
  case $command in
)";
  text += bash_case(program.alone, program);
  for (const CommandInfo& command : program.commands) text += bash_case(command, program);
  return text + "  esac\n}\ncomplete -F _rebound " + program.name + "\n";
}

std::string zsh_completion(const ProgramInfo& program) {
  std::string text = "#compdef " + program.name + "\n" + kGenerated + R"(_rebound() {
  local word command=
  for word in ${words[2,CURRENT-1]}; do
    case $word in )" +
                     joined(command_words(program), "|") + R"() command=$word; break ;; esac
  done
  if [[ -n $command ]]; then
    # The command takes the program's place, so that what follows is counted from it.
    local at=${words[(i)$command]}
    words=("${(@)words[at,-1]}")
    (( CURRENT -= at - 1 ))
  fi
  case $command in
)";
  text += zsh_case(program.alone, program);
  for (const CommandInfo& command : program.commands) text += zsh_case(command, program);
  return text + "  esac\n}\n_rebound \"$@\"\n";
}

std::string fish_completion(const ProgramInfo& program) {
  std::string text = kGenerated;
  for (const CommandInfo& command : program.commands)
    text += "complete -c " + program.name + " -n 'not __fish_seen_subcommand_from " + joined(command_words(program)) +
            "' -f -a " + command.name + " -d " + fish_quoted(command.what) + "\n";
  text += fish_lines(program.alone, program);
  for (const CommandInfo& command : program.commands) text += fish_lines(command, program);
  return text;
}

}  // namespace rebound::cli
