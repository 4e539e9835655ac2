// Memory set aside for clean-up. Some destructors ask for a little memory (those of JSON values) and may not fail:
// where all is gone, they would end the program.
#pragma once

namespace rebound::sim {

/// Around work that makes and lets go of such values. Begins by seeing that some megabytes are set aside for the
/// whole process, which costs next to nothing where they are; throws std::bad_alloc if there is not so much. While it
/// lives, an allocation by `new` of this thread that fails is given a part of them and tried again; where there is no
/// such part left, it throws. What is undone then has the other part, and waits for other threads to give memory
/// back, for a second.
class MemoryReserve {
 public:
  MemoryReserve();
  ~MemoryReserve();
  MemoryReserve(const MemoryReserve&) = delete;
  MemoryReserve& operator=(const MemoryReserve&) = delete;
};

/// Where such a value is let go of: all of the reserve is for it, as where an exception undoes things.
class CleanUp {
 public:
  CleanUp();
  ~CleanUp();
  CleanUp(const CleanUp&) = delete;
  CleanUp& operator=(const CleanUp&) = delete;
};

}  // namespace rebound::sim
