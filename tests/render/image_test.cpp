#include "render/image.hpp"

#include <gtest/gtest.h>
#include <stb_image.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>

namespace rebound::render {
namespace {

namespace fs = std::filesystem;

class ImageFile : public testing::Test {
 protected:
  ImageFile() : folder(fs::path(testing::TempDir()) / ("rebound_image_" + std::to_string(getpid()))) {
    fs::create_directories(folder);
  }
  ~ImageFile() override { fs::remove_all(folder); }
  fs::path folder;
};

Image gradient(int width, int height) {
  Image image(width, height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      std::uint8_t* pixel = image.pixel(x, y);
      pixel[0] = static_cast<std::uint8_t>(3 * x);
      pixel[1] = static_cast<std::uint8_t>(5 * y);
      pixel[3] = 255;
    }
  }
  return image;
}

TEST_F(ImageFile, PngRoundTrip) {
  const Image image = gradient(37, 21);
  write_png(image, folder / "picture.png");
  int width = 0, height = 0, channels = 0;
  const std::unique_ptr<stbi_uc, void (*)(void*)> read(
      stbi_load((folder / "picture.png").c_str(), &width, &height, &channels, 4), stbi_image_free);
  ASSERT_TRUE(read);
  EXPECT_EQ(width, 37);
  EXPECT_EQ(height, 21);
  EXPECT_TRUE(std::equal(image.rgba.begin(), image.rgba.end(), read.get()));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), fs::directory_iterator()), 1) << "a temporary file was left";
}

TEST_F(ImageFile, AFailureLeavesTheOldFile) {
  write_png(gradient(4, 4), folder / "picture.png");
  const auto size = fs::file_size(folder / "picture.png");
  EXPECT_THROW(write_png(Image(), folder / "picture.png"), OutputError);
  EXPECT_EQ(fs::file_size(folder / "picture.png"), size);
}

TEST_F(ImageFile, ErrorsNameTheFile) {
  try {
    write_png(gradient(4, 4), folder / "missing" / "picture.png");
    FAIL();
  } catch (const OutputError& error) {
    EXPECT_NE(std::string(error.what()).find("picture.png"), std::string::npos);
  }
}

TEST(Image, CopiesWhatFits) {
  Image target(10, 10);
  const Image source = gradient(6, 6);
  copy_into(target, source, 7, -2);
  EXPECT_EQ(target.pixel(7, 0)[1], source.pixel(0, 2)[1]);
  EXPECT_EQ(target.pixel(9, 3)[0], source.pixel(2, 5)[0]);
  EXPECT_EQ(target.pixel(7, 4)[3], 0);
  copy_into(target, source, 50, 50);
  copy_into(target, source, -50, 0);
}

}  // namespace
}  // namespace rebound::render
