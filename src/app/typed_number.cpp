#include "app/typed_number.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <utility>

namespace rebound::app {
namespace {

constexpr std::array<std::pair<std::string_view, double>, 9> kPrefixes = {
    {{"", 1}, {"G", 1e9}, {"M", 1e6}, {"k", 1e3}, {"m", 1e-3}, {"µ", 1e-6}, {"μ", 1e-6}, {"u", 1e-6}, {"n", 1e-9}}};

void skip_blanks(std::string_view& text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
}

std::string_view trimmed(std::string_view text) {
  skip_blanks(text);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

std::optional<double> take_number(std::string_view& text) {
  skip_blanks(text);
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || !std::isfinite(value)) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

/// What the unit that was typed is in the SI unit; nothing if it is another one.
std::optional<double> factor_of(std::string_view typed, std::string_view unit) {
  const std::string pretty = pretty_unit(unit);
  for (const auto& [prefix, factor] : kPrefixes) {
    if (!typed.starts_with(prefix) || (unit.empty() && !prefix.empty())) continue;
    const std::string_view rest = typed.substr(prefix.size());
    if (rest == unit || rest == pretty || (rest.empty() && !prefix.empty())) return factor;
  }
  return std::nullopt;
}

}  // namespace

std::string pretty_unit(std::string_view unit) {
  std::string text(unit);
  for (const auto& [plain, printed] : {std::pair{"^2", "²"}, {"^3", "³"}})
    if (const auto at = text.find(plain); at != std::string::npos) text.replace(at, 2, printed);
  return text;
}

TypedNumber read_number(std::string_view text, std::string_view unit, double shown) {
  const std::string typed(trimmed(text)), like = unit.empty() ? "1.5 or 3/2" : "1.5, 3/2 or 1.5 " + pretty_unit(unit);
  std::string_view rest = typed;
  const auto refused = [&](const std::string& why) { return TypedNumber{{}, "“" + typed + "” " + why}; };
  auto value = take_number(rest);
  if (!value) return refused("is not a number; one would be " + like);
  skip_blanks(rest);
  const bool is_fraction = rest.starts_with('/');
  if (is_fraction) {
    rest.remove_prefix(1);
    const auto below = take_number(rest);
    if (!below || *below == 0) return refused("is not a number; one would be " + like);
    *value /= *below;
  }
  rest = trimmed(rest);
  if (rest.empty()) return {*value * (is_fraction ? 1 : shown), {}};
  const auto factor = factor_of(rest, unit);
  if (!factor)
    return refused(unit.empty() ? "has no unit; a number would be " + like
                                : "is not in " + pretty_unit(unit) + "; a number would be " + like);
  return {*value * *factor, {}};
}

}  // namespace rebound::app
