// The manual page, in roff with the macros of man(7).
#include <algorithm>
#include <cctype>

#include "cli/command_info.hpp"

namespace rebound::cli {
namespace {

/// So that it is read as text: no escapes, no requests, and a minus that can be copied and typed.
std::string roff(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if ((c == '.' || c == '\'') && (safe.empty() || safe.back() == '\n')) safe += "\\&";
    if (c == '\\') {
      safe += "\\e";
    } else if (c == '-') {
      safe += "\\-";
    } else if (c == '^') {
      safe += "\\(ha";
    } else if (c == '`') {
      safe += "\\(ga";
    } else if (c == '~') {
      safe += "\\(ti";
    } else {
      safe += c;
    }
  }
  return safe;
}

std::string bold(const std::string& text) { return "\\fB" + roff(text) + "\\fR"; }
std::string italic(const std::string& text) { return "\\fI" + roff(text) + "\\fR"; }

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

std::string entry(const OptionInfo& option) {
  std::string head;
  for (const std::string& name : option.names) {
    if (!head.empty()) head += ", ";
    head += option.positional ? italic(upper(name)) : bold(name);
  }
  if (!option.value.empty()) head += " " + italic(option.value);
  std::string what = roff(option.what);
  if (!option.standard.empty()) what += " (default: " + roff(option.standard) + ")";
  if (option.required && !option.positional) what += " (required)";
  return ".TP\n" + head + "\n" + what + ".\n";
}

std::string synopsis(const ProgramInfo& program, const CommandInfo& command) {
  std::string line =
      bold(program.name + (command.name.empty() ? "" : " " + command.name)) + " [" + italic("OPTIONS") + "]";
  for (const OptionInfo& option : command.options) {
    if (!option.positional) continue;
    const std::string name = italic(upper(option.name()));
    line += option.required ? " " + name : " [" + name + "]";
  }
  return line;
}

/// What is the command's own.
std::string own_options(const CommandInfo& command) {
  std::string text;
  for (const OptionInfo& option : command.options)
    if (!option.shared && option.name() != "--help" && (!option.positional || option.name() != "scene"))
      text += entry(option);
  return text;
}

bool takes_shared(const CommandInfo& command) {
  return std::any_of(command.options.begin(), command.options.end(), [](const OptionInfo& o) { return o.shared; });
}

std::string section(const CommandInfo& command, const ProgramInfo& program) {
  std::string text = ".SS " + synopsis(program, command) + "\n" + roff(command.what) + ".\n";
  if (takes_shared(command)) text += "The options for scenes may be given, too.\n";
  text += own_options(command);
  if (command.footer) text += ".PP\n.nf\n" + roff(command.footer()) + "\n.fi\n";
  return text;
}

/// Every command that takes one of them takes all.
std::string shared_options(const ProgramInfo& program) {
  for (const CommandInfo& command : program.commands) {
    if (!takes_shared(command)) continue;
    std::string text = ".SH OPTIONS FOR SCENES\nThey go before what the scene says.\n";
    for (const OptionInfo& option : command.options)
      if (option.shared) text += entry(option);
    return text;
  }
  return "";
}

std::string scenes(const ProgramInfo& program) {
  std::string text = ".SH SCENES\nA " + italic("SCENE") +
                     " is a scene file (JSON), a mesh file, which is then hung up by its top, or the name of a "
                     "built\\-in scene:\n.PP\n";
  for (std::size_t i = 0; i < program.scenes.size(); ++i)
    text += roff(program.scenes[i]) + (i + 1 < program.scenes.size() ? ",\n" : ".\n");
  return text;
}

constexpr const char* kStatus = R"(.SH EXIT STATUS
.TP
0
Done.
.TP
1
The simulation failed, or a replay came out otherwise; one line says at which frame, and why.
.TP
2
The command line, the scene or a mesh cannot be used; one line says where, what is wrong, and what would be right.
.TP
3
Something that the machine lacks: a display, OpenGL, ffmpeg, memory.
.TP
130, 143
Interrupted by Ctrl\-C or SIGTERM. What there is by then is whole and has its name.
)";

constexpr const char* kRest = R"(.SH FILES
.TP
.I ~/.cache/rebound
Factors and references that took long to make, at most 2 GB. The folder may be deleted at any time.
.TP
.I ~/.config/rebound
Settings of the window.
.SH ENVIRONMENT
.TP
.B REBOUND_ASSETS
The folder with the built\-in scenes and meshes.
.TP
.B REBOUND_TETGEN
The program rebound\-tetgen, which fills surfaces with tetrahedra.
.TP
.BR XDG_CACHE_HOME ", " XDG_CONFIG_HOME
Where the folders above are, if not in the home folder.
.SH EXAMPLES
.nf
rebound swinging\-bunny
rebound run scene.json \-\-integrator backward\-euler \-\-ledger energy.csv
rebound record spinning\-cube \-\-compare implicit\-midpoint,stabilized \-o cube.mp4
rebound check my.obj
.fi
)";

}  // namespace

std::string manual_page(const ProgramInfo& program) {
  std::string page = ".TH " + upper(program.name) + " 1 \"\" \"" + program.name + " " + program.version +
                     "\" \"User Commands\"\n.SH NAME\n" + roff(program.name) + " \\- " + roff(program.what) +
                     "\n.SH SYNOPSIS\n";
  page += synopsis(program, program.alone) + "\n";
  for (const CommandInfo& command : program.commands) page += ".br\n" + synopsis(program, command) + "\n";
  page += ".SH DESCRIPTION\nWithout a command the program opens its window. With one it needs no display.\n";
  page += own_options(program.alone);
  page += ".SH COMMANDS\n";
  for (const CommandInfo& command : program.commands) page += section(command, program);
  return page + shared_options(program) + scenes(program) + kStatus + kRest;
}

}  // namespace rebound::cli
