// What the fuzzers begin with: write_seeds FOLDER. A folder for each reader, so that it reaches behind
// its first checks.
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

#include "mesh/obj.hpp"
#include "mesh/shapes.hpp"
#include "mesh/surfaces.hpp"
#include "scene/parse.hpp"
#include "session/disk_cache.hpp"
#include "session/journal.hpp"
#include "support/runs.hpp"

namespace {

namespace fs = std::filesystem;
using namespace rebound;

void write(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
}

void write_surfaces(const fs::path& folder) {
  fs::create_directories(folder);
  for (int kind = 0; kind < mesh::kOddKinds; ++kind)
    mesh::write_obj(folder / (mesh::odd_name(kind) + ".obj"), mesh::odd_surface(kind, 1));
  mesh::write_obj(folder / "cube.obj", mesh::cube_surface());
  write(
      folder / "rest.obj",
      "# all that a line may be\nmtllib a.mtl\no thing\nv 0 0 0 1 0.5 0.25\nv 1 0 0\nv 0 1e0 0\nv 0 0 +1.0\nvt 0 0\nvn 0 0 1\n"
      "g a b\ns off\nusemtl m\nf 1/1/1 2//1 3/1\nf -4 -2 -1\nf 1 2 4 \\\n 3\nl 1 2\np 1\n");
}

void write_tets(const fs::path& folder) {
  write(folder / "mesh", std::string(1, '\0') +
                             "MeshVersionFormatted 2\nDimension 3\nVertices 4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n"
                             "Tetrahedra 1\n1 2 3 4 0\nEnd\n");
  write(folder / "msh2",
        "\1$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n"
        "$Elements\n2\n1 2 2 0 1 1 2 3\n2 4 2 0 1 1 2 3 4\n$EndElements\n");
  write(folder / "msh4",
        "\1$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 4 1 4\n3 1 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n0 1 0\n"
        "0 0 1\n$EndNodes\n$Elements\n1 1 1 1\n3 1 4 1\n1 1 2 3 4\n$EndElements\n");
  write(folder / "vtk",
        "\2# vtk DataFile Version 3.0\na\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 double\n0 0 0\n1 0 0\n0 1 0\n"
        "0 0 1\nCELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n10\n");
  write(folder / "node",
        std::string("\3") + "4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n" + '\0' + "1 4 0\n1 1 2 3 4\n");
}

// The events of two runs: one of the tests' own, with some of everything, and it cut short.
void write_runs(const fs::path& folder) {
  fs::create_directories(folder);
  for (const int divisions : {1, 2}) {
    session::Ensemble ensemble(
        std::make_unique<session::Session>(scene::load_world(test::eventful_scene(divisions)), 1));
    session::Journal journal(ensemble.first().description());
    journal.add_frame(ensemble);
    for (int frame = 0; frame < 24; ++frame) {
      for (const auto& event : test::eventful(frame)) {
        ensemble.apply(event);
        journal.add(frame, event);
      }
      ensemble.step();
      journal.add_frame(ensemble);
    }
    journal.write(folder / ("eventful" + std::to_string(divisions) + ".jsonl"));
  }
  // The same events before the first frame, where a fuzzer that breaks a checksum still reaches them.
  std::ifstream whole(folder / "eventful1.jsonl");
  std::string header, line, events;
  std::getline(whole, header);
  for (; std::getline(whole, line);)
    if (const auto what = line.find(",\"do\""); what != line.npos) events += "{\"frame\":0" + line.substr(what) + "\n";
  const std::string sums = "{\"frame\":0,\"sums\":[\"0123456789abcdef\"]}\n";
  write(folder / "early.jsonl", header + "\n" + sums + events);
}

void write_scenes(const fs::path& folder) {
  fs::create_directories(folder);
  for (const auto& file : fs::directory_iterator(fs::path(REBOUND_SOURCE_DIR) / "assets" / "scenes"))
    fs::copy_file(file, folder / file.path().filename(), fs::copy_options::overwrite_existing);
  write(folder / "eventful.json", scene::to_json(test::eventful_scene(), "/").dump(1));
}

void write_cache(const fs::path& folder) {
  fs::create_directories(folder);
  session::DiskCache cache(folder);
  std::vector<std::byte> bytes(100, std::byte{7});
  cache.keep("fuzz", bytes);
  write(folder / "damage", std::string("\0\1\2\3\0\x7f", 6));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "write_seeds FOLDER\n");
    return 2;
  }
  const fs::path folder = argv[1];
  write_surfaces(folder / "read_surface");
  write_tets(folder / "read_tets");
  write_scenes(folder / "read_scene");
  write_runs(folder / "read_run");
  write_cache(folder / "read_cache");
  return 0;
}
