#include "app/trace.hpp"

#include <nlohmann/json.hpp>

namespace rebound::app {

Trace::Trace(const std::filesystem::path& file) {
  if (!file.empty()) file_.open(file);
}

bool Trace::is_due() const {
  return is_on() && std::chrono::steady_clock::now() - last_ > std::chrono::milliseconds(100);
}

void Trace::write(const nlohmann::ordered_json& line) {
  file_ << line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << std::endl;
  last_ = std::chrono::steady_clock::now();
}

}  // namespace rebound::app
