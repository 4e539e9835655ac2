// Medit .mesh, as INRIA's tools, Gmsh, TetGen (-g) and fTetWild write it.
#include <cctype>

#include "mesh/tet_formats.hpp"

namespace rebound::mesh {
namespace {

bool is_keyword(std::string_view text) { return !text.empty() && std::isalpha(static_cast<unsigned char>(text[0])); }

class Medit {
 public:
  Medit(const std::string& name, std::string_view text) : reader_(name, text), text_(text) {}

  RawTets run(const Progress& progress) {
    Word word = reader_.expect("'MeshVersionFormatted'");
    if (word.text != "MeshVersionFormatted")
      reader_.fail(word,
                   in_quotes(word.text) + " stands where 'MeshVersionFormatted' should; this is not a Medit file");
    reader_.integer("the format's version", 0, 4);
    for (word = next_keyword(); !word.text.empty() && word.text != "End"; word = next_keyword()) {
      if (word.text == "Dimension") dimension();
      if (word.text == "Vertices") vertices(progress);
      if (word.text == "Tetrahedra") tetrahedra(progress);
    }
    return std::move(raw_);
  }

 private:
  /// Sections that say nothing about tetrahedra are passed over.
  Word next_keyword() {
    for (;;) {
      const Word word = reader_.word_or_next_line();
      if (word.text.empty() || is_keyword(word.text)) return word;
    }
  }

  void dimension() {
    const std::int64_t dimension = reader_.integer("the dimension", 1, 3);
    if (dimension != 3) reader_.fail(reader_.end_of_line(), "the mesh is flat; a dimension of 3 is needed");
  }

  void vertices(const Progress& progress) {
    const std::int64_t count = read_count(reader_, "the number of vertices", text_);
    for (std::int64_t i = 0; i < count; ++i) {
      check_now_and_then(progress, reader_, i);
      read_point(reader_, raw_.coordinates);
      reader_.number("the vertex's reference");
    }
  }

  void tetrahedra(const Progress& progress) {
    const std::int64_t count = read_count(reader_, "the number of tetrahedra", text_);
    const auto vertices = static_cast<std::int64_t>(raw_.coordinates.size() / 3);
    for (std::int64_t i = 0; i < count; ++i) {
      check_now_and_then(progress, reader_, i);
      Tetrahedron tet;
      for (int& v : tet) v = static_cast<int>(reader_.integer("a vertex number", 1, vertices) - 1);
      raw_.labels.push_back(read_label(reader_, "the tetrahedron's reference"));
      raw_.tetrahedra.push_back(tet);
    }
  }

  TextReader reader_;
  std::string_view text_;
  RawTets raw_;
};

}  // namespace

RawTets parse_medit(const std::string& name, std::string_view text, const Progress& progress) {
  return Medit(name, text).run(progress);
}

}  // namespace rebound::mesh
