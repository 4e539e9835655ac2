// Contacts on top of a matrix that can be solved already, by the Woodbury identity. A contact's spring acts along its
// normal alone, so it is one row of the 3n x 3n system:
//   (A + U N W N^T U^T)^-1 b = z - A^-1 U N lambda,   (W^-1 + N^T G N) lambda = N^T U^T z,   z = A^-1 b,
//   G = U^T A^-1 U,
// with a column of U the weights of the vertices that carry the point, the same for x, y and z, and N its normal.
//
// What is kept is the part of A^-1 between the vertices of contacts, which stay where the weights of a contact between
// two sliding bodies change: a vertex that comes costs a third of a solve, and an iteration two solves, however many
// contacts there are.
//
// A spring pushes and never pulls. With H its height where b's forces were taken, as far as x moves it, and h = N^T U^T
// d what the step d gains on it, its force changes by lambda = W (min(0, H) - min(0, H - h)). So the least of the
// quadratic model that has such springs is
//   S lambda = N^T U^T z - max(0, H)   where springs are pressed after the step, S = W^-1 + N^T G N
//   lambda = W min(0, H)               elsewhere
// and which they are is found by turns. Were all springs to pull as well, a plate that falls through a floor within one
// step would be pressed flat on it, both its faces held there, and what leaves a floor would stick to it.
//
// Where few are not pressed, the factor of S stays. They would be pressed with S lambda = gains, the right-hand side;
// so let S lambda = gains + E r, E a column of the identity for each of them. Their lambda is W min(0, H) if
//   Y^T Y r = W min(0, H) - Y^T L^-1 gains,   lambda = L^-T (L^-1 gains + Y r),   S = L L^T,   Y = L^-1 E,
// and r is their height after the step. Where many are not, S is factored between the pressed alone.
//
// An isotropic weight k_c I in the place of k_c n n^T would keep x, y and z apart, and is safe too; but where it is
// stiff, ten iterations leave a point that should slide where it was.
#pragma once

#include <functional>
#include <span>

#include "sim/base/aligned_buffer.hpp"
#include "sim/base/workers.hpp"
#include "sim/contact/contact_response.hpp"
#include "sim/model/model.hpp"

namespace rebound::sim {

/// How often the set of pressed springs may change within a solve.
inline constexpr int kMostContactTurns = 20;
/// Of the largest gain: a spring that is pressed less than this after the step is not.
inline constexpr double kBarelyPressed = 1e-6;

/// Number: in which precision the small system is solved.
template <class Number>
class ContactRows {
 public:
  /// columns(i, k) := the entry of A^-1 at row at[i] and column of[k]; at most three columns.
  using Entries =
      std::function<void(std::span<const int> of, std::span<const int> at, Eigen::Ref<Eigen::MatrixXd> columns)>;

  /// A is not what it was.
  void forget();
  /// Brings all in line with the model's contacts. False if it was. coefficient: what L has in A, s^2.
  bool update(const Model& model, double coefficient, const Entries& entries, Workers& workers);

  int rank() const { return static_cast<int>(rows_.size()); }
  /// The points, without their fixed vertices, in the order of the contacts.
  const BodyRow& row(int c) const { return rows_[static_cast<std::size_t>(c)]; }
  /// G, rank x rank, 1/kg.
  Eigen::Ref<const Eigen::MatrixXd> delassus() const { return delassus_.topLeftCorner(rank(), rank()); }
  /// As ContactResponse::add_ways.
  void add_ways(std::span<const ContactImpulse> impulses, int begin, int end, ContactWays& ways) const;

  /// The vertices between which A^-1 is known, in the order in which they came: the rounding of what is known depends
  /// on it.
  const std::vector<int>& known() const { return known_; }
  /// Vertices that are to be known, in this order, before those of contacts.
  void know(std::vector<int> vertices);

  /// N lambda, rank x 3, given z: at(v) is its row of vertex v. heights: H, m; empty: all springs push and pull, and
  /// lambda is linear in z.
  template <class At>
  const Points& weights(const At& at, std::span<const double> heights) const {
    for (Vector* numbers : {&gains_, &least_, &left_})
      if (numbers->size() < rank()) numbers->resize(rank() + rank() / 2);
    for (int c = 0; c < rank(); ++c) {
      double sum = 0;
      for (const Entry& entry : entries(c))
        sum += entry.weight * at(entry.vertex).template cast<double>().dot(normals_.row(c));
      gains_[c] = sum;
    }
    if (heights.empty() || !solve_one_sided(heights)) solve_for_lambda();
    weights_ = lambda_.head(rank()).template cast<double>().asDiagonal() * normals_;
    return weights_;
  }
  /// Calls add(vertex, row) with the parts of U weights, weights being rank x 3.
  template <class Add>
  void scatter(const Points& weights, const Add& add) const {
    for (int c = 0; c < rank(); ++c)
      for (const Entry& entry : entries(c)) add(entry.vertex, entry.weight * weights.row(c));
  }

