// Included once by each of block_inverse_kernel_{baseline,avx2,avx512}.cpp, with REBOUND_INVERSE_KERNEL and its name
// defined. Of libraries it includes intrinsics alone: an inline function compiled here for a wide instruction set could
// otherwise be the copy that the linker keeps for the whole program.
//
// Rows are lanes, in both directions: forward a column's entries are multiplied by one b and added to the sums of a
// panel of rows, backward they are multiplied by the panel's x and added to the sums of the column, whose lanes are
// then added up. The order of every sum is the same for all widths.

#include "sim/solve/block_inverse_kernel.hpp"
#include "sim/solve/block_inverse_lanes.inl"

namespace rebound::sim {
namespace {

constexpr int kParts = kPanel / kLaneCount;                                              // vectors a panel
constexpr int kPartQuads = kLaneCount / kQuad;                                           // quads a vector
constexpr int kColumns = kTile / (kParts * kParts) > 0 ? kTile / (kParts * kParts) : 1;  // as registers allow
constexpr long kAhead = 3072;  // bytes: the latency of memory at the rate of these loops

#define REBOUND_INLINE inline __attribute__((always_inline))

constexpr int smaller(int a, int b) { return a < b ? a : b; }

struct Xyz {
  Lanes v[3];
};

// Calls f.operator()<columns>() for 1 <= columns <= kColumns.
template <int Most = kColumns, class F>
REBOUND_INLINE void with_columns(int columns, const F& f) {
  if constexpr (Most > 1) {
    if (columns < Most) return with_columns<Most - 1>(columns, f);
  }
  f.template operator()<Most>();
}

// ---- forward

template <int Quarter>
REBOUND_INLINE void add_quad(const Lanes* row, const int* slots, float* x) {
  for (int k = 0; k < kQuad; ++k) {
    float* to = x + kQuad * static_cast<long>(slots[k]);
    store_quad(to, load_quad(to) + quarter<Quarter>(row[k]));
  }
}

// Where the sums of a block's rows go.
struct Rows {
  const int* coupling;
  int coupling_quads;
  float* x;
  float* own;
  const float* scale;
  int own_rows;

  template <int Quarter>
  REBOUND_INLINE void put_quad(const Lanes* row, int quad) const {
    if (quad < coupling_quads) {
      add_quad<Quarter>(row, coupling + kQuad * quad, x);
      return;
    }
    const int first = kQuad * (quad - coupling_quads);
    for (int k = 0; k < kQuad; ++k) {
      if (first + k >= own_rows) return;
      store_quad(own + kQuad * (first + k), quarter<Quarter>(row[k]) * splat_quad(scale[first + k]));
    }
  }

