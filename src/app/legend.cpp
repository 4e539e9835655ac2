#include "app/legend.hpp"

#include <algorithm>
#include <optional>

namespace rebound::app {
namespace {

/// One after the other, from row to row; nothing if they need more rows than there are.
std::optional<std::vector<LegendEntry>> in_rows(const std::vector<std::string>& texts, const LegendRoom& room, int rows,
                                                const std::function<float(const std::string&)>& width) {
  std::vector<LegendEntry> entries;
  float x = 0;
  int row = 0;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const float needed = room.key + width(texts[i]);
    if (x > 0 && x + needed > room.width) {
      x = 0;
      ++row;
    }
    if (row >= rows || x + needed > room.width) return std::nullopt;
    entries.push_back({i, texts[i], x, row});
    x += needed + room.gap;
  }
  return entries;
}

}  // namespace

std::string shortened(std::string text, float room, const std::function<float(const std::string&)>& width) {
  if (width(text) <= room) return text;
  // Where there is hardly room for dots, letters say more.
  const std::string dots = width("...") < 0.5f * room ? "..." : "";
  while (!text.empty() && width(text + dots) > room) {
    while (text.size() > 1 && (static_cast<unsigned char>(text.back()) & 0xC0) == 0x80) text.pop_back();
    text.pop_back();
  }
  return text + dots;
}

std::vector<LegendEntry> arrange_legend(const std::vector<LegendName>& names, const LegendRoom& room,
                                        const std::function<float(const std::string&)>& width) {
  std::vector<std::string> plain, full;
  for (const auto& [name, value] : names) {
    plain.push_back(name);
    full.push_back(value.empty() ? name : name + " " + value);
  }
  if (const auto entries = in_rows(full, room, 1, width)) return *entries;
  for (int rows = 1; rows <= room.rows; ++rows)
    if (const auto entries = in_rows(plain, room, rows, width)) return *entries;
  // As many columns as it takes, all of one width.
  const auto rows = static_cast<std::size_t>(std::max(room.rows, 1));
  const std::size_t columns = (names.size() + rows - 1) / rows;
  const float column = room.width / static_cast<float>(columns);
  if (column - room.key < width("Aaaa...")) return {};
  std::vector<LegendEntry> entries;
  for (std::size_t i = 0; i < names.size(); ++i)
    entries.push_back({i, shortened(plain[i], column - room.key - 0.5f * room.gap, width),
                       static_cast<float>(i % columns) * column, static_cast<int>(i / columns)});
  return entries;
}

}  // namespace rebound::app
