// Where the pictures of a recording go, one after the other: a video through ffmpeg, or a folder.
#pragma once

#include <sys/types.h>

#include <string>

#include "render/image.hpp"

namespace rebound::render {

/// Every part that can fail says why in a line and says nothing, "", when all is well.
class FrameSink {
 public:
  virtual ~FrameSink() = default;

  /// Takes a picture, which may be waited for. Called from one thread, SIGPIPE being blocked there.
  virtual std::string take(const Image& frame) = 0;
  /// Ends the recording and puts it in its place.
  virtual std::string finish() = 0;
  /// After a failure: keeps what was recorded, and says where that is; nothing if there is nothing.
  virtual std::string keep() = 0;
  /// Makes take() end at once. From any thread.
  virtual void interrupt() = 0;
  /// Removes what was recorded. take() is not called any more.
  virtual void discard() = 0;
  /// Of the encoder; -1 if there is none.
  virtual pid_t process_id() const = 0;
};

}  // namespace rebound::render
