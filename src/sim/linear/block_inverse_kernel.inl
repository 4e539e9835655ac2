// Included once by each of block_inverse_kernel_{baseline,avx2,avx512}.cpp, with REBOUND_INVERSE_KERNEL and its name
// defined. Of libraries it includes intrinsics alone: an inline function compiled here for a wide instruction set could
// otherwise be the copy that the linker keeps for the whole program.
//
// Rows are lanes, in both directions: forward a column's entries are multiplied by one b and added to the sums of a
// panel of rows, backward they are multiplied by the panel's x and added to the sums of the column, whose lanes are
// then added up. The order of every sum is the same for all widths.

#include "sim/linear/block_inverse_kernel.hpp"
#include "sim/linear/block_inverse_lanes.inl"

namespace rebound::sim {
namespace {

constexpr int kParts = kPanel / kLaneCount;                                              // vectors a panel
constexpr int kPartQuads = kLaneCount / kQuad;                                           // quads a vector
constexpr int kColumns = kTile / (kParts * kParts) > 0 ? kTile / (kParts * kParts) : 1;  // as registers allow
constexpr int kPanelSums = 3 * kPanel;  // floats: x, y and z of a panel's rows
constexpr long kAhead = 4096;           // bytes: the latency of memory at the rate of these loops

#define REBOUND_INLINE inline __attribute__((always_inline))
#define REBOUND_LAMBDA __attribute__((always_inline))

constexpr int smaller(int a, int b) { return a < b ? a : b; }

struct Xyz {
  Lanes v[3];
};

// f.operator()<0>() ... <N - 1>(), so that arrays indexed by the argument can live in registers: the compiler unrolls
// loops too late for that.
template <int N, class F>
REBOUND_INLINE void unroll(const F& f) {
  if constexpr (N > 0) {
    unroll<N - 1>(f);
    f.template operator()<N - 1>();
  }
}

// Calls f.operator()<columns>() for 1 <= columns <= Most.
template <int Most = kColumns, class F>
REBOUND_INLINE void with_columns(int columns, const F& f) {
  if constexpr (Most > 1) {
    if (columns < Most) return with_columns<Most - 1>(columns, f);
  }
  f.template operator()<Most>();
}

// ---- forward

// The b of C columns. Where a panel takes one register there are enough of them to hold all of b; elsewhere it is read
// anew for every panel, and the sums stay in registers for a whole tile instead.
template <int C>
struct Factors {
  explicit REBOUND_INLINE Factors(const float* b) : b_(b) {
    if constexpr (kParts == 1)
      unroll<C>([&]<int c>() REBOUND_LAMBDA {
        unroll<3>([&]<int k>() REBOUND_LAMBDA { held_[c].v[k] = splat(b[kQuad * c + k]); });
      });
  }
  template <int c, int k>
  REBOUND_INLINE Lanes at() const {
    if constexpr (kParts == 1) return held_[c].v[k];
    return splat(b_[kQuad * c + k]);
  }

