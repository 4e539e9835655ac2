// Scene text, whatever it is: a description that survives being written and read again, or an InputError.
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "mesh/error.hpp"
#include "scene/parse.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rebound;
  scene::Description first;
  try {
    first = scene::parse_scene({reinterpret_cast<const char*>(data), size}, "fuzz.json", "/");
  } catch (const InputError&) {
    return 0;
  }
  const std::string text = scene::to_json(first, "/").dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  if (!(scene::parse_scene(text, "fuzz.json", "/") == first)) std::abort();
  return 0;
}
