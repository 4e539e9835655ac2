#include "cli/command_line.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <sstream>
#include <type_traits>
#include <utility>

#include "mesh/error.hpp"
#include "scene/wording.hpp"

namespace rebound::cli {
namespace {

/// Empty where the text is a decimal number, else what is wrong: the library also takes hexadecimal ones, and more.
std::string no_decimal(const std::string& text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, failed] = std::from_chars(text.data(), end, value);
  return failed == std::errc() && stop == end
             ? ""
             : scene::in_quotes(text) + " is not a decimal number, such as 12, 0.5 or 1e-3";
}

/// Such as an unset variable of a script, or the option behind one without a value.
std::string no_value(const std::string& text, const std::string& wanted) {
  return text.empty() || text.starts_with("--") ? "its value is missing: " + wanted : "";
}

std::string not_one_of(const std::vector<std::string>& words, const std::string& text) {
  if (std::find(words.begin(), words.end(), text) != words.end()) return "";
  const std::string guess = scene::did_you_mean(text, words);
  return scene::in_quotes(text) + " is not " + scene::either(words) + guess;
}

template <class Value>
constexpr bool kIsNumber = std::is_same_v<Value, double> || std::is_same_v<Value, std::optional<double>>;

/// "-o,--output": each name.
std::vector<std::string> split_names(const std::string& names) {
  std::vector<std::string> list;
  std::istringstream words(names);
  for (std::string word; std::getline(words, word, ',');) list.push_back(word);
  return list;
}

OptionInfo described(const std::string& names, const std::string& what, const OptionTraits& traits, bool is_number) {
  OptionInfo info{.names = split_names(names), .what = what};
  info.positional = !names.starts_with('-');
  info.value = !traits.value.empty() ? traits.value : is_number ? "NUMBER" : info.positional ? "" : "TEXT";
  info.required = traits.required;
  info.shared = traits.shared;
  info.completion = traits.one_of.empty() ? traits.completion : Completion::words;
  info.words = traits.one_of.empty() ? traits.words : traits.one_of;
  info.listed = traits.listed;
  return info;
}

/// A word of the command line that stands where nothing is understood.
std::string unexpected(const CLI::App& app, const std::string& command) {
  const auto extras = app.remaining(true);
  for (const std::string& word : extras) {
    if (!word.starts_with('-')) continue;
    const std::string typed = word.substr(0, word.find('='));
    std::vector<std::string> known{"--help"};
    for (const CLI::Option* option : app.get_options())
      for (const std::string& name : option->get_lnames())
        if (!option->get_group().empty()) known.push_back("--" + name);
    return scene::in_quotes(typed) + " is no option of `" + command + "`" + scene::did_you_mean(typed, known);
  }
  return extras.empty() ? "" : scene::in_quotes(extras.front()) + " is one argument too many";
}

std::string missing(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    if (option->get_required() && option->count() == 0) names.push_back(option->get_name());
  if (names.empty()) return "a command is missing";
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : " and ") + name;
  return list + (names.size() == 1 ? " is missing" : " are missing");
}

/// What the library says is for programmers: here it is told what was typed, and what would be right.
std::string in_plain_words(const CLI::App& app, const CLI::ParseError& error, const std::string& command) {
  const std::string what = error.what();
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) return unexpected(app, command);
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) return missing(app);
  if (dynamic_cast<const CLI::ValidationError*>(&error) != nullptr) return what;  // the words of the checks above
  // Of all others it begins with the option's name.
  const std::string name = what.substr(0, what.find_first_of(": "));
  const CLI::Option* option = app.get_option_no_throw(name.starts_with('-') ? name : "--" + name);
  if (option == nullptr) return "the command line cannot be understood";
  if (option->get_expected_max() == 0) return option->get_name() + " takes no value";
  if (option->count() > 1) return option->get_name() + " is given more than once";
  return option->get_name() + ": its value is missing: " + option->get_type_name();
}

}  // namespace

template <class Value>
void Command::add(const std::string& names, Value& into, const std::string& what, const OptionTraits& traits) {
  OptionInfo info = described(names, what, traits, kIsNumber<Value>);
  CLI::Option* option = app_->add_option(names, into, what);
  option->required(traits.required);
  option->type_name(info.value);
  if (traits.shows_default) {
    option->capture_default_str();
    info.standard = option->get_default_str();
  }
  if (traits.hidden) option->group("");
  if (traits.one_value_each) option->take_all()->allow_extra_args(false);
  if constexpr (kIsNumber<Value>)
    option->check(no_decimal);
  else if (!info.positional)
    option->check([wanted = info.value](const std::string& text) { return no_value(text, wanted); });
  if (!traits.one_of.empty())
    option->check([words = traits.one_of](const std::string& text) { return not_one_of(words, text); });
  if (!traits.hidden) info_->options.push_back(std::move(info));
}

