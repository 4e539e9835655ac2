#include "app/opener.hpp"

#include "session/disk_cache.hpp"

namespace rebound::app {

Opener::Opener(Disposal& disposal)
    : disposal_(disposal), cache_(std::make_shared<session::DiskCache>(session::DiskCache::platform_folder())) {}

void Opener::open(Source source, int threads) {
  cancel();
  source_ = std::move(source);
  loader_ = std::make_unique<session::Loader>(source_.open, threads, cache_);
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
