// A row: what a paper claims in one place, how it is tried, and what would bear it out. One file each in assets/papers,
// named by its id; adding a row is adding a file.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "papers/measures.hpp"
#include "papers/plans.hpp"

namespace rebound::papers {

struct Parameter {
  std::string name, value;
  std::string origin;  ///< "given", "recovered" or "ours"
  std::string why;
};

/// What the paper prints, or says in words.
struct PaperNumber {
  std::optional<double> value;
  std::optional<double> over;  ///< of a ratio, the number below
  std::string unit, says;
  std::string place;

  /// The number that ours is held against.
  std::optional<double> number() const {
    if (value && over) return *value / *over;
    return value;
  }
};

/// What bears the claim out; empty: nothing, the number is only shown.
struct Expected {
  std::optional<double> above, below;
  std::optional<double> within, within_share;  ///< of the paper's number: in its unit, or as a share of it
  std::optional<double> below_share;           ///< at most so much more than the paper's, as a share of it
  bool never = false, happens = false;

  bool is_empty() const { return !above && !below && !within && !within_share && !below_share && !never && !happens; }
};

struct Number {
  std::string what;
  const Measure* measure = nullptr;
  std::size_t run = 0;
  std::optional<std::size_t> over;  ///< the run by which it is divided
  std::optional<double> at;
  PaperNumber paper;
  Expected expected;
  std::string differs;         ///< why, where it does not hold
  std::string not_comparable;  ///< why it is not judged

  /// What a file of results calls it.
  std::string key(const std::vector<std::string>& runs) const;
};

/// Something that the program must have for the row to run, besides what its runs name.
struct Need {
  std::string what;
  std::vector<std::string> settings;  ///< POINTER=JSON that a scene must take
  std::vector<Asked> identifiers;
  std::string run;  ///< a kind of runs
};

struct Plot {
  std::string title, column;
  std::vector<std::size_t> runs;
  std::optional<double> low, high;
  bool logarithmic = false;
};

/// Which runs are filmed, side by side.
struct FilmPlan {
  std::vector<std::size_t> runs;
  std::int64_t frames = 0;
  int pictures = 3;
};

struct Row {
  std::string id;
  std::filesystem::path file;
  std::string paper, place, title, claim, look, finding;
  std::string rank;  ///< "A", "A-", "B", "C" or "X"
  bool quick = false;
  double seconds = 0;  ///< about, on two cores
  std::vector<Parameter> parameters;
  std::vector<Need> needs;
  std::vector<std::string> run_names;
  std::vector<std::unique_ptr<Plan>> runs;
  std::vector<Number> numbers;
  std::vector<Plot> plots;
  std::optional<FilmPlan> film;
  std::string pictured;  ///< "plots" and "film" as they stand in the file

  /// Does it read the clock?
  bool is_timed() const;
  /// Is there a scene that a window could show?
  bool has_scene() const;
};

/// Throws InputError: "FILE:LINE: POINTER: what".
Row read_row(const std::filesystem::path& file);
/// All rows of a folder, in the order of papers and places. Throws InputError.
std::vector<Row> read_rows(const std::filesystem::path& folder);
/// assets/papers; throws InputError where it is not.
std::filesystem::path rows_folder();

/// What a row waits for, in words; empty where it can run now. The registry and the scene reader decide.
std::string waits_for(const Row& row);

}  // namespace rebound::papers
