#include "session/run_file.hpp"

#include <algorithm>

namespace rebound::session {

RunFile::RunFile(const std::filesystem::path& path, const scene::Description& scene) : file_(path) {
  std::error_code ignored;
  file_.write(header_line(scene, std::filesystem::absolute(path, ignored).parent_path()));
}

void RunFile::frame(const Ensemble& ensemble) {
  std::vector<std::pair<int, std::string>> failed;
  for (const Pane& pane : ensemble.panes()) {
    if (pane.session->failure().empty()) continue;
    failed.emplace_back(pane.id, pane.session->failure());
    if (std::find(failed_.begin(), failed_.end(), failed.back()) == failed_.end())
      file_.write(failure_line({ensemble.frame(), pane.id, pane.session->failure()}));
  }
  failed_ = std::move(failed);
  last_ = ensemble.frame();
  file_.write(frame_line(last_, checksums(ensemble)));
  file_.flush();
}

void RunFile::entry(const Entry& entry) {
  file_.write(entry_line(entry));
  file_.flush();
}

void RunFile::commit() {
  file_.write(end_line(last_));
  file_.commit();
}

}  // namespace rebound::session
