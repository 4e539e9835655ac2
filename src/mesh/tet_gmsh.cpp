// Gmsh .msh, versions 2.2 and 4.1, as text.
#include <array>
#include <limits>
#include <unordered_map>

#include "mesh/tet_formats.hpp"

namespace rebound::mesh {
namespace {

constexpr std::int64_t kAny = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMostLabel = std::numeric_limits<int>::max();
constexpr int kTetrahedron = 4;
constexpr int kTetrahedronOfTenNodes = 11;

class Gmsh {
 public:
  Gmsh(const std::string& name, std::string_view text) : reader_(name, text, '\0'), text_(text) {}

  RawTets run(const Progress& progress) {
    bool formatted = false;
    while (reader_.next_line()) {
      Word word;
      if (!reader_.next_word(word)) continue;
      if (word.text == "$MeshFormat") {
        format();
        formatted = true;
      }
      if (!formatted && (word.text == "$Nodes" || word.text == "$Elements"))
        reader_.fail(word, "no '$MeshFormat' stands above; save as version 2.2 or 4.1");
      if (word.text == "$Entities" && is_4_) entities_4();
      if (word.text == "$Nodes") is_4_ ? nodes_4(progress) : nodes_2(progress);
      if (word.text == "$Elements") is_4_ ? elements_4(progress) : elements_2(progress);
    }
    if (!formatted) reader_.fail(reader_.end_of_line(), "no '$MeshFormat' in the file; this is not a Gmsh mesh");
    if (curved_ > 0)
      raw_.notes.push_back(count_of(curved_, "curved tetrahedron", "curved tetrahedra") + " straightened");
    return std::move(raw_);
  }

 private:
  void format() {
    const Word version = reader_.expect("the format's version");
    if (version.text != "2.2" && version.text != "4.1" && version.text != "2" && version.text != "2.1")
      reader_.fail(version, "version " + in_quotes(version.text) + " is not known; save as 2.2 or 4.1");
    is_4_ = version.text == "4.1";
    const Word kind = reader_.expect("the file's kind");
    if (kind.text != "0") reader_.fail(kind, "the file is binary; save it as text (in Gmsh: -bin off)");
    reader_.expect("the size of numbers");
  }

  void add_node(const Word& place, std::int64_t tag) {
    const int index = static_cast<int>(index_of_.size());
    if (!index_of_.try_emplace(tag, index).second)
      reader_.fail(place, "node " + std::to_string(tag) + " stands twice; export the mesh again");
  }

  void nodes_2(const Progress& progress) {
    const std::int64_t count = read_count(reader_, "the number of nodes", text_);
    for (std::int64_t i = 0; i < count; ++i) {
      check_now_and_then(progress, reader_, i);
      const std::int64_t tag = reader_.integer("a node's number", 0, kAny);
      add_node(reader_.end_of_line(), tag);
      read_point(reader_, raw_.coordinates);
    }
  }

  void nodes_4(const Progress& progress) {
    const std::int64_t blocks = read_count(reader_, "the number of blocks", text_);
    for (int i = 0; i < 3; ++i) reader_.integer("a number of nodes", 0, kAny);
    for (std::int64_t b = 0; b < blocks; ++b) {
      const std::int64_t dimension = reader_.integer("a dimension", 0, 3);
      reader_.integer("an entity", -kAny, kAny);
      const bool parametric = reader_.integer("0 or 1", 0, 1) == 1;
      const std::int64_t count = read_count(reader_, "the number of nodes", text_);
      for (std::int64_t i = 0; i < count; ++i) {
        check_now_and_then(progress, reader_, i);
        const std::int64_t tag = reader_.integer("a node's number", 0, kAny);
        add_node(reader_.end_of_line(), tag);
      }
      for (std::int64_t i = 0; i < count; ++i) {
        check_now_and_then(progress, reader_, i);
        read_point(reader_, raw_.coordinates);
        for (std::int64_t k = 0; parametric && k < dimension; ++k) reader_.number("a parameter");
      }
    }
  }

