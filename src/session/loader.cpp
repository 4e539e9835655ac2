#include "session/loader.hpp"

#include <exception>

#include "sim/base/memory.hpp"
#include "sim/base/memory_reserve.hpp"

namespace rebound::session {

Loader::Loader(std::function<scene::Description()> open, int threads, std::shared_ptr<sim::FactorCache> cache)
    : thread_(sim::start_thread(
          "the thread that opens a scene",
          [this, open = std::move(open), threads, cache = std::move(cache)] { load(open, threads, cache.get()); })) {}

Loader::~Loader() {
  cancel_ = true;
  thread_.join();
}

void Loader::load(const std::function<scene::Description()>& open, int threads, sim::FactorCache* cache) {
  const mesh::Progress progress{[this](const std::string& stage, double fraction) {
                                  const std::lock_guard lock(mutex_);
                                  status_.stage = stage;
                                  status_.fraction = fraction;
                                },
                                &cancel_};
  std::unique_ptr<Session> session;
  std::string error;
  try {
    const sim::MemoryReserve reserve;
    scene::World world = scene::load_world(open(), progress);
    progress.step("factoring", 0.95);
    session = std::make_unique<Session>(std::move(world), threads, cache);
    progress.check();
  } catch (const mesh::Cancelled&) {
    session.reset();
  } catch (const sim::OutOfMemory& e) {
    error = e.what();
  } catch (const std::bad_alloc&) {
    error = "out of memory: take fewer tetrahedra";
  } catch (const std::exception& e) {
    error = e.what();
  }
  const std::lock_guard lock(mutex_);
  session_ = std::move(session);
  error_ = std::move(error);
  status_.finished = true;
}

Loader::Status Loader::status() {
  const std::lock_guard lock(mutex_);
  return status_;
}

std::unique_ptr<Session> Loader::take() {
  const std::lock_guard lock(mutex_);
  return std::move(session_);
}

std::string Loader::error() {
  const std::lock_guard lock(mutex_);
  return error_;
}

}  // namespace rebound::session
