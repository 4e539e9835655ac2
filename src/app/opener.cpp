#include "app/opener.hpp"

#include "session/disk_cache.hpp"

namespace rebound::app {

Opener::Opener(Disposal& disposal)
    : disposal_(disposal), cache_(std::make_shared<session::DiskCache>(session::DiskCache::platform_folder())) {}

void Opener::open(Source source, int threads) {
  cancel();
  source_ = std::move(source);
  // Of a run that was recorded, all is as it was.
  const auto read = [source = source_] {
    scene::Description description = source.open();
    if (!source.run && !description.runaway) description.runaway = session::kUsualRunaway;
    return description;
  };
  loader_ = std::make_unique<session::Loader>(read, threads, cache_);
}

void Opener::cancel() {
  if (loader_) loader_->cancel();
  disposal_.take(std::move(loader_));
}

std::optional<Opener::Result> Opener::poll() {
  if (!loader_ || !loader_->status().finished) return std::nullopt;
  Result result{loader_->take(), loader_->error(), source_};
  disposal_.take(std::move(loader_));
  return result;
}

}  // namespace rebound::app
