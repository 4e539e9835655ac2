// What `rebound run` writes while it goes: tables, meshes, a motion and a plot.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "film/motion_file.hpp"
#include "session/mode_watch.hpp"
#include "session/output_file.hpp"
#include "session/snapshot.hpp"

namespace rebound::cli {

/// Names of files; those that are empty are not written.
struct RunFiles {
  std::string ledger, states, modes, solves, constraints, meshes, motion, plot;
  int mode_count = 0;  ///< of --modes
};

/// Whether --meshes may write a file of that name.
bool is_mesh_name(const scene::Description& scene, const std::string& file);

/// Opens an output now, so that what is wrong with its place is said now; none where none is asked for.
std::unique_ptr<session::OutputFile> opened(const std::string& file, const std::string& begin = {});

class RunOutputs {
 public:
  /// Throws InputError for a place that cannot be written to.
  RunOutputs(const RunFiles& files, const scene::WorldView& world);

  void frame(const session::Session& session);
  void commit(const session::Session& session);

 private:
  void write_meshes(const session::Session& session);
  void tell_of_older_meshes(const session::Session& session) const;

  std::unique_ptr<session::OutputFile> ledger_, states_, modes_, solves_, constraints_, plot_;
  int mode_count_;
  std::filesystem::path plot_name_;
  std::filesystem::path mesh_folder_;
  std::vector<session::FrameRecord> records_;  ///< for the plot
  std::unique_ptr<film::MotionFile> motion_;
  session::Snapshot moment_;
  session::ModeWatch mode_watch_;
};

}  // namespace rebound::cli
