// Memory set aside for clean-up. Some destructors ask for a little memory (those of JSON values) and may not fail: where
// all is gone, they would end the program.
#pragma once

namespace rebound::sim {

/// Sets some megabytes aside, for the whole process. An allocation by `new` that fails gives them back before it throws, so
/// that what is undone on the way has them. Call it before work that needs them: it fills up what was given back, and costs
/// next to nothing where it was not. Throws std::bad_alloc if there is not so much.
void keep_memory_reserve();

}  // namespace rebound::sim