  /// What is meshed: points, curves, surfaces and volumes, of which the volumes' physical groups are kept.
  void entities_4() {
    std::array<std::int64_t, 4> counts{};
    for (std::int64_t& count : counts) count = read_count(reader_, "a number of entities", text_);
    for (std::size_t dimension = 0; dimension < counts.size(); ++dimension)
      for (std::int64_t i = 0; i < counts[dimension]; ++i) {
        const std::int64_t entity = reader_.integer("an entity", -kAny, kAny);
        for (int k = 0; k < (dimension == 0 ? 3 : 6); ++k) reader_.number("a bound");
        const std::int64_t groups = read_count(reader_, "the number of physical groups", text_);
        for (std::int64_t k = 0; k < groups; ++k) {
          const int group = read_label(reader_, "a physical group");
          if (dimension == 3) group_of_.try_emplace(entity, group);
        }
        reader_.rest_of_line();  // what bounds it
      }
  }

  /// The nodes of an element of `type` stand next in the line. `label`: of the part that it belongs to.
  void element(std::int64_t type, std::int64_t label) {
    if (type != kTetrahedron && type != kTetrahedronOfTenNodes) {
      reader_.rest_of_line();
      return;
    }
    Tetrahedron tet;
    for (int& v : tet) {
      const Word word = reader_.expect("a node's number");
      std::int64_t tag = 0;
      if (!parse_integer(word.text, tag)) reader_.fail(word, in_quotes(word.text) + " is not a node's number");
      const auto found = index_of_.find(tag);
      if (found == index_of_.end())
        reader_.fail(word, "node " + std::to_string(tag) + " does not exist; export the mesh with all its nodes");
      v = found->second;
    }
    if (type == kTetrahedronOfTenNodes) {
      ++curved_;
      reader_.rest_of_line();
    }
    raw_.tetrahedra.push_back(tet);
    raw_.labels.push_back(static_cast<int>(label));
  }

  void elements_2(const Progress& progress) {
    const std::int64_t count = read_count(reader_, "the number of elements", text_);
    for (std::int64_t i = 0; i < count; ++i) {
      check_now_and_then(progress, reader_, i);
      reader_.integer("an element's number", 0, kAny);
      const std::int64_t type = reader_.integer("an element's type", 1, 140);
      const std::int64_t tags = reader_.integer("the number of tags", 0, 64);
      // The first is the physical group.
      std::int64_t group = 0;
      for (std::int64_t k = 0; k < tags; ++k) {
        const std::int64_t tag = reader_.integer("a tag", -kMostLabel, kMostLabel);
        if (k == 0) group = tag;
      }
      element(type, group);
    }
  }

  void elements_4(const Progress& progress) {
    const std::int64_t blocks = read_count(reader_, "the number of blocks", text_);
    for (int i = 0; i < 3; ++i) reader_.integer("a number of elements", 0, kAny);
    for (std::int64_t b = 0; b < blocks; ++b) {
      const std::int64_t dimension = reader_.integer("a dimension", 0, 3);
      const std::int64_t entity = reader_.integer("an entity", -kMostLabel, kMostLabel);
      const auto group = group_of_.find(entity);
      const std::int64_t label = dimension == 3 && group != group_of_.end() ? group->second : entity;
      const std::int64_t type = reader_.integer("an element's type", 1, 140);
      const std::int64_t count = read_count(reader_, "the number of elements", text_);
      for (std::int64_t i = 0; i < count; ++i) {
        check_now_and_then(progress, reader_, i);
        reader_.integer("an element's number", 0, kAny);
        element(type, label);
      }
    }
  }

  TextReader reader_;
  std::string_view text_;
  bool is_4_ = false;
  std::unordered_map<std::int64_t, int> index_of_;
  std::unordered_map<std::int64_t, int> group_of_;  ///< the first physical group of a volume
  std::int64_t curved_ = 0;
  RawTets raw_;
};

}  // namespace

RawTets parse_gmsh(const std::string& name, std::string_view text, const Progress& progress) {
  return Gmsh(name, text).run(progress);
}

}  // namespace rebound::mesh
