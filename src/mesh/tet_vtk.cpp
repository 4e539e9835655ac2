// Legacy .vtk unstructured grids as text, versions up to 5.1.
#include "mesh/tet_formats.hpp"

namespace rebound::mesh {
namespace {

constexpr int kVtkTetrahedron = 10;

class Vtk {
 public:
  Vtk(const std::string& name, std::string_view text) : reader_(name, text, '\0'), text_(text) {}

  RawTets run(const Progress& progress) {
    header();
    bool cells = false, types = false, of_cells = false;
    for (Word word = reader_.word_or_next_line(); !word.text.empty() && raw_.labels.empty();
         word = reader_.word_or_next_line()) {
      if (word.text == "METADATA") skip_metadata();
      if (word.text == "POINTS") points(progress);
      if (word.text == "CELLS") {
        read_cells(progress);
        cells = true;
      }
      if (word.text == "CELL_TYPES") {
        if (!cells) reader_.fail(word, "'CELL_TYPES' stands before 'CELLS'; export the mesh again");
        cell_types(progress);
        types = true;
      }
      if (types && word.text == "CELL_DATA") of_cells = true;
      if (types && word.text == "POINT_DATA") of_cells = false;
      if (of_cells && word.text == "SCALARS") scalars(progress);
      if (of_cells && word.text == "FIELD") fields(progress);
    }
    if (!types) reader_.fail(reader_.end_of_line(), "no 'CELL_TYPES' in the file; export an unstructured grid");
    if (skipped_ > 0) raw_.notes.push_back(count_of(skipped_, "cell") + " other than tetrahedra passed over");
    return std::move(raw_);
  }

 private:
  void header() {
    reader_.next_line();
    if (!reader_.rest_of_line().starts_with("# vtk DataFile"))
      reader_.fail({{}, 1, 1}, "'# vtk DataFile' should stand here; this is not a legacy VTK file");
    reader_.next_line();
    reader_.next_line();
    const Word kind = reader_.expect("'ASCII'");
    if (kind.text != "ASCII") reader_.fail(kind, "the file is " + in_quotes(kind.text) + "; save it as ASCII");
    Word word = reader_.expect("'DATASET'");
    if (word.text != "DATASET") reader_.fail(word, in_quotes(word.text) + " stands where 'DATASET' should");
    word = reader_.expect("'UNSTRUCTURED_GRID'");
    if (word.text != "UNSTRUCTURED_GRID")
      reader_.fail(word, "a data set of kind " + in_quotes(word.text) + "; an UNSTRUCTURED_GRID is needed");
  }

  /// Reaches to the next empty line.
  void skip_metadata() {
    Word word;
    while (reader_.next_line() && reader_.next_word(word)) reader_.rest_of_line();
  }

  void points(const Progress& progress) {
    const std::int64_t count = read_count(reader_, "the number of points", text_);
    reader_.expect("the kind of number");
    for (std::int64_t i = 0; i < count; ++i) {
      check_now_and_then(progress, reader_, i);
      read_point(reader_, raw_.coordinates);
    }
  }

  std::int64_t vertex() {
    return reader_.integer("a point's number", 0, static_cast<std::int64_t>(raw_.coordinates.size() / 3) - 1);
  }

  void read_cells(const Progress& progress) {
    const std::int64_t first = read_count(reader_, "the number of cells", text_);
    const std::int64_t second = read_count(reader_, "the length of the cells", text_);
    TextReader ahead = reader_;
    if (ahead.word_or_next_line().text == "OFFSETS") {
      reader_ = ahead;
      reader_.rest_of_line();
      cells_with_offsets(first, second, progress);
      return;
    }
    offsets_ = {0};
    for (std::int64_t c = 0; c < first; ++c) {
      check_now_and_then(progress, reader_, c);
      const std::int64_t corners = reader_.integer("the corners of a cell", 0, second);
      for (std::int64_t k = 0; k < corners; ++k) corners_.push_back(static_cast<int>(vertex()));
      offsets_.push_back(static_cast<std::int64_t>(corners_.size()));
    }
  }

