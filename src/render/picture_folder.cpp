#include "render/picture_folder.hpp"

#include <algorithm>
#include <cctype>

namespace rebound::render {
namespace {
namespace fs = std::filesystem;
}

PictureFolder::PictureFolder(const fs::path& path) : folder_(path.parent_path()), after_(".png") {
  const std::string name = path.filename().string();
  if (!name.empty()) {
    // "%05d", "%5d" and "%d"; anything else that has a meaning to printf is not a number's place.
    const std::size_t begin = name.find('%');
    std::size_t end = begin + 1;
    while (end < name.size() && std::isdigit(static_cast<unsigned char>(name[end]))) ++end;
    const std::string width = name.substr(begin + 1, end - begin - 1);
    const bool is_place = end < name.size() && name[end] == 'd' && width.size() <= 2;
    if (!is_place || name.find('%', end) != std::string::npos)
      throw OutputError(path.string() + ": a picture's number has its place once, as %d or %05d");
    digits_ = width.empty() ? 1 : std::clamp(std::stoi(width), 1, 12);
    before_ = name.substr(0, begin);
    after_ = name.substr(end + 1);
  }
  std::error_code error;
  made_folder_ = !folder_.empty() && fs::create_directories(folder_, error);
  if (error) throw OutputError(folder_.string() + ": the folder cannot be made (" + error.message() + ")");
  if (fs::exists(file(0), error))
    throw OutputError(file(0).string() + " is there already; choose another folder, or remove its pictures");
}

fs::path PictureFolder::file(int number) const {
  std::string digits = std::to_string(number);
  digits.insert(0, static_cast<std::size_t>(std::max(0, digits_ - static_cast<int>(digits.size()))), '0');
  return folder_ / (before_ + digits + after_);
}

std::string PictureFolder::take(const Image& frame) {
  if (interrupted_) return "it was interrupted";
  try {
    write_png(frame, file(taken_));
  } catch (const OutputError& error) {
    return error.what();
  }
  ++taken_;
  return {};
}

std::string PictureFolder::keep() { return taken_ > 0 ? (folder_.empty() ? fs::path(".") : folder_).string() : ""; }

void PictureFolder::discard() {
  std::error_code ignored;
  for (int i = 0; i < taken_; ++i) fs::remove(file(i), ignored);
  if (made_folder_) fs::remove(folder_, ignored);
}

}  // namespace rebound::render