 private:
  const float* b_;
  Xyz held_[kParts == 1 ? C : 1];
};

// sums[panel] += or, with kBegin, = the C columns of a tile times their b.
template <int C, bool kBegin, class Entry>
REBOUND_INLINE void multiply_panel(const Entry* column, long height, const Factors<C>& factor, float* sums) {
  Xyz sum[kParts];
  unroll<kParts>([&]<int part>() REBOUND_LAMBDA {
    unroll<3>([&]<int k>()
                  REBOUND_LAMBDA { sum[part].v[k] = kBegin ? zero() : load(sums + k * kPanel + part * kLaneCount); });
  });
  prefetch(column, C * kPanel * static_cast<long>(sizeof(Entry)), kAhead);
  unroll<C>([&]<int c>() REBOUND_LAMBDA {
    Lanes h[kParts];
    unroll<kParts>([&]<int part>() REBOUND_LAMBDA { h[part] = load(column + c * height + part * kLaneCount); });
    unroll<3>([&]<int k>() REBOUND_LAMBDA {
      const Lanes b = factor.template at<c, k>();
      unroll<kParts>([&]<int part>() REBOUND_LAMBDA { sum[part].v[k] = multiply_add(h[part], b, sum[part].v[k]); });
    });
  });
  unroll<kParts>([&]<int part>() REBOUND_LAMBDA {
    unroll<3>([&]<int k>() REBOUND_LAMBDA { store(sums + k * kPanel + part * kLaneCount, sum[part].v[k]); });
  });
}

template <int C, bool kBegin, class Entry>
void multiply_columns(const Entry* column, int quads, const float* b, float* sums) {
  const Factors<C> factor(b);
  for (; quads >= kPanelQuads; quads -= kPanelQuads) {
    multiply_panel<C, kBegin>(column, kPanel, factor, sums);
    column += C * kPanel;
    sums += kPanelSums;
  }
  if (quads > 0) multiply_panel<C, kBegin>(column, kQuad * quads, factor, sums);
}

// sums = block times b, a component a vector.
template <class Entry>
REBOUND_INLINE void multiply_block(const Entry* matrix, const InverseBlock& block, const float* b, float* sums) {
  const int quads = block.quads();
  for (int tile = 0; tile < block.columns; tile += kTile) {
    const int columns = smaller(kTile, block.columns - tile);
    const float* from = b + kQuad * tile;
    with_columns<kTile>(columns, [&]<int C>() REBOUND_LAMBDA {
      const auto multiply = tile == 0 ? multiply_columns<C, true, Entry> : multiply_columns<C, false, Entry>;
      multiply(matrix, quads, from, sums);
    });
    matrix += static_cast<long>(columns) * quads * kQuad;
  }
}

REBOUND_INLINE void add_slot(float* slot, Quad a) { store_quad(slot, load_quad(slot) + a); }

// The sums of a panel, turned from a component a vector to a slot a row.
REBOUND_INLINE void turn(const float* sums, float* turned) {
  for (int part = 0; part < kParts; ++part) {
    Lanes xyz[3], row[kQuad];
    for (int k = 0; k < 3; ++k) xyz[k] = load(sums + k * kPanel + part * kLaneCount);
    transpose_out(xyz, row);
    for (int k = 0; k < kQuad; ++k) store(turned + (part * kQuad + k) * kLaneCount, row[k]);
  }
}
// Where row k of a quad lies among turned panels.
constexpr int turned_row(int quad, int k) {
  return (quad / kPartQuads * kQuad + k) * kLaneCount + quad % kPartQuads * kQuad;
}

REBOUND_INLINE void add_quad(float* x, const int* slots, const float* turned, int quad) {
  for (int k = 0; k < kQuad; ++k)
    add_slot(x + kQuad * static_cast<long>(slots[k]), load_quad(turned + turned_row(quad, k)));
}

// Adds the sums to the rows that the block couples to, and puts those of its own rows in their place.
REBOUND_INLINE void scatter(const InverseBlock& block, const int* rows, float* x, float* sums) {
  const int* slots = rows + block.row_begin;
  float* turned = sums + (block.quads() + kPanelQuads - 1) / kPanelQuads * kPanelSums;
  int coupling = block.coupling_quads;
  for (; coupling >= kPanelQuads; coupling -= kPanelQuads) {
    turn(sums, turned);
    for (int quad = 0; quad < kPanelQuads; ++quad) add_quad(x, slots + kQuad * quad, turned, quad);
    slots += kPanel;
    sums += kPanelSums;
  }
  // From here on panels hold both kinds of rows.
  for (int quad = 0; quad < coupling + block.own_quads(); quad += kPanelQuads) {
    turn(sums, turned + kPanel / kPanelQuads * kQuad * quad);
    sums += kPanelSums;
  }
  int quad = 0;
  for (; quad < coupling; ++quad) add_quad(x, slots + kQuad * quad, turned, quad);
  float* own = x + kQuad * static_cast<long>(block.first);
  const Quad scale = splat_quad(block.scale);
  int left = block.own_rows;
  for (; left >= kQuad; left -= kQuad) {
    for (int k = 0; k < kQuad; ++k) store_quad(own + kQuad * k, load_quad(turned + turned_row(quad, k)) * scale);
    own += kQuad * kQuad;
    ++quad;
  }
  for (int k = 0; k < left; ++k) store_quad(own + kQuad * k, load_quad(turned + turned_row(quad, k)) * scale);
}

template <class Entry>
void forward(const InverseBlocks& part, float* x) {
  const Entry* matrix = static_cast<const Entry*>(part.matrix);
  for (int i = 0; i < part.count; ++i) {
    const InverseBlock& block = part.blocks[i];
    const float* own = x + kQuad * static_cast<long>(block.first);
    if (block.coupling_quads > 0) {
      multiply_block(matrix + block.matrix, block, own, part.sums);
    } else {
      multiply_block(part.roots + block.matrix, block, own, part.sums);
    }
    scatter(block, part.rows, x, part.sums);
  }
}

void apply(const InverseBlocks& part, const InverseBlock& root, const float* b, float* x) {
  multiply_block(part.roots + root.matrix, root, b, part.sums);
  scatter(root, part.rows, x, part.sums);
}

// ---- backward

// A panel's x, turned from a slot a quad to a component a vector; zero from `quads` on.
REBOUND_INLINE void gather_panel(const int* slots, int quads, const float* x, float* panel) {
  const auto at = [&](int i) REBOUND_LAMBDA { return x + kQuad * static_cast<long>(slots[i]); };
  unroll<kParts>([&]<int part>() REBOUND_LAMBDA {
    Lanes row[kQuad], xyz[3];
    const int first = part * kLaneCount, left = quads - part * kPartQuads;
    unroll<kQuad>([&]<int k>() REBOUND_LAMBDA { row[k] = left > 0 ? first_quarter(at(first + k)) : zero(); });
    unroll<kPartQuads - 1>([&]<int q>() REBOUND_LAMBDA {
      if (left > q + 1)
        unroll<kQuad>([&]<int k>()
                          REBOUND_LAMBDA { row[k] = with_quarter<q + 1>(row[k], at(first + kQuad * (q + 1) + k)); });
    });
    transpose_in(row, xyz);
    unroll<3>([&]<int k>() REBOUND_LAMBDA { store(panel + k * kPanel + part * kLaneCount, xyz[k]); });
  });
}

REBOUND_INLINE void gather(const InverseBlock& block, const int* rows, const float* x, float* panels) {
  const int* slots = rows + block.row_begin;
  int quads = block.coupling_quads;
  for (; quads >= kPanelQuads; quads -= kPanelQuads) {
    gather_panel(slots, kPanelQuads, x, panels);
    slots += kPanel;
    panels += kPanelSums;
  }
  if (quads > 0) gather_panel(slots, quads, x, panels);
}

// sum[c] += columns [first, first + C) of a tile times a panel of x, lane by lane.
template <int C, class Entry>
REBOUND_INLINE void dot_panel(const Entry* column, long height, const float* panel, Lanes (*sum)[kParts][3]) {
  prefetch(column, C * kPanel * static_cast<long>(sizeof(Entry)), -kAhead);
  unroll<kParts>([&]<int part>() REBOUND_LAMBDA {
    Lanes x[3];
    unroll<3>([&]<int k>() REBOUND_LAMBDA { x[k] = load(panel + k * kPanel + part * kLaneCount); });
    unroll<C>([&]<int c>() REBOUND_LAMBDA {
      const Lanes h = load(column + c * height + part * kLaneCount);
      unroll<3>([&]<int k>() REBOUND_LAMBDA { sum[c][part][k] = multiply_add(h, x[k], sum[c][part][k]); });
    });
  });
}

// Downwards, as the blocks are visited: then the whole pass is one stream, and what it reads next lies just below.
template <int C, class Entry>
void dot_columns(const Entry* tile, long tile_columns, long first, const InverseBlock& block, const float* panels,
                 float* own) {
  Lanes sum[C][kParts][3];
  unroll<C>([&]<int c>() REBOUND_LAMBDA {
    unroll<kParts>([&]<int part>()
                       REBOUND_LAMBDA { unroll<3>([&]<int k>() REBOUND_LAMBDA { sum[c][part][k] = zero(); }); });
  });
  const int full = block.coupling_quads / kPanelQuads;
  const Entry* panel = tile + full * kPanel * tile_columns;
  panels += full * static_cast<long>(kPanelSums);
  if (block.coupling_quads > full * kPanelQuads) {
    const long height = kQuad * smaller(kPanelQuads, block.quads() - full * kPanelQuads);
    dot_panel<C>(panel + first * height, height, panels, sum);
  }
  for (int i = 0; i < full; ++i) {
    panel -= tile_columns * kPanel;
    panels -= kPanelSums;
    dot_panel<C>(panel + first * kPanel, kPanel, panels, sum);
  }
  Lanes total[C * kParts];
  unroll<C>([&]<int c>() REBOUND_LAMBDA {
    unroll<kParts>([&]<int part>() REBOUND_LAMBDA { total[c * kParts + part] = add_within_quarters(sum[c][part]); });
  });
  add_columns<C, kParts>(total, own);
}

template <class Entry>
void backward(const InverseBlocks& part, float* x) {
  for (int i = part.count - 1; i >= 0; --i) {
    const InverseBlock& block = part.blocks[i];
    if (block.coupling_quads == 0) continue;
    gather(block, part.rows, x, part.sums);
    float* own = x + kQuad * static_cast<long>(block.first);
    const Entry* matrix = static_cast<const Entry*>(part.matrix) + block.matrix;
    for (int tile = (block.columns - 1) / kTile * kTile; tile >= 0; tile -= kTile) {
      const int tile_columns = smaller(kTile, block.columns - tile);
      const Entry* entries = matrix + static_cast<long>(tile) * block.quads() * kQuad;
      for (int first = (tile_columns - 1) / kColumns * kColumns; first >= 0; first -= kColumns)
        with_columns(smaller(kColumns, tile_columns - first), [&]<int C>() REBOUND_LAMBDA {
          dot_columns<C>(entries, tile_columns, first, block, part.sums, own + kQuad * (tile + first));
        });
    }
  }
}

// ---- conversion

void round_entry(float value, float&, float& entry) { entry = value; }

#if defined(REBOUND_LANES_READ_HALF)
// What rounding takes from an entry is given to the next one of its column, so that the column's sum keeps the
// precision of floats. H moves forces to the ancestors and takes positions from there, and both hold nearly the same
// amount for neighbouring rows: their errors then cancel, which is what a stiff body needs to move as a whole. Zeros
// stay zero: fixed vertices are not coupled.
void round_entry(float value, float& left, std::uint16_t& entry) {
  const float wanted = value == 0 ? 0 : value + left;
  entry = to_half(wanted);
  if (value != 0) left = wanted - to_float(entry);
}
#endif

template <class Entry>
void store_tile(const float* rows, int coupling_quads, int quads, int columns, void* tile) {
  Entry* to = static_cast<Entry*>(tile);
  // Columns are the inner loop: what rounding leaves over is a long chain down each of them.
  float left[kTile] = {};
  for (int row = 0; row < kQuad * quads; ++row) {
    if (row == kQuad * coupling_quads) __builtin_memset(left, 0, sizeof left);
    const int panel = row / kPanel;
    const int height = kQuad * smaller(kPanelQuads, quads - panel * kPanelQuads);
    Entry* at = to + static_cast<long>(panel) * kPanel * columns + row % kPanel;
    for (int column = 0; column < columns; ++column)
      round_entry(rows[static_cast<long>(row) * kTile + column], left[column], at[column * height]);
  }
}

template <class Entry>
constexpr InverseLoops loops() {
  return {forward<Entry>, backward<Entry>, store_tile<Entry>};
}

#undef REBOUND_LAMBDA
#undef REBOUND_INLINE

}  // namespace

extern const InverseKernel REBOUND_INVERSE_KERNEL;
const InverseKernel REBOUND_INVERSE_KERNEL = {
    REBOUND_INVERSE_KERNEL_NAME,
    loops<float>(),
#if defined(REBOUND_LANES_READ_HALF)
    loops<std::uint16_t>(),
#else
    {nullptr, nullptr, nullptr},
#endif
    apply,
};

}  // namespace rebound::sim
