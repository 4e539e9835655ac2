// A recording as numbered PNG files, each whole or not there.
#pragma once

#include <atomic>
#include <filesystem>

#include "render/frame_sink.hpp"

namespace rebound::render {

class PictureFolder : public FrameSink {
 public:
  /// `path`: FOLDER/ for FOLDER/00000.png and so on, or a name with a number's place in it, such as FOLDER/%04d.png.
  /// The folder is made. Throws OutputError if the place is none, if the folder cannot be made, or if there is a
  /// picture of the first name already: an older, longer recording would go on where this one ends.
  explicit PictureFolder(const std::filesystem::path& path);

  std::string take(const Image& frame) override;
  std::string finish() override { return {}; }
  std::string keep() override;
  void interrupt() override { interrupted_ = true; }
  void discard() override;
  pid_t process_id() const override { return -1; }

 private:
  std::filesystem::path file(int number) const;

  std::filesystem::path folder_;
  std::string before_, after_;  ///< the number
  int digits_ = 5;
  int taken_ = 0;
  bool made_folder_ = false;
  std::atomic<bool> interrupted_{false};
};

}  // namespace rebound::render
