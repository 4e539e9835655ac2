// What the program and its subcommands can be told. The library that reads command lines is seen by command_line.cpp
// alone, as it takes longer to compile than all commands together.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace rebound::cli {

/// How an option differs from a plain one.
struct OptionTraits {
  bool required = false;
  bool shows_default = false;       ///< help names the value that it has before parsing
  bool hidden = false;              ///< not in the help
  bool one_value_each = false;      ///< of a list: the option is repeated for each value
  std::vector<std::string> one_of = {};  ///< what is permitted; empty: anything
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
  Command(CLI::App& app, int& status) : app_(&app), status_(&status) {}

  CLI::App* app_;
  int* status_;
};

class Program {
 public:
  Program(const std::string& name, const std::string& what, const std::string& version);
  ~Program();

  Command subcommand(const std::string& name, const std::string& what);
  /// What the program does without a subcommand. If this is never called, a subcommand is required.
  Command alone();
  /// Reads the command line, and does what it says or prints the help that it asks for; returns the exit status. Throws
  /// InputError for a command line that cannot be understood, and whatever the action throws.
  int run(int argc, char** argv);

 private:
  std::unique_ptr<CLI::App> app_;
  bool works_alone_ = false;
  int status_ = 0;
};

}  // namespace rebound::cli
