#include "render/text.hpp"

#include <stb_truetype.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>

namespace rebound::render {

namespace {

constexpr const char* font_files[] = {
    "/usr/share/fonts/opentype/inter/Inter-Regular.otf",
    "/usr/share/fonts/truetype/inter/Inter-Regular.ttf",
    "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
    "/usr/share/fonts/TTF/DejaVuSans.ttf",
    "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf",
    "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf",
};

/// The next code point; a byte that is no UTF-8 counts as one.
int next_code_point(std::string_view& text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  const std::size_t length = first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1;
  int code = length == 1 ? first : first & (0xFF >> (length + 1));
  if (length > text.size()) {
    text.remove_prefix(1);
    return first;
  }
  for (std::size_t i = 1; i < length; ++i) code = (code << 6) | (byte(i) & 0x3F);
  text.remove_prefix(length);
  return code;
}

/// A letter's picture: how much of each pixel it covers.
struct Glyph {
  int width = 0;
  int height = 0;
  int left = 0;  ///< from the pen to the picture, pixels
  int top = 0;   ///< from the baseline, down
  float advance = 0;
  std::vector<unsigned char> coverage;
};

}  // namespace

struct Font::Data {
  std::vector<unsigned char> file;
  stbtt_fontinfo info{};
  std::map<std::pair<int, float>, Glyph> glyphs;

  float scale(float size) const { return stbtt_ScaleForMappingEmToPixels(&info, size); }

  const Glyph& glyph(int code, float size) {
    const auto [entry, is_new] = glyphs.try_emplace({code, size});
    Glyph& g = entry->second;
    if (!is_new) return g;
    int advance = 0, bearing = 0, right = 0, bottom = 0;
    stbtt_GetCodepointHMetrics(&info, code, &advance, &bearing);
    g.advance = scale(size) * static_cast<float>(advance);
    stbtt_GetCodepointBitmapBox(&info, code, scale(size), scale(size), &g.left, &g.top, &right, &bottom);
    g.width = right - g.left;
    g.height = bottom - g.top;
    g.coverage.resize(static_cast<std::size_t>(g.width * g.height));
    if (!g.coverage.empty()) {
      stbtt_MakeCodepointBitmap(&info, g.coverage.data(), g.width, g.height, g.width, scale(size), scale(size), code);
    }
    return g;
  }
};

Font::Font(const std::filesystem::path& file) : data_(std::make_unique<Data>()) {
  std::ifstream in(file, std::ios::binary);
  data_->file.assign(std::istreambuf_iterator<char>(in), {});
  const bool has_header = data_->file.size() > 12;
  if (!has_header || !stbtt_InitFont(&data_->info, data_->file.data(), 0)) {
    throw OutputError(file.string() + " is not a font that can be read");
  }
}

Font::~Font() = default;
Font::Font(Font&&) noexcept = default;
Font& Font::operator=(Font&&) noexcept = default;

Font Font::find() {
  for (const char* file : font_files) {
    if (std::filesystem::exists(file)) return Font(file);
  }
  throw OutputError("no font for captions is installed; install the package fonts-dejavu-core or fonts-inter");
}

float Font::width(std::string_view text, float size) {
  if (!(size > 0)) return 0;
  float width = 0;
  while (!text.empty()) width += data_->glyph(next_code_point(text), size).advance;
  return width;
}

void Font::draw(Image& image, std::string_view text, float x, float y, float size, const Color& color, Align align) {
  if (!(size > 0)) return;
  if (align != Align::left) x -= width(text, size) * (align == Align::right ? 1.0f : 0.5f);
  while (!text.empty()) {
    const Glyph& g = data_->glyph(next_code_point(text), size);
    const int left = static_cast<int>(std::lround(x)) + g.left;
    const int top = static_cast<int>(std::lround(y)) + g.top;
    for (int row = 0; row < g.height; ++row) {
      for (int column = 0; column < g.width; ++column) {
        const unsigned char coverage = g.coverage[static_cast<std::size_t>(row * g.width + column)];
        if (coverage > 0) blend_pixel(image, left + column, top + row, color, static_cast<float>(coverage) / 255.0f);
      }
    }
    x += g.advance;
  }
}

void blend_pixel(Image& image, int x, int y, const Color& color, float coverage) {
  if (x < 0 || y < 0 || x >= image.width || y >= image.height) return;
  const float alpha = std::clamp(color.a * coverage, 0.0f, 1.0f);
  std::uint8_t* pixel = image.pixel(x, y);
  const float channels[] = {color.r, color.g, color.b};
  for (int i = 0; i < 3; ++i) {
    const auto old = static_cast<float>(pixel[i]);
    pixel[i] = static_cast<std::uint8_t>(std::clamp(old + alpha * (255 * channels[i] - old) + 0.5f, 0.0f, 255.0f));
  }
  pixel[3] = 255;
}

void fill_rectangle(Image& image, int x, int y, int width, int height, const Color& color) {
  for (int row = std::max(y, 0); row < std::min(y + height, image.height); ++row) {
    for (int column = std::max(x, 0); column < std::min(x + width, image.width); ++column) {
      blend_pixel(image, column, row, color, 1);
    }
  }
}

}  // namespace rebound::render
