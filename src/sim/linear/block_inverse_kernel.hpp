// The inner loops of BlockInverse. The arithmetic stands once, in block_inverse_kernel.inl; it is compiled for three
// instruction sets and the widest that the processor has is taken at start. AVX2 and AVX-512 give the same bits; the
// baseline has no fused multiply-add and agrees to rounding.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rebound::sim {

// Rows are handled four at a time, and sixteen where a vector holds as many.
inline constexpr int kTile = 8;
inline constexpr int kPanel = 16;
inline constexpr int kQuad = 4;
inline constexpr int kPanelQuads = kPanel / kQuad;
inline constexpr int kSlack = kPanel;

// How a block lies in memory: a matrix of `columns` columns and 4 quads() rows, first those that couple it to its
// ancestors, then those of its own columns, each padded with zeros to a multiple of four. It is stored in tiles of
// kTile columns (the last one narrower), a tile in panels of kPanel rows (the last one shorter), a panel column by
// column: both directions of a solve read it from end to end, and a column of a panel is a vector. The last column of a
// short panel is read as if the panel were full, so kSlack entries follow the last block.
//
// Roots, blocks that couple to nothing, stay in floats: a stiff body moves as a whole far more easily than it deforms,
// so the inverse at its root is made of large numbers that are nearly alike and cancel.
struct InverseBlock {
  std::size_t matrix = 0;  ///< where it begins, in entries of `matrix` or `roots`
  int row_begin = 0;       ///< where the slots of its coupling rows begin; kQuad a quad, padding repeats real ones
  int coupling_quads = 0;
  int own_rows = 0;
  int first = 0;  ///< slot of its first own row
  int columns = 0;
  float scale = 1;  ///< what the sums of the own rows are multiplied by

  int own_quads() const { return (own_rows + kQuad - 1) / kQuad; }
  int quads() const { return coupling_quads + own_quads(); }
  std::size_t entries() const { return std::size_t(quads()) * kQuad * std::size_t(columns); }
};

/// What the blocks of one part share. Vectors are 4 floats a slot (x, y, z, unused).
struct InverseBlocks {
  const InverseBlock* blocks;
  int count;
  const void* matrix;  ///< entries: float, or IEEE half as uint16_t
  const float* roots;
  const int* rows;  ///< slots
  float* sums;      ///< scratch: sums_size(largest quads()) floats, 64-byte aligned
};

constexpr std::size_t sums_size(int quads) {
  return std::size_t((quads + kPanelQuads - 1) / kPanelQuads + 1) * kPanel * (3 + kQuad);
}

/// Children before parents: with b1 a block's own slots and b2 those it couples to, b2 += H b1, b1 := S b1. Where `before`
/// is not null, b1 as it was is written to the same slots of it.
using InverseForward = void (*)(const InverseBlocks& part, float* x, float* before);
/// Parents before children: b1 += H^T b2.
using InverseBackward = void (*)(const InverseBlocks& part, float* x);
/// The own rows of x := block b, for one root; b has `columns` slots.
using InverseApply = void (*)(const InverseBlocks& part, const InverseBlock& root, const float* b, float* x);

/// Writes a tile of a block, of `columns` columns, to where it lies in memory. rows: kTile floats a row.
using InverseStoreTile = void (*)(const float* rows, int coupling_quads, int quads, int columns, void* tile);

struct InverseLoops {
  InverseForward forward;
  InverseBackward backward;
  InverseStoreTile store_tile;
};

struct InverseKernel {
  const char* instruction_set;
  InverseLoops single;
  InverseLoops half;  ///< null where the instruction set cannot read half precision
  InverseApply apply;
};

extern const InverseKernel kInverseKernelBaseline;
extern const InverseKernel kInverseKernelAvx2;
extern const InverseKernel kInverseKernelAvx512;

/// The widest that this processor has.
const InverseKernel& inverse_kernel();

}  // namespace rebound::sim
