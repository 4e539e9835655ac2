// Does what was measured bear out what the paper says? Judged anew each time, from the row's file and the kept results.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "papers/row.hpp"

namespace rebound::papers {

enum class Verdict { agrees, differs, not_comparable, not_yet, not_run, failed };
/// "agrees", "not comparable".
std::string_view name_of(Verdict verdict);
/// Of that name, without blanks: "not-comparable".
std::string slug_of(Verdict verdict);

/// What a row's runs have left in its folder.
struct Kept {
  std::string fingerprint, machine, version, date;
  int threads = 1;
  double seconds = 0;
  struct EndedRun {
    std::string name, ended, notes;
  };
  std::vector<EndedRun> runs;
  std::map<std::string, std::optional<double>> values;  ///< by Number::key
  std::vector<std::string> plots, pictures;             ///< files in the folder
  std::string video, remark;                            ///< remark: why there are no pictures
};

struct JudgedNumber {
  Verdict verdict = Verdict::not_comparable;
  std::string paper, ours;  ///< with units
  std::string expected;     ///< "at most 0.01"
  std::string why;
};

struct Judged {
  Verdict verdict = Verdict::not_run;
  std::string reason;
  std::vector<JudgedNumber> numbers;  ///< one each, where there are results
};

/// kept: null where there are none. waits: what the row waits for; empty where it can run.
Judged judge(const Row& row, const Kept* kept, const std::string& waits);

/// For people: three or four digits.
std::string shown(double value);

}  // namespace rebound::papers
