// The Hessian of E as 3 x 3 blocks in a sparse matrix of a given pattern: that of L, each entry a block, and where
// contacts are between elements, what they link besides.
#pragma once

#include <Eigen/Dense>
#include <array>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "sim/base/types.hpp"
#include "sim/base/workers.hpp"

namespace rebound::sim {

struct HessianRows;

class HessianBlocks {
 public:
  /// pattern: n x n, lower triangle with the whole diagonal, such as Model::laplacian().
  explicit HessianBlocks(const SparseMatrix& pattern);
  /// The same, and knows the elements that `before` knows, whose corners must be linked here as well. What they write
  /// before it is added has the same place.
  HessianBlocks(const SparseMatrix& pattern, const HessianBlocks& before);

  /// n x n, lower triangle with the whole diagonal: an entry where a block is.
  SparseMatrix pattern() const;
  /// Whether there is a place for d2E/dx_i dx_j.
  bool has(int i, int j) const;
  void set_zero();
  /// Until the next call only blocks of these are wanted: those of other elements may be left out. Of each vertex,
  /// whether it is meant, as all corners of an element are or none; of no vertex: all are.
  void want(const std::vector<std::uint8_t>& vertices) { wanted_ = vertices; }
  bool wants(int vertex) const { return wanted_.empty() || wanted_[static_cast<std::size_t>(vertex)] != 0; }
  /// Becomes factor times itself plus the masses M, kg a vertex; vertices that are fixed keep their mass alone.
  void scale_and_add(double factor, const Vector& M, const std::vector<std::uint8_t>& fixed, Workers& workers);
  /// The same, and then D H D, D a number a vertex.
  void scale_and_add(double factor, const Vector& M, const Vector& D, const std::vector<std::uint8_t>& fixed,
                     Workers& workers);
  /// Adds d2E/dx_i dx_j; only the lower triangle is kept, so i < j is ignored and of a diagonal block the lower half is
  /// taken. The place must be in the pattern.
  void add(int i, int j, const Eigen::Matrix3d& block);

  /// Elements whose blocks are worked out and added on all workers: the same bytes whatever their number. The block of
  /// corners j >= k, column-major, is number j (j + 1) / 2 + k of an element's: ten of four corners, six of three.
  /// Numbers of an element of four corners.
  static constexpr int kElementNumbers = 90;
  /// Learns whose corners these are, once; `owner` is only a name.
  bool knows(const void* owner) const { return find(owner) != nullptr; }
  template <std::size_t kCorners>
  void learn(const void* owner, std::span<const std::array<int, kCorners>> corners) {
    std::vector<int> vertices;
    vertices.reserve(kCorners * corners.size());
    for (const auto& element : corners) vertices.insert(vertices.end(), element.begin(), element.end());
    learn(owner, vertices, static_cast<int>(kCorners));
  }
  /// Nine a block, to be written by its owner and then added.
  std::span<double> element_blocks(const void* owner) { return *find(owner)->blocks; }
  void add_element_blocks(const void* owner, Workers& workers);

  /// The block of vertex i with itself, both halves.
  Eigen::Matrix3d diagonal_block(int i) const;
  /// Vectors of 3n side by side, a multiple of kVectorsAtOnce, a row a coordinate.
  static constexpr int kVectorsAtOnce = 8;
  using Panel = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  /// out := H x, by one look at the matrix. out is as large.
  void multiply(const Eigen::Ref<const Panel>& x, Eigen::Ref<Panel> out, Workers& workers) const;
  /// out := H x, n x 3.
  void multiply(const Points& x, Points& out, Workers& workers) const;
  /// As its kernels take it; it stands until the next change of the pattern.
  HessianRows rows() const;

  /// 3n x 3n, lower triangle; coordinate c of vertex i is row 3 i + c.
  SparseMatrix& matrix() { return matrix_; }
  const SparseMatrix& matrix() const { return matrix_; }

 private:
  struct Elements {
    const void* owner;
    int first_column, end_column;  ///< theirs; of many bodies each has only its own
    std::vector<int> begin;        ///< of each entry of these columns, and the end of the last
    /// Twice the number of a block, and 1 where it is to be transposed.
    std::shared_ptr<const std::vector<int>> sources;
    std::shared_ptr<std::vector<double>> blocks;
  };
  const Elements* find(const void* owner) const;
  Elements* find(const void* owner) { return const_cast<Elements*>(std::as_const(*this).find(owner)); }
  void learn(const void* owner, std::span<const int> vertices, int corners);
  int entry(int i, int j) const;
  void add_to_entry(int entry, int j, const Eigen::Matrix3d& block);
  /// Each block times factor_of(its row's vertex, its column's), and of each diagonal entry plus added(vertex).
  template <class Factor, class Added>
  void scale_blocks(const Factor& factor_of, const Added& added, Workers& workers);

  std::vector<int> begin_, rows_;  ///< the pattern by columns
  /// The entries left of the diagonal by rows: where each row begins, and the column and number of each entry.
  std::vector<int> row_begin_, left_column_, left_entry_;
  SparseMatrix matrix_;
  std::vector<Elements> elements_;
  std::vector<std::uint8_t> wanted_;
};

}  // namespace rebound::sim
