// What passes between Rebound and its TetGen worker, byte for byte as in memory: both run on one machine.
#pragma once

#include <cstdint>

namespace rebound::mesh::protocol {

constexpr std::uint64_t kRequestMagic = 0x3151455247544252;  // "RBTGREQ1"
constexpr std::uint64_t kAnswerMagic = 0x31534E4147544252;   // "RBTGANS1"
constexpr std::uint64_t kEndMagic = 0x31444E4547544252;      // "RBTGEND1"

/// Followed by `switches` bytes of TetGen's switches, 3 doubles a vertex, 3 int32 a triangle.
struct Request {
  std::uint64_t magic = kRequestMagic;
  std::uint64_t switches = 0, vertices = 0, triangles = 0;
};

/// Followed by 3 doubles a vertex, 4 int32 a tet, and kEndMagic.
struct Answer {
  std::uint64_t magic = kAnswerMagic;
  std::uint64_t vertices = 0, tetrahedra = 0;
};

/// No honest message is larger.
constexpr std::uint64_t kMostVertices = 50'000'000, kMostElements = 50'000'000, kMostSwitches = 256;

/// How the worker ends when it can say why.
constexpr int kExitOk = 0, kExitBadRequest = 3, kExitRefused = 4, kExitOutOfMemory = 5;

}  // namespace rebound::mesh::protocol
