#include "cli/command_line.hpp"

#include <CLI/CLI.hpp>
#include <charconv>
#include <type_traits>
#include <utility>

#include "mesh/error.hpp"

namespace rebound::cli {
namespace {

/// Empty where the text is a decimal number, else what is wrong: the library also takes hexadecimal ones, and more.
std::string no_decimal(const std::string& text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, failed] = std::from_chars(text.data(), end, value);
  return failed == std::errc() && stop == end ? "" : "'" + text + "' is not a decimal number, such as 12, 0.5 or 1e-3";
}

template <class Value>
void add_option(CLI::App& app, const std::string& names, Value& into, const std::string& what,
                const OptionTraits& traits) {
  CLI::Option* option = app.add_option(names, into, what);
  option->required(traits.required);
  if (traits.shows_default) option->capture_default_str();
  if (traits.hidden) option->group("");
  if (traits.one_value_each) option->take_all()->allow_extra_args(false);
  if constexpr (std::is_same_v<Value, double> || std::is_same_v<Value, std::optional<double>>)
    option->check(no_decimal);
  if (!traits.one_of.empty()) option->check(CLI::IsMember(traits.one_of));
}

}  // namespace

void Command::option(const std::string& names, std::string& into, const std::string& what, const OptionTraits& traits) {
  add_option(*app_, names, into, what, traits);
}

void Command::option(const std::string& names, double& into, const std::string& what, const OptionTraits& traits) {
  add_option(*app_, names, into, what, traits);
}

void Command::option(const std::string& names, std::optional<std::string>& into, const std::string& what,
                     const OptionTraits& traits) {
  add_option(*app_, names, into, what, traits);
}

void Command::option(const std::string& names, std::optional<double>& into, const std::string& what,
                     const OptionTraits& traits) {
  add_option(*app_, names, into, what, traits);
}

void Command::option(const std::string& names, std::vector<std::string>& into, const std::string& what,
                     const OptionTraits& traits) {
  add_option(*app_, names, into, what, traits);
}

void Command::flag(const std::string& names, bool& into, const std::string& what) { app_->add_flag(names, into, what); }

void Command::footer(std::function<std::string()> text) { app_->footer(std::move(text)); }

void Command::action(std::function<int()> action) {
  app_->callback([app = app_, status = status_, action = std::move(action)] {
    if (app->get_subcommands().empty()) *status = action();  // else a subcommand has done what was asked for
  });
}

Program::Program(const std::string& name, const std::string& what, const std::string& version)
    : app_(std::make_unique<CLI::App>(what, name)) {
  app_->set_version_flag("--version", version);
}

Program::~Program() = default;

Command Program::subcommand(const std::string& name, const std::string& what) {
  return {*app_->add_subcommand(name, what), status_};
}

Command Program::alone() {
  works_alone_ = true;
  return {*app_, status_};
}

int Program::run(int argc, char** argv) {
  if (!works_alone_) app_->require_subcommand(1);
  try {
    app_->parse(argc, argv);
    return status_;
  } catch (const CLI::CallForHelp& help) {
    return app_->exit(help);
  } catch (const CLI::CallForVersion& version) {
    return app_->exit(version);
  } catch (const CLI::ParseError& error) {
    throw InputError(std::string(error.what()) + "; see rebound --help");
  }
}

}  // namespace rebound::cli
