#include "papers/judge.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace rebound::papers {
namespace {

std::string with_unit(const std::string& number, std::string_view unit) {
  return unit.empty() ? number : number + " " + std::string(unit);
}

/// Of a share that is meant as one: "5 %".
std::string percent(double share) { return shown(100 * share) + " %"; }

std::string in_words(const Expected& e, std::string_view unit) {
  if (e.never) return "never";
  if (e.happens) return "happens";
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (e.above) add("at least " + with_unit(shown(*e.above), unit));
  if (e.below) add("at most " + with_unit(shown(*e.below), unit));
  if (e.within) add("within " + with_unit(shown(*e.within), unit) + " of the paper's");
  if (e.within_share) add("within " + percent(*e.within_share) + " of the paper's");
  if (e.below_share) add("at most " + percent(*e.below_share) + " above the paper's");
  return text;
}

/// NaN bears out nothing.
bool holds(const Expected& e, double ours, const PaperNumber& paper) {
  if (e.never) return std::isinf(ours);
  if (e.happens) return std::isfinite(ours);
  if (std::isnan(ours)) return false;
  if (e.above && !(ours >= *e.above)) return false;
  if (e.below && !(ours <= *e.below)) return false;
  const double theirs = paper.number().value_or(0);
  if (e.within && !(std::abs(ours - theirs) <= *e.within)) return false;
  if (e.below_share && !(ours <= theirs + *e.below_share * std::abs(theirs))) return false;
  return !e.within_share || std::abs(ours - theirs) <= *e.within_share * std::abs(theirs);
}

std::string paper_text(const PaperNumber& paper) {
  std::string text = paper.says;
  if (!paper.value) return text;
  std::string number = with_unit(shown(*paper.value), paper.unit);
  if (paper.over)
    number = shown(*paper.value) + " / " + with_unit(shown(*paper.over), paper.unit) + " = " + shown(*paper.number());
  return text.empty() ? number : number + ", " + text;
}

/// Of one run; infinite where it never happened, NaN where the run does not say.
double found(const Number& number, const Row& row, const Kept& kept, std::size_t run) {
  Number one = number;
  one.run = run;
  const auto value = kept.values.find(one.key(row.run_names));
  if (value == kept.values.end() || !value->second) return number.measure->may_never ? INFINITY : NAN;
  return *value->second;
}

std::string value_text(double value, const Measure& measure) {
  if (std::isinf(value) && measure.may_never) return "never";
  return std::isnan(value) ? "none" : with_unit(shown(value), measure.unit);
}

JudgedNumber judge_number(const Number& number, const Row& row, const Kept& kept) {
  JudgedNumber judged;
  judged.paper = paper_text(number.paper);
  double ours = found(number, row, kept, number.run);
  judged.ours = value_text(ours, *number.measure);
  if (number.over) {
    const double below = found(number, row, kept, *number.over);
    judged.ours = value_text(ours, *number.measure) + " / " + value_text(below, *number.measure);
    ours /= below;
    judged.ours += " = " + shown(ours);
  }
  judged.expected = in_words(number.expected, number.over ? std::string_view() : number.measure->unit);
  if (number.expected.is_empty()) {
    judged.why = number.not_comparable;
    return judged;
  }
  const bool held = holds(number.expected, ours, number.paper);
  judged.verdict = held ? Verdict::agrees : Verdict::differs;
  if (!held) judged.why = number.differs;
  return judged;
}

void conclude(const Row& row, Judged& judged) {
  constexpr std::size_t kNamed = 3;
  std::size_t held = 0, missed = 0;
  std::string missing;
  for (std::size_t i = 0; i < judged.numbers.size(); ++i) {
    const JudgedNumber& number = judged.numbers[i];
    held += number.verdict == Verdict::agrees ? 1 : 0;
    if (number.verdict != Verdict::differs) continue;
    if (++missed <= kNamed) missing += (missing.empty() ? "" : "; ") + row.numbers[i].what + ": " + number.ours;
  }
  if (missed > kNamed) missing += "; and " + std::to_string(missed - kNamed) + " more";
  if (missed > 0) {
    judged.verdict = Verdict::differs;
    judged.reason = missing;
  } else if (held > 0) {
    judged.verdict = Verdict::agrees;
    judged.reason = held == 1   ? "the one number that is judged holds"
                    : held == 2 ? "both judged numbers hold"
                                : "all " + std::to_string(held) + " judged numbers hold";
  } else {
    judged.verdict = Verdict::not_comparable;
    judged.reason = "no number of the paper's can be held against ours";
    for (const Number& number : row.numbers)
      if (!number.not_comparable.empty()) judged.reason = number.not_comparable;
  }
}

}  // namespace

std::string_view name_of(Verdict verdict) {
  constexpr std::string_view kNames[] = {"agrees", "differs", "not comparable", "not yet", "not run", "failed"};
  return kNames[static_cast<int>(verdict)];
}

std::string slug_of(Verdict verdict) {
  std::string slug(name_of(verdict));
  std::replace(slug.begin(), slug.end(), ' ', '-');
  return slug;
}

std::string shown(double value) {
  char digits[40];
  const double size = std::abs(value);
  const bool whole = size >= 1e4 && size < 1e7;
  const bool plain = size == 0 || (size >= 1e-3 && size < 1e4);
  std::snprintf(digits, sizeof digits, whole ? "%.0f" : plain ? "%.4g" : "%.3g", value);
  // "1e-9" instead of "1e-09".
  std::string text = digits;
  const std::size_t exponent = text.find('e');
  if (exponent != std::string::npos && text[exponent + 2] == '0') text.erase(exponent + 2, 1);
  if (exponent != std::string::npos && text[exponent + 1] == '+') text.erase(exponent + 1, 1);
  return text;
}

Judged judge(const Row& row, const Kept* kept, const std::string& waits) {
  Judged judged;
  if (!waits.empty()) {
    judged.verdict = Verdict::not_yet;
    judged.reason = "needs " + waits;
    return judged;
  }
  if (kept == nullptr) {
    judged.reason = "was not run here";
    return judged;
  }
  for (const Number& number : row.numbers) judged.numbers.push_back(judge_number(number, row, *kept));
  conclude(row, judged);
  return judged;
}

}  // namespace rebound::papers
