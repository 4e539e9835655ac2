#include "mesh/obj_scan.hpp"

#include <algorithm>
#include <cmath>

#include "mesh/text.hpp"

namespace rebound::mesh {
namespace {

/// How often the user may cancel, in lines.
constexpr int kLinesBetweenChecks = 16384;

/// An index that may only be judged once all vertices are known.
struct Pending {
  Word word;
  std::int64_t index;
};

class Scanner {
 public:
  Scanner(const std::string& name, std::string_view text, const ObjLimits& limits)
      : reader_(name, text), name_(name), limits_(limits) {}

  ObjScan run(const Progress& progress) {
    while (reader_.next_line()) {
      if (reader_.line() % kLinesBetweenChecks == 0) progress.step("checking the file", reader_.fraction());
      Word keyword;
      if (!reader_.next_word(keyword)) continue;
      if (keyword.text == "v") vertex(keyword);
      if (keyword.text == "f") face(keyword);
    }
    refuse_forward_references();
    if (scan_.faces == 0)
      throw MeshError(name_ + ": holds no surface: " + count_of(vertices(), "vertex", "vertices") +
                      " and no face ('f' line); export the mesh with its faces");
    scan_.points = Eigen::Map<const Points>(coordinates_.data(), static_cast<Eigen::Index>(vertices()), 3);
    return std::move(scan_);
  }

 private:
  std::int64_t vertices() const { return static_cast<std::int64_t>(coordinates_.size() / 3); }

  void vertex(const Word& keyword) {
    if (vertices() >= limits_.vertices)
      reader_.fail(keyword, "more than " + std::to_string(limits_.vertices) + " vertices; reduce the mesh first");
    constexpr int most = 8;  // x y z, then w, or a colour with or without alpha
    Word word;
    int count = 0;
    while (reader_.next_word(word)) {
      if (++count > most) reader_.fail(word, "too many numbers for a vertex; 'v x y z' is enough");
      const double value = coordinate(word);
      if (count <= 3) coordinates_.push_back(value);
    }
    if (count < 3)
      reader_.fail(reader_.end_of_line(),
                   "a vertex with " + count_of(count, "coordinate") + "; it needs three, as in 'v 0.5 1 -2'");
  }

  double coordinate(const Word& word) {
    double value = 0;
    if (!parse_number(word.text, value))
      reader_.fail(
          word, "coordinate " + in_quotes(word.text) + " is not a finite number; write it with a point, such as -0.25");
    if (std::abs(value) > limits_.coordinate)
      reader_.fail(word, "coordinate " + in_quotes(word.text) + " is larger than 1e9; scale the mesh down");
    return value;
  }

  void face(const Word& keyword) {
    Word word;
    int corners = 0;
    while (reader_.next_word(word)) {
      if (++corners > limits_.corners)
        reader_.fail(word, "a face of more than " + std::to_string(limits_.corners) +
                               " corners; triangulate it in the program that made it");
      corner(word);
    }
    if (reader_.remark_touches_word())
      reader_.fail(reader_.end_of_line(), "a '#' right behind a corner; put a space before a remark");
    if (corners < 3)
      reader_.fail(reader_.end_of_line(),
                   "a face with " + count_of(corners, "corner") + "; it needs three or more, as in 'f 1 2 3'");
    ++scan_.faces;
    if (corners > 3) ++scan_.polygons;
    triangles_ += corners - 2;
    if (triangles_ > limits_.triangles)
      reader_.fail(keyword, "more than " + std::to_string(limits_.triangles) + " triangles; reduce the mesh first");
  }

  /// "v", "v/vt", "v//vn" or "v/vt/vn".
  void corner(const Word& word) {
    std::string_view rest = word.text;
    int part = 0;
    for (;;) {
      const std::size_t slash = rest.find('/');
      const std::string_view text = rest.substr(0, slash);
      const bool skipped = part == 1 && text.empty() && slash != std::string_view::npos;
      if (!skipped) index(word, text, part);
      if (slash == std::string_view::npos) return;
      if (++part > 2) reader_.fail(word, in_quotes(word.text) + " has too many '/'; a corner is 'v/vt/vn' at most");
      rest.remove_prefix(slash + 1);
    }
  }

  void index(const Word& word, std::string_view text, int part) {
    std::int64_t value = 0;
    if (!parse_integer(text, value) || value > INT32_MAX || value < -INT32_MAX)
      reader_.fail(word, "face corner " + in_quotes(word.text) +
                             " is not a vertex number; write an integer from 1 to " + std::to_string(vertices()));
    if (value == 0)
      reader_.fail(word, "face corner " + in_quotes(word.text) + ": vertices are counted from 1, so 0 does not exist");
    if (part > 0) return;
    if (value < -vertices())
      reader_.fail(word, "vertex " + std::to_string(value) + " does not exist: only " +
                             count_of(vertices(), "vertex", "vertices") + " stand above; use -1 to " +
                             std::to_string(-vertices()));
    if (value > vertices()) pending_.push_back({word, value});
  }

  void refuse_forward_references() {
    for (const Pending& pending : pending_)
      if (pending.index > vertices())
        reader_.fail(pending.word, "vertex " + std::to_string(pending.index) + " does not exist: the file has " +
                                       count_of(vertices(), "vertex", "vertices") + "; use 1 to " +
                                       std::to_string(vertices()));
  }

  TextReader reader_;
  std::string name_;
  ObjLimits limits_;
  ObjScan scan_;
  std::vector<double> coordinates_;
  std::vector<Pending> pending_;
  std::int64_t triangles_ = 0;
};

}  // namespace

ObjScan scan_obj(const std::string& name, std::string_view text, const Progress& progress, const ObjLimits& limits) {
  return Scanner(name, text, limits).run(progress);
}

}  // namespace rebound::mesh
