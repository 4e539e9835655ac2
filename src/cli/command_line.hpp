// What the program and its subcommands can be told. The library that reads command lines is seen by command_line.cpp
// alone, as it takes longer to compile than all commands together.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/command_info.hpp"

namespace CLI {
class App;
}

namespace rebound::cli {

/// How an option differs from a plain one.
struct OptionTraits {
  bool required = false;
  bool shows_default = false;   ///< help names the value that it has before parsing
  bool hidden = false;          ///< not in the help
  bool one_value_each = false;  ///< of a list: the option is repeated for each value
  bool shared = false;          ///< one of those that every command with a scene takes
  std::string value = {};       ///< what stands for it in help; empty: TEXT or NUMBER
  Completion completion = Completion::nothing;
  std::vector<std::string> words = {};   ///< what a shell offers
  bool listed = false;                   ///< several of them, with commas between
  std::vector<std::string> one_of = {};  ///< what is permitted, and offered; empty: anything
};

/// The program or one of its subcommands. Names are as typed, "-o,--output"; without dashes the option is told by its
/// position. What an option is written into must live until the action has run.
class Command {
 public:
  void option(const std::string& names, std::string& into, const std::string& what, const OptionTraits& traits = {});
  void option(const std::string& names, double& into, const std::string& what, const OptionTraits& traits = {});
  void option(const std::string& names, std::optional<std::string>& into, const std::string& what,
              const OptionTraits& traits = {});
  void option(const std::string& names, std::optional<double>& into, const std::string& what,
              const OptionTraits& traits = {});
  void option(const std::string& names, std::vector<std::string>& into, const std::string& what,
              const OptionTraits& traits = {});
  void flag(const std::string& names, bool& into, const std::string& what);
  /// Stands below the options in the command's help.
  void footer(std::function<std::string()> text);
  /// What the command does once its options are read; returns the exit status.
  void action(std::function<int()> action);

 private:
  friend class Program;
  Command(CLI::App& app, std::shared_ptr<CommandInfo> info, int& status)
      : app_(&app), info_(std::move(info)), status_(&status) {}
  template <class Value>
  void add(const std::string& names, Value& into, const std::string& what, const OptionTraits& traits);

  CLI::App* app_;
  std::shared_ptr<CommandInfo> info_;
  int* status_;
};

class Program {
 public:
  Program(const std::string& name, const std::string& what, const std::string& version, const std::string& licence);
  ~Program();

  Command subcommand(const std::string& name, const std::string& what);
  /// For what makes the program, not for who uses it: in no help.
  Command hidden_subcommand(const std::string& name, const std::string& what);
  /// What the program does without a subcommand, given a word that it `takes`. If this is never called, a subcommand is
  /// required.
  Command alone(std::function<bool(const std::string&)> takes);
  /// Reads the command line, and does what it says or prints the help that it asks for; returns the exit status. Throws
  /// InputError for a command line that cannot be understood, and whatever the action throws.
  int run(int argc, char** argv);

  /// All that was described, hidden things left out.
  ProgramInfo info() const;

 private:
  std::vector<std::string> command_names() const;
  void refuse_unknown_command(int argc, char** argv) const;

  std::unique_ptr<CLI::App> app_;
  std::string version_;
  std::shared_ptr<CommandInfo> alone_;
  std::vector<std::shared_ptr<CommandInfo>> commands_;
  std::function<bool(const std::string&)> takes_;
  int status_ = 0;
};

}  // namespace rebound::cli