  /// Version 5: where each cell begins, then all corners.
  void cells_with_offsets(std::int64_t offsets, std::int64_t corners, const Progress& progress) {
    std::int64_t last = 0;
    for (std::int64_t i = 0; i < offsets; ++i) {
      check_now_and_then(progress, reader_, i);
      last = reader_.integer("an offset that does not fall", last, corners);
      offsets_.push_back(last);
    }
    const Word word = reader_.expect("'CONNECTIVITY'");
    if (word.text != "CONNECTIVITY") reader_.fail(word, in_quotes(word.text) + " stands where 'CONNECTIVITY' should");
    reader_.rest_of_line();
    for (std::int64_t i = 0; i < corners; ++i) {
      check_now_and_then(progress, reader_, i);
      corners_.push_back(static_cast<int>(vertex()));
    }
  }

  void cell_types(const Progress& progress) {
    const std::int64_t count = read_count(reader_, "the number of cells", text_);
    if (count + 1 != static_cast<std::int64_t>(offsets_.size()))
      reader_.fail(reader_.end_of_line(), std::to_string(count) + " types for " + std::to_string(offsets_.size() - 1) +
                                              " cells; export the mesh again");
    for (std::int64_t c = 0; c < count; ++c) {
      check_now_and_then(progress, reader_, c);
      if (reader_.integer("a cell's type", 0, 255) != kVtkTetrahedron) {
        ++skipped_;
        continue;
      }
      cell_of_tet_.push_back(static_cast<std::size_t>(c));
      const auto begin = static_cast<std::size_t>(offsets_[c]);
      if (offsets_[c + 1] - offsets_[c] != 4)
        reader_.fail(reader_.end_of_line(), "cell " + std::to_string(c) + " is a tetrahedron without 4 corners");
      raw_.tetrahedra.push_back({corners_[begin], corners_[begin + 1], corners_[begin + 2], corners_[begin + 3]});
    }
  }

  static bool is_whole_number(std::string_view kind) {
    return kind == "int" || kind == "unsigned_int" || kind == "short" || kind == "unsigned_short" || kind == "long" ||
           kind == "unsigned_long" || kind == "vtktypeint64" || kind == "vtkIdType";
  }

  /// The first whole numbers that cells have, one each, say which part of the body they belong to.
  void scalars(const Progress& progress) {
    reader_.expect("the name of the scalars");
    const Word kind = reader_.expect("the kind of number");
    Word components;
    if (reader_.next_word(components) && components.text != "1") return;
    const Word table = reader_.expect("'LOOKUP_TABLE'");
    if (table.text != "LOOKUP_TABLE" || !is_whole_number(kind.text)) return;
    reader_.expect("the table's name");
    labels(progress);
  }

  void fields(const Progress& progress) {
    reader_.expect("the name of the fields");
    const std::int64_t fields = read_count(reader_, "the number of fields", text_);
    for (std::int64_t f = 0; f < fields && raw_.labels.empty(); ++f) {
      reader_.expect("a field's name");
      const std::int64_t components = read_count(reader_, "the number of components", text_);
      const std::int64_t cells = read_count(reader_, "the number of cells", text_);
      const Word kind = reader_.expect("the kind of number");
      if (components == 1 && cells + 1 == static_cast<std::int64_t>(offsets_.size()) && is_whole_number(kind.text)) {
        labels(progress);
      } else {
        for (std::int64_t i = 0; i < components * cells; ++i) reader_.expect("a number");
      }
    }
  }

  void labels(const Progress& progress) {
    std::vector<int> of_cell;
    for (std::size_t c = 0; c + 1 < offsets_.size(); ++c) {
      check_now_and_then(progress, reader_, static_cast<std::int64_t>(c));
      of_cell.push_back(read_label(reader_, "a cell's number"));
    }
    for (const std::size_t c : cell_of_tet_) raw_.labels.push_back(of_cell[c]);
  }

  TextReader reader_;
  std::string_view text_;
  std::vector<std::int64_t> offsets_;
  std::vector<int> corners_;
  std::vector<std::size_t> cell_of_tet_;
  std::int64_t skipped_ = 0;
  RawTets raw_;
};

}  // namespace

RawTets parse_vtk(const std::string& name, std::string_view text, const Progress& progress) {
  return Vtk(name, text).run(progress);
}

}  // namespace rebound::mesh