 private:
  using Normals = Eigen::Matrix<double, Eigen::Dynamic, 3>;

  /// A part of a row.
  struct Entry {
    int vertex;
    int place;  ///< among the known
    double weight;
  };
  std::span<const Entry> entries(int c) const {
    return std::span(entries_).subspan(begin_[static_cast<std::size_t>(c)],
                                       begin_[static_cast<std::size_t>(c) + 1] - begin_[static_cast<std::size_t>(c)]);
  }
  /// Is all in line already?
  bool is_of(const Model& model, double coefficient) const;
  void list_entries();
  void meet(int vertex);
  void learn(const Entries& entries);
  /// first, same: the rows before that are what they were.
  void find_delassus(int first, Workers& workers);
  void factor(int same, Workers& workers);
  template <class Column>
  void set_system_column(int d, int from, Column&& column) const;
  void arrange_factor(int done, int order);
  /// lambda := S^-1 gains.
  void solve_for_lambda() const;
  /// False if no set of pressed springs was found.
  bool solve_one_sided(std::span<const double> heights) const;
  /// lambda, and the heights of what is not pressed, of the present sets. False if rounding is in the way.
  bool solve_sets() const;
  bool solve_with_loose() const;
  bool factor_loose() const;
  void find_reactions() const;
  /// A column of Y, of a loose row. It begins with zeros, up to that row; this is what is from `first` on.
  auto reaction_of(int row, int first) const {
    return reactions_.col(reacting_[static_cast<std::size_t>(row)]).segment(first, rank() - first);
  }
  bool solve_among_pressed() const;
  bool factor_pressed() const;
  using TriangularSolve = void (*)(const Number* tiles, const Number* diagonals, int order, Number* x);
  /// Of all rows, on lambda.
  void apply(TriangularSolve solve) const;
  /// S.
  double system_entry(int c, int d) const;

  std::vector<int> known_;  ///< vertices; those up to `learnt_` have their entries in inverse_
  std::size_t learnt_ = 0;
  std::vector<int> places_;  ///< a vertex: its place among the known, or -1
  Eigen::MatrixXd inverse_;  ///< A^-1 between the known; may be larger
  std::vector<BodyRow> rows_, rows_before_;
  std::vector<Entry> entries_;      ///< of all rows, without what these do not use
  std::vector<std::size_t> begin_;  ///< where a row's begin, and their end
  Eigen::MatrixXd delassus_;        ///< may be larger, as factor_
  Eigen::Matrix<Number, Eigen::Dynamic, Eigen::Dynamic> rounded_delassus_;  ///< the same, if Number is no double
  Vector inverse_weights_;
  Normals normals_;
  Eigen::MatrixXd factor_;                                ///< of W^-1 + N^T G N, its lower triangle
  bool altered_ = false;                                  ///< it is another matrix's, as that could not be factored
  AlignedBuffer<Number> tiles_, diagonals_;               ///< the factor as the kernel solves with it
  mutable Eigen::Vector<Number, Eigen::Dynamic> lambda_;  ///< with zeros up to the order of the factor
  mutable Vector gains_, least_, left_;                   ///< N^T U^T z, m; W min(0, H), kg m; scratch; may be longer
  mutable std::vector<std::uint8_t> pressed_, pressed_after_;           ///< a row: after the step
  mutable std::vector<int> pressed_rows_, loose_rows_, factored_rows_;  ///< loose: not pressed
  mutable Vector heights_after_;                                        ///< a row: after the step, if it is loose, m
  mutable std::vector<int> reacting_;                                   ///< a row: its column of reactions_, or -1
  mutable int reactions_known_ = 0;
  mutable Eigen::MatrixXd reactions_;        ///< Y, a column for each row that has been loose; may be larger
  mutable Eigen::MatrixXd between_loose_;    ///< the factor of Y^T Y between factored_loose_; may be larger
  mutable std::vector<int> factored_loose_;  ///< rows
  mutable Vector reaction_;                  ///< r; may be longer
  mutable Eigen::MatrixXd pressed_factor_;   ///< of S between factored_rows_, its lower triangle; may be larger
  mutable Points weights_;
};

extern template class ContactRows<float>;
extern template class ContactRows<double>;

}  // namespace rebound::sim
