// A program of another kind at work for us: started without a shell, fed through a pipe, never able to stop us.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "render/image.hpp"

namespace rebound::render {

/// A program that is needed is not installed; what() names it and its package.
class MissingProgram : public OutputError {
 public:
  using OutputError::OutputError;
};

/// Owns a file descriptor; -1 is none.
class Descriptor {
 public:
  explicit Descriptor(int value = -1) : value_(value) {}
  ~Descriptor() { close(); }
  Descriptor(Descriptor&& other) noexcept : value_(other.value_) { other.value_ = -1; }
  Descriptor& operator=(Descriptor&& other) noexcept;
  int get() const { return value_; }
  void close();

 private:
  int value_;
};

class Process {
 public:
  /// Starts `arguments[0]`, looked up in PATH. Throws MissingProgram at once if it cannot be found.
  explicit Process(const std::vector<std::string>& arguments);
  /// Kills it if it still runs.
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  enum class Feeding { done, closed, stalled };
  /// Writes all of it to the program's standard input; `stalled` if none is taken for `patience`. SIGPIPE must be
  /// blocked or ignored in the calling thread.
  Feeding feed(const std::uint8_t* data, std::size_t size, std::chrono::milliseconds patience);
  /// Ends its standard input.
  void close_input() { input_.close(); }

  /// Waits for its end; kills it where `done`, how much it has done, has stayed the same for `patience`. Empty if it
  /// succeeded, else how it ended and the last line of what it wrote to its standard error.
  std::string wait(std::chrono::milliseconds patience, const std::function<std::uintmax_t()>& done = {});
  void kill();
  /// -1 once it has been waited for.
  pid_t id() const;

 private:
  /// Takes its status if it has ended.
  bool has_ended(int& status);
  std::string last_error_line() const;

  std::string name_;
  mutable std::mutex id_mutex_;  ///< so that no thread kills a number that another has just given back
  pid_t id_ = -1;
  Descriptor input_;
  Descriptor errors_;
};

}  // namespace rebound::render