void Command::option(const std::string& names, std::string& into, const std::string& what, const OptionTraits& traits) {
  add(names, into, what, traits);
}

void Command::option(const std::string& names, double& into, const std::string& what, const OptionTraits& traits) {
  add(names, into, what, traits);
}

void Command::option(const std::string& names, std::optional<std::string>& into, const std::string& what,
                     const OptionTraits& traits) {
  add(names, into, what, traits);
}

void Command::option(const std::string& names, std::optional<double>& into, const std::string& what,
                     const OptionTraits& traits) {
  add(names, into, what, traits);
}

void Command::option(const std::string& names, std::vector<std::string>& into, const std::string& what,
                     const OptionTraits& traits) {
  add(names, into, what, traits);
}

void Command::flag(const std::string& names, bool& into, const std::string& what) {
  app_->add_flag(names, into, what)->disable_flag_override();
  info_->options.push_back({.names = split_names(names), .what = what});
}

void Command::footer(std::function<std::string()> text) {
  info_->footer = text;
  app_->footer(std::move(text));
}

void Command::action(std::function<int()> action) {
  app_->callback([app = app_, status = status_, action = std::move(action)] {
    if (app->get_subcommands().empty()) *status = action();  // else a subcommand has done what was asked for
  });
}

Program::Program(const std::string& name, const std::string& what, const std::string& version,
                 const std::string& licence)
    : app_(std::make_unique<CLI::App>(what, name)), version_(version) {
  app_->set_version_flag("--version", name + " " + version + "\n" + licence, "Print the version and the licences");
  app_->set_help_flag("-h,--help", "Print this help");
}

Program::~Program() = default;

Command Program::subcommand(const std::string& name, const std::string& what) {
  commands_.push_back(std::make_shared<CommandInfo>(CommandInfo{name, what, {}, {}}));
  return {*app_->add_subcommand(name, what), commands_.back(), status_};
}

Command Program::hidden_subcommand(const std::string& name, const std::string& what) {
  CLI::App* app = app_->add_subcommand(name, what);
  app->group("");
  return {*app, std::make_shared<CommandInfo>(CommandInfo{name, what, {}, {}}), status_};
}

Command Program::alone(std::function<bool(const std::string&)> takes) {
  takes_ = std::move(takes);
  alone_ = std::make_shared<CommandInfo>();
  return {*app_, alone_, status_};
}

std::vector<std::string> Program::command_names() const {
  std::vector<std::string> names;
  for (const auto& command : commands_) names.push_back(command->name);
  return names;
}

/// A mistyped command would be taken for a scene.
void Program::refuse_unknown_command(int argc, char** argv) const {
  const std::string word = argc > 1 ? argv[1] : "-";
  if (word.empty() || word.starts_with('-')) return;
  for (const CLI::App* command : std::as_const(*app_).get_subcommands(nullptr))
    if (command->get_name() == word) return;
  if (takes_ && takes_(word)) return;
  const std::vector<std::string> names = command_names();
  const std::string guess = scene::did_you_mean(word, names);
  if (guess.empty() && takes_) return;
  throw InputError(scene::in_quotes(word) + " is no command" +
                   (guess.empty() ? "; there are " + scene::either(names) : guess));
}

int Program::run(int argc, char** argv) {
  if (!alone_) app_->require_subcommand(1);
  refuse_unknown_command(argc, argv);
  try {
    app_->parse(argc, argv);
    return status_;
  } catch (const CLI::CallForHelp& help) {
    return app_->exit(help);
  } catch (const CLI::CallForVersion& version) {
    return app_->exit(version);
  } catch (const CLI::ParseError& error) {
    const auto parsed = app_->get_subcommands();
    const CLI::App& app = parsed.empty() ? *app_ : *parsed.front();
    const std::string command = app_->get_name() + (parsed.empty() ? "" : " " + app.get_name());
    const std::string what = in_plain_words(app, error, command);
    throw InputError(what.ends_with('?') ? what : what + "; see `" + command + " --help`");
  }
}

ProgramInfo Program::info() const {
  ProgramInfo program{.name = app_->get_name(), .what = app_->get_description(), .version = version_};
  const OptionInfo help{.names = {"-h", "--help"}, .what = "Print this help"};
  if (alone_) program.alone = *alone_;
  program.alone.options.push_back(help);
  program.alone.options.push_back({.names = {"--version"}, .what = "Print the version and the licences"});
  for (const auto& command : commands_) {
    program.commands.push_back(*command);
    program.commands.back().options.push_back(help);
  }
  return program;
}

}  // namespace rebound::cli
