#include "sim/contact/contact_rows.hpp"

#include <algorithm>

#include "sim/base/fresh_zeros.hpp"
#include "sim/linear/dense_kernel.hpp"

namespace rebound::sim {
namespace {

// Rows for each that is not pressed, at least: with fewer, a factor of the pressed is the smaller.
constexpr std::size_t kFewLoose = 4;
// Of rows, that are solved for at once.
constexpr int kRowsAtOnce = 64;
// Vertices that are kept for contacts that come back, at least.
constexpr std::size_t kFewestKept = 64;
// What is known between so many takes 128 MB. Beyond that, twice as many are kept as contacts have now.
constexpr std::size_t kManyKept = 4000;

std::size_t distinct_vertices(const std::vector<BodyRow>& rows) {
  std::vector<int> vertices;
  for (const BodyRow& row : rows)
    vertices.insert(vertices.end(), row.vertices.begin(), row.vertices.begin() + row.count);
  std::sort(vertices.begin(), vertices.end());
  return static_cast<std::size_t>(std::unique(vertices.begin(), vertices.end()) - vertices.begin());
}

int up_to_panels(int rows) { return (rows + kDensePanel - 1) / kDensePanel * kDensePanel; }
int up_to_tiles(int rows) { return (rows + kDenseTile - 1) / kDenseTile * kDenseTile; }

/// x := L^-1 x, and L^-T x.
template <class Solve>
struct TriangularSolves {
  Solve lower, upper;
};

template <class Number>
auto triangular_solves() {
  const DenseKernel& kernel = dense_kernel();
  if constexpr (std::is_same_v<Number, float>)
    return TriangularSolves<decltype(kernel.lower_single)>{kernel.lower_single, kernel.upper_single};
  else
    return TriangularSolves<decltype(kernel.lower_double)>{kernel.lower_double, kernel.upper_double};
}

template <class Number>
auto add_columns() {
  if constexpr (std::is_same_v<Number, float>)
    return dense_kernel().add_columns_single;
  else
    return dense_kernel().add_columns_double;
}

}  // namespace

template <class Number>
void ContactRows<Number>::forget() {
  for (const int v : known_) places_[static_cast<std::size_t>(v)] = -1;
  known_.clear();
  learnt_ = 0;
  rows_.clear();
  normals_.resize(0, 3);
  inverse_weights_.resize(0);
}

template <class Number>
void ContactRows<Number>::know(std::vector<int> vertices) {
  if (vertices == known_) return;
  forget();
  for (const int v : vertices) meet(v);
}

// A vertex that may not be known yet.
template <class Number>
void ContactRows<Number>::meet(int vertex) {
  const auto v = static_cast<std::size_t>(vertex);
  if (v >= places_.size()) places_.resize(v + 1, -1);
  if (places_[v] >= 0) return;
  places_[v] = static_cast<int>(known_.size());
  known_.push_back(vertex);
}

template <class Number>
bool ContactRows<Number>::is_of(const Model& model, double coefficient) const {
  const auto& contacts = model.contacts.items;
  if (contacts.size() != rows_.size()) return false;
  for (int c = 0; c < rank(); ++c) {
    const Contact& contact = contacts[static_cast<std::size_t>(c)];
    if (normals_.row(c) != contact.n.transpose() || inverse_weights_[c] != 1 / (coefficient * contact.stiffness) ||
        !(without_fixed(contact.point, model.fixed) == row(c)))
      return false;
  }
  return true;
}

template <class Number>
bool ContactRows<Number>::update(const Model& model, double coefficient, const Entries& entries, Workers& workers) {
  // A step asks again for its friction.
  if (is_of(model, coefficient)) return false;
  const auto& contacts = model.contacts.items;
  std::swap(rows_, rows_before_);
  rows_.clear();
  std::size_t wanted = 0;
  for (const Contact& contact : contacts) {
    const BodyRow& row = rows_.emplace_back(without_fixed(contact.point, model.fixed));
    wanted += static_cast<std::size_t>(row.count);
  }
  const auto meet_all = [&] {
    for (const BodyRow& row : rows_)
      for (int j = 0; j < row.count; ++j) meet(row.vertices[j]);
  };
  const std::size_t known_before = known_.size();
  meet_all();
  const bool too_many =
      known_.size() > std::max(kFewestKept, 2 * wanted) ||
      (known_.size() > std::max(kManyKept, known_before) && known_.size() > 2 * distinct_vertices(rows_));
  if (too_many) {
    std::vector<BodyRow> rows = std::move(rows_);
    forget();
    rows_before_.clear();
    rows_ = std::move(rows);
    meet_all();
  }
  learn(entries);
  list_entries();

  // A row's place among the known is its vertices'.
  int same_rows = 0;
  const int most = static_cast<int>(std::min(rows_.size(), rows_before_.size()));
  while (same_rows < most && row(same_rows) == rows_before_[static_cast<std::size_t>(same_rows)]) ++same_rows;
  int same = 0;
  Normals normals(rank(), 3);
  Vector inverse_weights(rank());
  for (int c = 0; c < rank(); ++c) {
    const Contact& contact = contacts[static_cast<std::size_t>(c)];
    normals.row(c) = contact.n.transpose();
    inverse_weights[c] = 1 / (coefficient * contact.stiffness);
    if (same == c && c < same_rows && normals.row(c) == normals_.row(c) && inverse_weights[c] == inverse_weights_[c])
      ++same;
  }
  normals_ = std::move(normals);
  inverse_weights_ = std::move(inverse_weights);
  factored_rows_.clear();
  factored_loose_.clear();
  reacting_.clear();
  reactions_known_ = 0;
  find_delassus(same_rows, workers);
  factor(same, workers);
  return true;
}

template <class Number>
void ContactRows<Number>::list_entries() {
  entries_.clear();
  begin_.assign(1, 0);
  for (const BodyRow& row : rows_) {
    for (int j = 0; j < row.count; ++j)
      entries_.push_back({row.vertices[j], places_[static_cast<std::size_t>(row.vertices[j])], row.weights[j]});
    begin_.push_back(entries_.size());
  }
}

template <class Number>
void ContactRows<Number>::learn(const Entries& entries) {
  const auto size = static_cast<Eigen::Index>(known_.size());
  if (inverse_.rows() < size) inverse_.conservativeResize(size + size / 2, size + size / 2);
  Eigen::MatrixXd columns(size, 3);
  while (learnt_ < known_.size()) {
    const auto first = static_cast<Eigen::Index>(learnt_), count = std::min<Eigen::Index>(3, size - first);
    // Those that come later have no entries yet, and will bring their own.
    const Eigen::Index rows = first + count;
    entries(std::span(known_).subspan(learnt_, static_cast<std::size_t>(count)),
            std::span(known_).first(static_cast<std::size_t>(rows)), columns.topLeftCorner(rows, count));
    // An entry is read from the column of the later of its two vertices.
    for (Eigen::Index k = 0; k < count; ++k)
      for (Eigen::Index i = 0; i <= first + k; ++i) inverse_(i, first + k) = inverse_(first + k, i) = columns(i, k);
    learnt_ += static_cast<std::size_t>(count);
  }
}

template <class Number>
void ContactRows<Number>::find_delassus(int first, Workers& workers) {
  const int k = rank();
  constexpr bool kIsRounded = !std::is_same_v<Number, double>;
  if (delassus_.rows() < k) {
    delassus_.conservativeResize(k + k / 2, k + k / 2);
    if constexpr (kIsRounded) rounded_delassus_.conservativeResize(k + k / 2, k + k / 2);
  }
  // Rows and columns are written a few at a time: an entry at the end of each of many columns would cost a cache line.
  workers.run(up_to_panels(k - first) / kDensePanel, [&](int task) {
    const int from = first + task * kDensePanel, count = std::min(kDensePanel, k - from);
    Eigen::Matrix<double, kDensePanel, Eigen::Dynamic> strip(kDensePanel, from + count);
    Vector combined;
    for (int c = from; c < from + count; ++c) {
      const std::span<const Entry> U = entries(c);
      // A^-1 U^T, between the known.
      const double* column;
      if (U.size() == 1 && U[0].weight == 1) {
        column = inverse_.col(U[0].place).data();
      } else {
        fresh_zeros(combined, static_cast<Eigen::Index>(known_.size()));
        for (const Entry& entry : U) combined += entry.weight * inverse_.col(entry.place).head(combined.size());
        column = combined.data();
      }
      for (int d = 0; d < from + count; ++d) {
        double sum = 0;
        for (const Entry& entry : entries(d)) sum += entry.weight * column[entry.place];
        strip(c - from, d) = sum;
      }
    }
    const auto filled = strip.topRows(count);
    const auto fill = [&](auto& matrix, const auto& with) {
      matrix.block(from, 0, count, from + count) = with;
      matrix.block(0, from, from, count) = with.leftCols(from).transpose();
    };
    fill(delassus_, filled);
    if constexpr (kIsRounded) fill(rounded_delassus_, filled.template cast<Number>());
  });
}

template <class Number>
void ContactRows<Number>::add_ways(std::span<const ContactImpulse> impulses, int begin, int end,
                                   ContactWays& ways) const {
  static_assert(ContactResponse::kMostImpulses <= kDensePanel);
  const auto column = [&](std::size_t k) {
    if constexpr (std::is_same_v<Number, double>)
      return delassus_.col(impulses[k].contact).data();
    else
      return rounded_delassus_.col(impulses[k].contact).data();
  };
  if (impulses.empty()) return;
  // Those that are not there are the first, times nothing.
  std::array<const Number*, kDensePanel> columns;
  columns.fill(column(0));
  std::array<double, 3 * kDensePanel> factors{};
  for (std::size_t k = 0; k < impulses.size(); ++k) {
    columns[k] = column(k);
    Eigen::Map<Vec3>(factors.data() + 3 * k) = impulses[k].impulse;
  }
  add_columns<Number>()(columns.data(), factors.data(), begin, end, ways.outerStride(), ways.data());
}

// A row of the factor depends on the rows before it alone.
template <class Number>
void ContactRows<Number>::factor(int same, Workers& workers) {
  const int k = rank(), order = up_to_panels(k);
  if (factor_.cols() < order) {
    const int room = up_to_tiles(order + order / 2);
    tiles_ = AlignedBuffer<Number>(static_cast<std::size_t>(row_of_tiles(room / kDenseTile)));
    diagonals_ = AlignedBuffer<Number>(2 * kDenseTile * static_cast<std::size_t>(room));
    fresh_zeros(factor_, room, room);
    same = 0;
  }
  if (altered_) same = 0;
  const int kept = same / kDensePanel * kDensePanel;
  int done = kept;
  altered_ = false;
  const DenseKernel& kernel = dense_kernel();
  // Rounding may leave rows that are all but the same on the wrong side of zero.
  double more = 0;
  do {
    workers.run((order - done) / kDensePanel, [&](int panel) {
      const int begin = done + panel * kDensePanel, end = begin + kDensePanel;
      for (int d = begin; d < end; ++d) {
        auto column = factor_.col(d).segment(d, order - d);
        if (d < k) set_system_column(d, d, column.head(k - d));
        column.tail(order - std::max(d, k)).setZero();
        if (d >= k) column[0] = 1;
        column[0] *= 1 + more;
      }
      if (done == 0) return;
      Eigen::Matrix<double, kDensePanel, Eigen::Dynamic> rows(kDensePanel, done);
      rows.bottomRows(end - std::min(end, k)).setZero();
      for (int d = begin; d < std::min(end, k); ++d) set_system_column(d, 0, rows.row(d - begin).transpose());
      kernel.reduce(factor_.data(), factor_.outerStride(), done, begin, rows.data());
    });
    if (kernel.factor(factor_.data(), order, factor_.outerStride(), done)) break;
    altered_ = true;
    done = 0;
    more = more > 0 ? 10 * more : 1e-7;
  } while (more < 1);
  arrange_factor(altered_ ? 0 : kept, order);
}

template <class Number>
void ContactRows<Number>::arrange_factor(int done, int order) {
  using Tile = Eigen::Matrix<double, kDenseTile, kDenseTile>;
  const auto put = [](const Tile& numbers, Number* tile) {
    Eigen::Map<Eigen::Matrix<Number, kDenseTile, kDenseTile>>(tile, kDenseTile, kDenseTile) =
        numbers.template cast<Number>();
  };
  for (int first = done / kDenseTile * kDenseTile; first < order; first += kDenseTile) {
    const int row = first / kDenseTile, rows = std::min(kDenseTile, order - first);
    Number* tile = tiles_.data() + row_of_tiles(row);
    Tile L = Tile::Zero();
    for (int before = 0; before < first; before += kDenseTile, tile += kTileEntries) {
      L.topRows(rows) = factor_.block(first, before, rows, kDenseTile);
      put(L, tile);
    }
    L.setIdentity();
    L.topLeftCorner(rows, rows) = factor_.block(first, first, rows, rows);
    const Tile inverse = L.template triangularView<Eigen::Lower>().solve(Tile::Identity());
    Number* diagonal = diagonals_.data() + 2 * kTileEntries * row;
    put(inverse, diagonal);
    put(inverse.transpose(), diagonal + kTileEntries);
  }
  fresh_zeros(lambda_, up_to_tiles(order));
}

// W^-1 + N^T G N, from that row on.
template <class Number>
template <class Column>
void ContactRows<Number>::set_system_column(int d, int from, Column&& column) const {
  const auto normals = normals_.middleRows(from, column.size());
  column =
      delassus_.col(d).segment(from, column.size()).array() *
      (normals_(d, 0) * normals.col(0) + normals_(d, 1) * normals.col(1) + normals_(d, 2) * normals.col(2)).array();
  if (d < from + column.size()) column[d - from] += inverse_weights_[d];
}

template <class Number>
void ContactRows<Number>::apply(TriangularSolve solve) const {
  solve(tiles_.data(), diagonals_.data(), up_to_tiles(rank()), lambda_.data());
}

template <class Number>
void ContactRows<Number>::solve_for_lambda() const {
  lambda_.head(rank()) = gains_.head(rank()).template cast<Number>();
  lambda_.tail(lambda_.size() - rank()).setZero();
  apply(triangular_solves<Number>().lower);
  apply(triangular_solves<Number>().upper);
}

template <class Number>
bool ContactRows<Number>::solve_one_sided(std::span<const double> heights) const {
  const int k = rank();
  pressed_.resize(static_cast<std::size_t>(k));
  double largest = 0;
  for (int c = 0; c < k; ++c) {
    const double H = heights[static_cast<std::size_t>(c)];
    least_[c] = std::min(0.0, H) / inverse_weights_[c];
    gains_[c] -= std::max(0.0, H);
    pressed_[static_cast<std::size_t>(c)] = H < 0;
    largest = std::max(largest, std::abs(gains_[c]));
  }
  const auto is_pressed = [&](int c) {
    if (pressed_[static_cast<std::size_t>(c)]) return lambda_[c] > least_[c];
    return heights_after_[c] < -kBarelyPressed * largest;
  };
  std::vector<std::uint8_t>& after = pressed_after_;
  after.resize(pressed_.size());
  for (int turn = 0; turn < kMostContactTurns; ++turn) {
    if (!solve_sets()) break;
    for (int c = 0; c < k; ++c) after[static_cast<std::size_t>(c)] = is_pressed(c);
    if (after == pressed_) return true;
    std::swap(after, pressed_);
  }
  for (int c = 0; c < k; ++c) gains_[c] += std::max(0.0, heights[static_cast<std::size_t>(c)]);
  return false;
}

template <class Number>
bool ContactRows<Number>::solve_sets() const {
  pressed_rows_.clear();
  loose_rows_.clear();
  for (int c = 0; c < rank(); ++c) (pressed_[static_cast<std::size_t>(c)] ? pressed_rows_ : loose_rows_).push_back(c);
  if (heights_after_.size() < rank()) fresh_zeros(heights_after_, rank() + rank() / 2);
  if (loose_rows_.empty()) {
    solve_for_lambda();
    return true;
  }
  const bool few = loose_rows_.size() * kFewLoose <= static_cast<std::size_t>(rank());
  return few ? solve_with_loose() : solve_among_pressed();
}

template <class Number>
bool ContactRows<Number>::solve_with_loose() const {
  find_reactions();
  const auto count = static_cast<Eigen::Index>(loose_rows_.size());
  lambda_.head(rank()) = gains_.head(rank()).template cast<Number>();
  lambda_.tail(lambda_.size() - rank()).setZero();
  apply(triangular_solves<Number>().lower);
  if (factored_loose_ != loose_rows_ && !factor_loose()) return false;
  auto r = reaction_.head(count);
  auto y = left_.head(rank());
  y = lambda_.head(rank()).template cast<double>();
  for (Eigen::Index i = 0; i < count; ++i) {
    const int c = loose_rows_[static_cast<std::size_t>(i)];
    r[i] = least_[c] - reaction_of(c, c).dot(y.tail(rank() - c));
  }
  const auto L = between_loose_.topLeftCorner(count, count).template triangularView<Eigen::Lower>();
  L.solveInPlace(r);
  L.transpose().solveInPlace(r);
  for (Eigen::Index i = 0; i < count; ++i) {
    const int c = loose_rows_[static_cast<std::size_t>(i)];
    heights_after_[c] = r[i];
    y.tail(rank() - c) += r[i] * reaction_of(c, c);
  }
  lambda_.head(rank()) = y.template cast<Number>();
  apply(triangular_solves<Number>().upper);
  for (const int c : loose_rows_) lambda_[c] = static_cast<Number>(least_[c]);
  return true;
}

// Of Y^T Y, for the present loose rows. False if rounding is in the way.
template <class Number>
bool ContactRows<Number>::factor_loose() const {
  const auto count = static_cast<Eigen::Index>(loose_rows_.size());
  factored_loose_.clear();
  if (between_loose_.rows() < count) {
    fresh_zeros(between_loose_, 2 * count, 2 * count);
    fresh_zeros(reaction_, 2 * count);
  }
  auto YY = between_loose_.topLeftCorner(count, count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const int c = loose_rows_[static_cast<std::size_t>(i)];
    for (Eigen::Index j = 0; j <= i; ++j)
      YY(i, j) = reaction_of(c, c).dot(reaction_of(loose_rows_[static_cast<std::size_t>(j)], c));
  }
  Eigen::Ref<Eigen::MatrixXd> matrix = YY;
  const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> factor(matrix);
  if (factor.info() != Eigen::Success) return false;
  factored_loose_ = loose_rows_;
  return true;
}

// Y, of rows that were not loose before.
template <class Number>
void ContactRows<Number>::find_reactions() const {
  const int k = rank();
  reacting_.resize(static_cast<std::size_t>(k), -1);
  const int before = reactions_known_;
  for (const int c : loose_rows_)
    if (int& place = reacting_[static_cast<std::size_t>(c)]; place < 0) place = reactions_known_++;
  if (reactions_known_ == before) return;
  if (reactions_.rows() < k || reactions_.cols() < reactions_known_)
    reactions_.conservativeResize(std::max<Eigen::Index>(reactions_.rows(), k + k / 2),
                                  reactions_known_ + reactions_known_ / 2);
  // Places ascend with rows, and a column begins with zeros: those that begin near each other are solved for at once.
  std::vector<int> fresh;
  for (const int c : loose_rows_)
    if (reacting_[static_cast<std::size_t>(c)] >= before) fresh.push_back(c);
  for (std::size_t i = 0; i < fresh.size();) {
    const int first = fresh[i];
    std::size_t end = i;
    while (end < fresh.size() && fresh[end] < first + kRowsAtOnce) ++end;
    auto columns = reactions_.block(first, before + static_cast<int>(i), k - first, static_cast<int>(end - i));
    columns.setZero();
    for (std::size_t j = i; j < end; ++j) columns(fresh[j] - first, static_cast<Eigen::Index>(j - i)) = 1;
    factor_.block(first, first, k - first, k - first).template triangularView<Eigen::Lower>().solveInPlace(columns);
    i = end;
  }
}

template <class Number>
bool ContactRows<Number>::solve_among_pressed() const {
  const auto count = static_cast<Eigen::Index>(pressed_rows_.size());
  if (count > 0 && factored_rows_ != pressed_rows_ && !factor_pressed()) return false;
  for (Eigen::Index i = 0; i < count; ++i) left_[i] = gains_[pressed_rows_[static_cast<std::size_t>(i)]];
  for (const int d : loose_rows_) {
    lambda_[d] = static_cast<Number>(least_[d]);
    if (least_[d] == 0) continue;
    for (Eigen::Index i = 0; i < count; ++i)
      left_[i] -= system_entry(pressed_rows_[static_cast<std::size_t>(i)], d) * least_[d];
  }
  if (count > 0) {
    const auto L = pressed_factor_.topLeftCorner(count, count).template triangularView<Eigen::Lower>();
    auto left = left_.head(count);
    L.solveInPlace(left);
    L.transpose().solveInPlace(left);
  }
  for (Eigen::Index i = 0; i < count; ++i)
    lambda_[pressed_rows_[static_cast<std::size_t>(i)]] = static_cast<Number>(left_[i]);
  for (const int c : loose_rows_) heights_after_[c] = -gains_[c];
  for (int d = 0; d < rank(); ++d)
    if (lambda_[d] != 0)
      for (const int c : loose_rows_) heights_after_[c] += system_entry(c, d) * lambda_[d];
  return true;
}

template <class Number>
bool ContactRows<Number>::factor_pressed() const {
  const int count = static_cast<int>(pressed_rows_.size()), order = up_to_panels(count);
  if (pressed_factor_.cols() < order) fresh_zeros(pressed_factor_, order + order / 2, order + order / 2);
  for (int d = 0; d < order; ++d) {
    for (int c = d; c < order; ++c)
      pressed_factor_(c, d) = c < count ? system_entry(pressed_rows_[static_cast<std::size_t>(c)],
                                                       pressed_rows_[static_cast<std::size_t>(d)])
                                        : 0;
    if (d >= count) pressed_factor_(d, d) = 1;
  }
  if (!dense_kernel().factor(pressed_factor_.data(), order, pressed_factor_.outerStride(), 0)) {
    factored_rows_.clear();
    return false;
  }
  factored_rows_ = pressed_rows_;
  return true;
}

template <class Number>
double ContactRows<Number>::system_entry(int c, int d) const {
  return delassus_(c, d) * normals_.row(c).dot(normals_.row(d)) + (c == d ? inverse_weights_[c] : 0);
}

template class ContactRows<float>;
template class ContactRows<double>;

}  // namespace rebound::sim
