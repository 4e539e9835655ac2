// Text files are read whole, whatever their size.
#include "mesh/text.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace rebound::mesh {
namespace {

TEST(TextFile, IsReadToItsLastByte) {
  const auto path = std::filesystem::path(testing::TempDir()) / "whole.txt";
  for (const std::size_t size : {1u, 2u, 4094u, 4095u, 4096u, 4097u, 8191u, 8192u, 8193u, (4u << 20) - 1, 4u << 20,
                                 (4u << 20) + 1, (8u << 20) + 5}) {
    std::string text(size, ' ');
    for (std::size_t i = 0; i < size; ++i) text[i] = static_cast<char>('!' + i * 2654435761u % 90);
    std::ofstream(path, std::ios::binary) << text;
    EXPECT_TRUE(read_text_file(path, 16u << 20, {}) == text) << size;
  }
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace rebound::mesh