  // The sums of a panel, turned from a component a vector to a row a quad.
  REBOUND_INLINE void put(const Xyz* sum, int panel, int quads) const {
    const int first = panel * kPanelQuads;
    for (int part = 0; part < kParts; ++part) {
      Lanes row[kQuad];
      transpose_out(sum[part].v, row);
      const int quad = first + part * kPartQuads;
      if (first + kPanelQuads <= coupling_quads) {
        add_quad<0>(row, coupling + kQuad * quad, x);
        if constexpr (kPartQuads > 1) add_quad<1>(row, coupling + kQuad * (quad + 1), x);
        if constexpr (kPartQuads > 2) {
          add_quad<2>(row, coupling + kQuad * (quad + 2), x);
          add_quad<3>(row, coupling + kQuad * (quad + 3), x);
        }
        continue;
      }
      const int left = first + quads - quad;
      if (left > 0) put_quad<0>(row, quad);
      if constexpr (kPartQuads > 1) {
        if (left > 1) put_quad<1>(row, quad + 1);
      }
      if constexpr (kPartQuads > 2) {
        if (left > 2) put_quad<2>(row, quad + 2);
        if (left > 3) put_quad<3>(row, quad + 3);
      }
    }
  }
};

// Columns [first, first + C) of a tile, all panels. kBegin: the sums start here, rather than in `sums`; kEnd: they go
// to the rows.
template <int C, bool kBegin, bool kEnd, class Entry>
void forward_columns(const Entry* tile, int tile_columns, int first, int quads, const float* b, const Rows& rows,
                     float* sums) {
  Xyz factor[C];
  for (int c = 0; c < C; ++c)
    for (int k = 0; k < 3; ++k) factor[c].v[k] = splat(b[kQuad * c + k]);
  const Entry* column = tile;
  for (int panel = 0; panel * kPanelQuads < quads; ++panel) {
    const int panel_quads = smaller(kPanelQuads, quads - panel * kPanelQuads);
    const int height = kQuad * panel_quads;
    Xyz sum[kParts];
    for (int part = 0; part < kParts; ++part)
      for (int k = 0; k < 3; ++k)
        sum[part].v[k] = kBegin ? zero() : load(sums + (3 * panel + k) * kPanel + part * kLaneCount);
    prefetch(column, C * kPanel * static_cast<long>(sizeof(Entry)), kAhead);
    for (int c = 0; c < C; ++c)
      for (int part = 0; part < kParts; ++part) {
        const Lanes h = load(column + (first + c) * height + part * kLaneCount);
        for (int k = 0; k < 3; ++k) sum[part].v[k] = multiply_add(h, factor[c].v[k], sum[part].v[k]);
      }
    column += tile_columns * height;
    if constexpr (kEnd) {
      rows.put(sum, panel, panel_quads);
    } else {
      for (int part = 0; part < kParts; ++part)
        for (int k = 0; k < 3; ++k) store(sums + (3 * panel + k) * kPanel + part * kLaneCount, sum[part].v[k]);
    }
  }
}

template <class Entry>
REBOUND_INLINE void forward_block(const Entry* matrix, int columns, int quads, const float* b, const Rows& rows,
                                  float* sums) {
  for (int tile = 0; tile < columns; tile += kTile) {
    const int tile_columns = smaller(kTile, columns - tile);
    for (int first = 0; first < tile_columns; first += kColumns) {
      const int c = smaller(kColumns, tile_columns - first);
      const bool begin = tile + first == 0, end = tile + first + c == columns;
      const float* from = b + kQuad * (tile + first);
      if (!end) {
        const auto run =
            begin ? forward_columns<kColumns, true, false, Entry> : forward_columns<kColumns, false, false, Entry>;
        run(matrix, tile_columns, first, quads, from, rows, sums);
      } else if (begin) {
        with_columns(
            c, [&]<int C>() { forward_columns<C, true, true>(matrix, tile_columns, first, quads, from, rows, sums); });
      } else {
        with_columns(
            c, [&]<int C>() { forward_columns<C, false, true>(matrix, tile_columns, first, quads, from, rows, sums); });
      }
    }
    matrix += static_cast<long>(tile_columns) * quads * kQuad;
  }
}

template <class Entry>
void forward(const InverseBlocks& part, float* x) {
  const Entry* matrix = static_cast<const Entry*>(part.matrix);
  for (int i = 0; i < part.count; ++i) {
    const InverseBlock& block = part.blocks[i];
    float* own = x + kQuad * static_cast<long>(block.first);
    const Rows rows{part.rows + block.row_begin, block.coupling_quads, x, own,
                    part.scale + block.first,    block.own_rows};
    if (block.coupling_quads > 0) {
      forward_block(matrix + block.matrix, block.columns, block.quads(), own, rows, part.sums);
    } else {
      forward_block(part.roots + block.matrix, block.columns, block.quads(), own, rows, part.sums);
    }
  }
}

void apply(const InverseBlocks& part, const InverseBlock& root, const float* b, float* x) {
  float* own = x + kQuad * static_cast<long>(root.first);
  const Rows rows{nullptr, 0, nullptr, own, part.scale + root.first, root.own_rows};
  forward_block(part.roots + root.matrix, root.columns, root.quads(), b, rows, part.sums);
}

// ---- backward

// A panel's x, turned from a row a quad to a component a vector; zero from `quads` on.
REBOUND_INLINE void gather(const int* slots, int quads, const float* x, Xyz* panel) {
  const auto at = [&](int i) { return x + kQuad * static_cast<long>(slots[i]); };
  for (int part = 0; part < kParts; ++part) {
    Lanes row[kQuad];
    const int first = part * kPanel / kParts;
    const int left = quads - part * kPartQuads;
    for (int k = 0; k < kQuad; ++k) row[k] = left > 0 ? first_quarter(at(first + k)) : zero();
    if constexpr (kPartQuads > 1) {
      if (left > 1)
        for (int k = 0; k < kQuad; ++k) row[k] = with_quarter<1>(row[k], at(first + kQuad + k));
    }
    if constexpr (kPartQuads > 2) {
      if (left > 2)
        for (int k = 0; k < kQuad; ++k) row[k] = with_quarter<2>(row[k], at(first + 2 * kQuad + k));
      if (left > 3)
        for (int k = 0; k < kQuad; ++k) row[k] = with_quarter<3>(row[k], at(first + 3 * kQuad + k));
    }
    transpose_in(row, panel[part].v);
  }
}

// Columns [first, first + C) of a tile. kGather: x is fetched from the rows, rather than from `sums`; kKeep: and left
// there for the other columns.
template <int C, bool kGather, bool kKeep, class Entry>
void backward_columns(const Entry* tile, int tile_columns, int first, const InverseBlock& block, const int* slots,
                      const float* x, float* sums, float* own) {
  Xyz sum[C][kParts];
  for (int c = 0; c < C; ++c)
    for (int part = 0; part < kParts; ++part)
      for (int k = 0; k < 3; ++k) sum[c][part].v[k] = zero();
  const int quads = block.quads();
  // Downwards, as the blocks are visited: then the whole pass is one stream, and what it reads next lies just below.
  for (int panel = (block.coupling_quads - 1) / kPanelQuads; panel >= 0; --panel) {
    Xyz at[kParts];
    if constexpr (kGather) {
      const int* panel_slots = slots + panel * kPanel;
      if ((panel + 1) * kPanelQuads <= block.coupling_quads) {
        gather(panel_slots, kPanelQuads, x, at);
      } else {
        gather(panel_slots, block.coupling_quads - panel * kPanelQuads, x, at);
      }
    }
    for (int part = 0; part < kParts; ++part)
      for (int k = 0; k < 3; ++k) {
        float* kept = sums + (3 * panel + k) * kPanel + part * kLaneCount;
        if constexpr (!kGather) at[part].v[k] = load(kept);
        if constexpr (kKeep) store(kept, at[part].v[k]);
      }
    const int height = kQuad * smaller(kPanelQuads, quads - panel * kPanelQuads);
    const Entry* column = tile + static_cast<long>(panel) * kPanel * tile_columns + first * height;
    prefetch(column, C * kPanel * static_cast<long>(sizeof(Entry)), -kAhead);
    for (int c = 0; c < C; ++c)
      for (int part = 0; part < kParts; ++part) {
        const Lanes h = load(column + c * height + part * kLaneCount);
        for (int k = 0; k < 3; ++k) sum[c][part].v[k] = multiply_add(h, at[part].v[k], sum[c][part].v[k]);
      }
  }
  for (int c = 0; c < C; ++c) {
    Lanes total[kParts];
    for (int part = 0; part < kParts; ++part) total[part] = add_within_quarters(sum[c][part].v);
    store_quad(own + kQuad * c, load_quad(own + kQuad * c) + add_quarters(total));
  }
}

template <class Entry>
void backward(const InverseBlocks& part, float* x) {
  for (int i = part.count - 1; i >= 0; --i) {
    const InverseBlock& block = part.blocks[i];
    if (block.coupling_quads == 0) continue;
    const int* slots = part.rows + block.row_begin;
    float* own = x + kQuad * static_cast<long>(block.first);
    const Entry* matrix = static_cast<const Entry*>(part.matrix) + block.matrix;
    bool gathered = false;
    for (int tile = (block.columns - 1) / kTile * kTile; tile >= 0; tile -= kTile) {
      const int tile_columns = smaller(kTile, block.columns - tile);
      const Entry* entries = matrix + static_cast<long>(tile) * block.quads() * kQuad;
      for (int first = (tile_columns - 1) / kColumns * kColumns; first >= 0; first -= kColumns) {
        const int c = smaller(kColumns, tile_columns - first);
        float* to = own + kQuad * (tile + first);
        if (gathered) {
          backward_columns<kColumns, false, false>(entries, tile_columns, first, block, slots, x, part.sums, to);
        } else if (tile + first > 0) {
          with_columns(c, [&]<int C>() {
            backward_columns<C, true, true>(entries, tile_columns, first, block, slots, x, part.sums, to);
          });
        } else {
          with_columns(c, [&]<int C>() {
            backward_columns<C, true, false>(entries, tile_columns, first, block, slots, x, part.sums, to);
          });
        }
        gathered = true;
      }
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
  for (int column = 0; column < columns; ++column) {
    float left = 0;
    for (int row = 0; row < kQuad * quads; ++row) {
      if (row == kQuad * coupling_quads) left = 0;
      const int panel = row / kPanel;
      const int height = kQuad * smaller(kPanelQuads, quads - panel * kPanelQuads);
      round_entry(rows[static_cast<long>(row) * kTile + column], left,
                  to[static_cast<long>(panel) * kPanel * columns + column * height + row % kPanel]);
    }
  }
}

template <class Entry>
constexpr InverseLoops loops() {
  return {forward<Entry>, backward<Entry>, store_tile<Entry>};
}

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
