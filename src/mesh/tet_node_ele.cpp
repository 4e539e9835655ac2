// TetGen's .node and .ele.
#include <algorithm>
#include <limits>

#include "mesh/error.hpp"
#include "mesh/tet_formats.hpp"

namespace rebound::mesh {
namespace {

/// Elements are numbered from 0 or 1, whichever the first line says.
void expect_number(TextReader& reader, std::int64_t element, std::int64_t first) {
  const Word word = reader.expect("an element's number");
  std::int64_t number = 0;
  if (!parse_integer(word.text, number) || number != element + first)
    reader.fail(word, in_quotes(word.text) + " stands where number " + std::to_string(element + first) + " should");
}

/// The index that the first element bears, without stepping past it.
std::int64_t first_number(TextReader reader) {
  const Word word = reader.word_or_next_line();
  if (word.text.empty()) return 0;
  std::int64_t number = 0;
  if (!parse_integer(word.text, number) || (number != 0 && number != 1))
    reader.fail(word, in_quotes(word.text) + " cannot be the first number; count from 0 or 1");
  return number;
}

}  // namespace

RawTets parse_tetgen(const std::string& node_name, std::string_view nodes, const std::string& ele_name,
                     std::string_view elements, const Progress& progress) {
  RawTets raw;
  TextReader node(node_name, nodes);
  const std::int64_t vertices = read_count(node, "the number of nodes", nodes);
  if (node.integer("the dimension", 2, 3) != 3)
    node.fail(node.end_of_line(), "the nodes are flat; 3 dimensions are needed");
  node.rest_of_line();
  const std::int64_t first = first_number(node);
  for (std::int64_t i = 0; i < vertices; ++i) {
    check_now_and_then(progress, node, i);
    expect_number(node, i, first);
    read_point(node, raw.coordinates);
    node.rest_of_line();
  }

  TextReader ele(ele_name, elements);
  const std::int64_t count = read_count(ele, "the number of tetrahedra", elements);
  const std::int64_t corners = ele.integer("the corners of a tetrahedron (4 or 10)", 4, 10);
  if (corners != 4 && corners != 10)
    ele.fail(ele.end_of_line(), "elements of " + std::to_string(corners) + " corners; 4 or 10 are known");
  Word word;
  std::int64_t attributes = 0;
  const bool labelled = ele.next_word(word) && parse_integer(word.text, attributes) && attributes > 0;
  ele.rest_of_line();
  const std::int64_t first_element = first_number(ele);
  // Some programs write an .ele that counts from 0 beside a .node that counts from 1: then its corners may as well.
  const bool mixed = first_element < first;
  const std::int64_t least = mixed ? first_element : first;
  int lowest = std::numeric_limits<int>::max(), highest = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    check_now_and_then(progress, ele, i);
    expect_number(ele, i, first_element);
    Tetrahedron tet;
    for (int& v : tet) {
      v = static_cast<int>(ele.integer("a node's number", least, first + vertices - 1) - least);
      lowest = std::min(lowest, v);
      highest = std::max(highest, v);
    }
    if (labelled) {
      for (std::int64_t k = 4; k < corners; ++k) ele.expect("a node's number");
      raw.labels.push_back(read_label(ele, "the tetrahedron's first attribute"));
    }
    ele.rest_of_line();
    raw.tetrahedra.push_back(tet);
  }
  if (mixed && lowest == 0) {
    if (highest == vertices)
      throw MeshError(ele_name + ": its corners have the number 0 and the number " + std::to_string(vertices) + " of " +
                      std::to_string(vertices) + " nodes; count them from 0 or from 1");
    raw.notes.push_back("the corners of " + ele_name + " are counted from 0, as its elements are; " + node_name +
                        " counts from 1");
  } else if (mixed) {
    for (Tetrahedron& tet : raw.tetrahedra)
      for (int& v : tet) --v;
  }
  if (corners == 10) raw.notes.push_back(count_of(count, "curved tetrahedron", "curved tetrahedra") + " straightened");
  return raw;
}

}  // namespace rebound::mesh
