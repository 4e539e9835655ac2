#include <sstream>

#include "mesh/geometry.hpp"
#include "mesh/shapes.hpp"
#include "mesh/surfaces.hpp"
#include "mesh/tet_files.hpp"

namespace rebound::mesh {
namespace {

std::string lines_of(const Points& points, bool numbered, int first) {
  std::ostringstream text;
  text.precision(17);
  for (Eigen::Index i = 0; i < points.rows(); ++i) {
    if (numbered) text << i + first << ' ';
    text << points(i, 0) << ' ' << points(i, 1) << ' ' << points(i, 2) << (numbered ? "\n" : " 0\n");
  }
  return text.str();
}

/// By which the files mark the two sides of a body: 7 or 8.
int label_of(const TetMesh& mesh, const Tetrahedron& t) {
  double middle = 0;
  for (const int v : t) middle += mesh.points(v, 0);
  return middle < 0 ? 7 : 8;
}

std::string medit(const TetMesh& mesh) {
  std::ostringstream text;
  text << "MeshVersionFormatted 2\nDimension\n3\n# a remark\nVertices " << mesh.points.rows() << "\n"
       << lines_of(mesh.points, false, 0) << "Triangles\n1\n1 2 3 0\nTetrahedra\n"
       << mesh.tetrahedra.size() << "\n";
  for (const auto& t : mesh.tetrahedra)
    text << t[0] + 1 << ' ' << t[1] + 1 << ' ' << t[2] + 1 << ' ' << t[3] + 1 << ' ' << label_of(mesh, t) << "\n";
  text << "End\n";
  return text.str();
}

std::string gmsh_2(const TetMesh& mesh) {
  std::ostringstream text;
  text << "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n"
       << mesh.points.rows() << "\n"
       << lines_of(mesh.points, true, 11) << "$EndNodes\n$Elements\n"
       << mesh.tetrahedra.size() + 1 << "\n1 2 2 0 1 11 12 13\n";
  int number = 2;
  for (const auto& t : mesh.tetrahedra)
    text << number++ << " 4 2 " << label_of(mesh, t) << " 1 " << t[0] + 11 << ' ' << t[1] + 11 << ' ' << t[2] + 11
         << ' ' << t[3] + 11 << "\n";
  text << "$EndElements\n";
  return text.str();
}

std::string gmsh_4(const TetMesh& mesh) {
  std::ostringstream text;
  const auto n = mesh.points.rows();
  text.precision(17);
  text << "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n1 0 1 2\n1 0 0 0 1 3\n1 0 0 0 1 1 1 1 4 2 1 -2\n"
       << "1 0 0 0 1 1 1 1 7 1 1\n8 0 0 0 1 1 1 0 1 1\n$EndEntities\n$Nodes\n1 " << n << " 1 " << n << "\n3 1 0 " << n
       << "\n";
  for (Eigen::Index i = 1; i <= n; ++i) text << i << "\n";
  for (Eigen::Index i = 0; i < n; ++i)
    text << mesh.points(i, 0) << ' ' << mesh.points(i, 1) << ' ' << mesh.points(i, 2) << "\n";
  // Volume 1 is of the group 7; volume 8 is of none. A block for each, one after the other.
  const std::size_t tets = mesh.tetrahedra.size();
  text << "$EndNodes\n$Elements\n" << tets << " " << tets << " 1 " << tets << "\n";
  int number = 1;
  for (const auto& t : mesh.tetrahedra)
    text << "3 " << (label_of(mesh, t) == 7 ? 1 : 8) << " 4 1\n"
         << number++ << ' ' << t[0] + 1 << ' ' << t[1] + 1 << ' ' << t[2] + 1 << ' ' << t[3] + 1 << "\n";
  text << "$EndElements\n";
  return text.str();
}

/// One a tetrahedron: always the same, or its label.
std::string numbers_of(const TetMesh& mesh, const std::string& same) {
  std::string text;
  for (const auto& t : mesh.tetrahedra) text += same.empty() ? std::to_string(label_of(mesh, t)) + " " : same;
  return text;
}

std::string vtk(const TetMesh& mesh, bool version_5) {
  std::ostringstream text;
  text.precision(17);
  const std::size_t tets = mesh.tetrahedra.size();
  text << "# vtk DataFile Version " << (version_5 ? "5.1" : "2.0") << "\nmade by hand # or not\nASCII\nDATASET "
       << "UNSTRUCTURED_GRID\nPOINTS " << mesh.points.rows() << " double\n";
  for (Eigen::Index i = 0; i < mesh.points.rows(); ++i)
    text << mesh.points(i, 0) << ' ' << mesh.points(i, 1) << ' ' << mesh.points(i, 2) << "\n";
  if (version_5) {
    text << "CELLS " << tets + 1 << ' ' << 4 * tets << "\nOFFSETS vtktypeint64\n";
    for (std::size_t i = 0; i <= tets; ++i) text << 4 * i << ' ';
    text << "\nCONNECTIVITY vtktypeint64\n";
    for (const auto& t : mesh.tetrahedra) text << t[0] << ' ' << t[1] << ' ' << t[2] << ' ' << t[3] << "\n";
  } else {
    text << "CELLS " << tets + 1 << ' ' << 5 * tets + 4 << "\n3 0 1 2\n";
    for (const auto& t : mesh.tetrahedra) text << "4 " << t[0] << ' ' << t[1] << ' ' << t[2] << ' ' << t[3] << "\n";
  }
  text << "CELL_TYPES " << tets + (version_5 ? 0 : 1) << "\n" << (version_5 ? "" : "5\n");
  for (std::size_t i = 0; i < tets; ++i) text << "10\n";
  text << "POINT_DATA " << mesh.points.rows() << "\nSCALARS warmth int 1\nLOOKUP_TABLE default\n";
  for (Eigen::Index i = 0; i < mesh.points.rows(); ++i) text << "1 ";
  text << "\nCELL_DATA " << tets + (version_5 ? 0 : 1) << "\n";
  if (version_5)
    text << "FIELD FieldData 2\nweight 1 " << tets << " double\n"
         << numbers_of(mesh, "0.5 ") << "\npart 1 " << tets << " int\n"
         << numbers_of(mesh, "");
  else
    text << "SCALARS weight double\nLOOKUP_TABLE default\n0.5 " << numbers_of(mesh, "0.5 ")
         << "\nSCALARS part int 1\nLOOKUP_TABLE default\n9 " << numbers_of(mesh, "");
  return text.str();
}

std::string ele(const TetMesh& mesh, int first) {
  std::ostringstream text;
  text << mesh.tetrahedra.size() << " 4 1 # tets\n";
  int number = first;
  for (const auto& t : mesh.tetrahedra)
    text << number++ << ' ' << t[0] + first << ' ' << t[1] + first << ' ' << t[2] + first << ' ' << t[3] + first << ' '
         << label_of(mesh, t) << ".0\n";
  return text.str();
}

std::string node(const TetMesh& mesh, int first) {
  return std::to_string(mesh.points.rows()) + " 3 0 0\n" + lines_of(mesh.points, true, first);
}

/// labels: does the file mark its parts?
void expect_same(const TetMesh& a, const TetMesh& b, const std::string& what, bool labels = true) {
  EXPECT_EQ(a.tetrahedra, b.tetrahedra) << what;
  if (labels) {
    ASSERT_EQ(a.labels.size(), a.tetrahedra.size()) << what;
    for (std::size_t t = 0; t < a.labels.size(); ++t)
      ASSERT_EQ(a.labels[t], label_of(a, a.tetrahedra[t])) << what << " " << t;
  }
  ASSERT_EQ(a.points.rows(), b.points.rows()) << what;
  EXPECT_TRUE((a.points.array() == b.points.array()).all()) << what;
}

TEST(TetFiles, AllFormatsGiveTheSameMesh) {
  const TetMesh mesh = sphere(0.3, 4);
  const TemporaryFolder folder;
  expect_same(read_tets(folder.write("a.mesh", medit(mesh))), mesh, "Medit");
  expect_same(read_tets(folder.write("a.msh", gmsh_2(mesh))), mesh, "Gmsh 2.2");
  expect_same(read_tets(folder.write("b.msh", gmsh_4(mesh))), mesh, "Gmsh 4.1");
  expect_same(read_tets(folder.write("a.vtk", vtk(mesh, false))), mesh, "VTK 2");
  expect_same(read_tets(folder.write("b.vtk", vtk(mesh, true))), mesh, "VTK 5");
  for (const int first : {0, 1}) {
    folder.write("a.node", node(mesh, first));
    folder.write("a.ele", ele(mesh, first));
    expect_same(read_tets(folder.path() / "a.node"), mesh, "TetGen by .node");
    expect_same(read_tets(folder.path() / "a.ele"), mesh, "TetGen by .ele");
  }
}

// As some programs write them: nodes counted from 1, elements from 0, and corners as the one or the other.
TEST(TetFiles, CornersMayBeCountedAsElementsAreOrAsNodesAre) {
  const TetMesh mesh = sphere(0.3, 4);
  const TemporaryFolder folder;
  folder.write("a.node", node(mesh, 1));
  folder.write("a.ele", ele(mesh, 0));
  expect_same(read_tets(folder.path() / "a.node"), mesh, "corners from 0");

  std::string elements_from_zero = std::to_string(mesh.tetrahedra.size()) + " 4 0\n";
  for (std::size_t i = 0; i < mesh.tetrahedra.size(); ++i) {
    elements_from_zero += std::to_string(i);
    for (const int v : mesh.tetrahedra[i]) elements_from_zero += " " + std::to_string(v + 1);
    elements_from_zero += "\n";
  }
  folder.write("a.ele", elements_from_zero);
  expect_same(read_tets(folder.path() / "a.node"), mesh, "corners from 1", false);

  const int last = static_cast<int>(mesh.points.rows());
  folder.write("a.ele", "1 4 0\n0 0 1 2 " + std::to_string(last) + "\n");
  try {
    read_tets(folder.path() / "a.node");
    FAIL();
  } catch (const MeshError& error) {
    EXPECT_NE(std::string(error.what()).find("count them from 0 or from 1"), std::string::npos) << error.what();
  }
}

TEST(TetFiles, TurnsTetsRoundAndDropsUnusedVertices) {
  TetMesh mesh = box({1, 1, 1}, {1, 1, 1});
  std::swap(mesh.tetrahedra[2][0], mesh.tetrahedra[2][1]);
  mesh.points.conservativeResize(10, 3);
  mesh.points.bottomRows(2).setConstant(7);
  const TemporaryFolder folder;
  std::vector<std::string> notes;
  const TetMesh read = read_tets(folder.write("a.mesh", medit(mesh)), &notes);
  EXPECT_EQ(read.points.rows(), 8);
  EXPECT_GT(quality_of(read).min_volume, 0);
  EXPECT_NEAR(total_volume(read), 1, 1e-15);
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_NE(notes[0].find("1 tetrahedron was inside out"), std::string::npos) << notes[0];
  EXPECT_NE(notes[1].find("2 vertices"), std::string::npos) << notes[1];
}

// To turn the elements round mends no vertex that has gone through the face in front of it.
TEST(TetFiles, NamesElementsThatOverlap) {
  const TemporaryFolder folder;
  TetMesh mesh = box({1, 1, 1}, {2, 2, 2});
  // What is said of overlaps; how much too heavy it is.
  const auto with_middle_moved = [&](double way) -> std::pair<std::string, double> {
    TetMesh pushed = mesh;
    pushed.points.row(13) += Eigen::RowVector3d(way, 0, 0);
    std::vector<std::string> notes;
    const TetMesh read = read_tets(folder.write("a.mesh", medit(pushed)), &notes);
    for (const std::string& note : notes)
      if (note.find("on the same side of the face that they share") != std::string::npos)
        return {note, total_volume(read) - 1};
    return {"", total_volume(read) - 1};
  };
  ASSERT_EQ(mesh.points.row(13), Eigen::RowVector3d(0, 0, 0));
  const auto [none, none_more] = with_middle_moved(0.4);
  EXPECT_EQ(none, "");
  EXPECT_NEAR(none_more, 0, 1e-15);
  const auto [some, more] = with_middle_moved(0.6);
  EXPECT_NE(some, "");
  EXPECT_GT(more, 1e-3);
  // Three elements on a face.
  mesh.points.conservativeResize(28, 3);
  mesh.points.row(27) = Eigen::RowVector3d(-0.1, -0.05, -0.15);
  Tetrahedron third = mesh.tetrahedra[0];
  third[3] = 27;
  mesh.tetrahedra.push_back(third);
  EXPECT_EQ(with_middle_moved(0).first.rfind("1 pair of tetrahedra lies", 0), 0u);
}

TEST(TetFiles, NamesSlivers) {
  // A corner, and a flat tet below it whose apex lies at `depth` under a face's middle: about 3 depth / 0.47 radians.
  const auto with_apex_at = [](double depth) {
    TetMesh mesh;
    mesh.points.resize(5, 3);
    mesh.points << 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0.33, 0.33, -depth;
    mesh.tetrahedra = {{0, 1, 2, 3}, {0, 2, 1, 4}};
    std::vector<std::string> notes;
    const TemporaryFolder folder;
    read_tets(folder.write("a.mesh", medit(mesh)), &notes);
    return notes;
  };
  EXPECT_TRUE(with_apex_at(0.1).empty());
  const auto notes = with_apex_at(0.01);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("1 tetrahedron is a sliver"), std::string::npos) << notes[0];
  EXPECT_NE(notes[0].find(" degrees, in number 2"), std::string::npos) << notes[0];
}

TEST(TetFiles, NamesTetsWithoutVolume) {
  TetMesh mesh = box({1, 1, 1}, {2, 2, 2});
  mesh.tetrahedra[3] = {0, 1, 2, 2};
  mesh.tetrahedra[5] = {0, 1, 2, 3};  // all in one plane
  const TemporaryFolder folder;
  try {
    read_tets(folder.write("a.mesh", medit(mesh)));
    FAIL() << "accepted";
  } catch (const MeshError& error) {
    EXPECT_NE(std::string(error.what()).find("the first: 4 6 "), std::string::npos) << error.what();
    EXPECT_EQ(error.triangles, (std::vector<int>{3, 5}));
  }
}

TEST(TetFiles, NamesTetsThatStandTwice) {
  TetMesh mesh = box({1, 1, 1}, {2, 2, 2});
  const std::size_t count = mesh.tetrahedra.size();
  const TemporaryFolder folder;
  const auto refusal = [&] {
    std::vector<std::pair<std::string, MeshError>> errors;
    for (const auto& [name, text] :
         {std::pair{"a.mesh", medit(mesh)}, {"a.msh", gmsh_2(mesh)}, {"b.msh", gmsh_4(mesh)}}) {
      try {
        read_tets(folder.write(name, text));
        ADD_FAILURE() << name << ": accepted";
      } catch (const MeshError& error) {
        errors.emplace_back(name, error);
      }
    }
    return errors;
  };
  // One again, its corners in another order; then each of them.
  const auto& t = mesh.tetrahedra[7];
  mesh.tetrahedra.push_back({t[1], t[2], t[0], t[3]});
  for (const auto& [name, error] : refusal()) {
    const std::string what = error.what(), place = (folder.path() / name).string();
    EXPECT_EQ(what.rfind(place + ": 1 tetrahedron repeats an earlier one, the first: 49 (of 8), ", 0), 0u) << what;
    EXPECT_EQ(error.triangles, std::vector<int>{static_cast<int>(count)});
  }
  mesh.tetrahedra.pop_back();
  for (std::size_t i = 0; i < count; ++i) mesh.tetrahedra.push_back(mesh.tetrahedra[i]);
  for (const auto& [name, error] : refusal()) {
    EXPECT_NE(std::string(error.what()).find("48 tetrahedra repeat an earlier one, the first: 49 (of 1) 50 (of 2) "),
              std::string::npos)
        << error.what();
    EXPECT_EQ(error.triangles.size(), 5u);
  }
}

TEST(TetFiles, RefusesBrokenFilesByTheirPlace) {
  const TemporaryFolder folder;
  const auto says = [&](const std::string& name, const std::string& text) {
    const std::string message = message_of<MeshError>([&] { read_tets(folder.write(name, text)); });
    return message.substr(std::min(message.size(), folder.path().string().size() + 1));
  };
  const auto begins = [](const std::string& text, const std::string& start) {
    EXPECT_EQ(text.substr(0, start.size()), start);
  };
  const std::string head = "MeshVersionFormatted 1\nDimension 3\nVertices\n4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n";
  begins(says("a.mesh", head + "0 0 1 0\nTetrahedra\n1\n1 2 3 5 0\n"), "a.mesh:11:7: '5' is out of range");
  begins(says("a.mesh", head + "0 0 nan 0\n"), "a.mesh:8:5: coordinate 'nan' is not a finite");
  begins(says("a.mesh", head + "0 0 1 0\nTetrahedra\n2\n1 2 3 4 0\n"), "a.mesh:11:10: the file ends before");
  begins(says("a.mesh", "MeshVersionFormatted 1\nVertices\n999999999\n"), "a.mesh:3:1: '999999999' is out of range");
  begins(says("a.mesh", "hello\n"), "a.mesh:1:1: 'hello'");
  begins(says("a.mesh", head + "0 0 1 0\n"), "a.mesh: holds no tetrahedra");
  begins(says("a.msh", "$MeshFormat\n2.2 1 8\n"), "a.msh:2:5: the file is binary");
  begins(says("a.msh", "$MeshFormat\n3 0 8\n"), "a.msh:2:1: version '3'");
  begins(says("a.msh", "$MeshFormat\n2.2 0 8\n$Nodes\n1\n1 0 0 0\n$EndNodes\n$Elements\n1\n1 4 0 1 2 3 4\n"),
         "a.msh:9:9: node 2 does not exist");
  begins(says("a.vtk", "# vtk DataFile Version 2.0\nt\nBINARY\n"), "a.vtk:3:1: the file is 'BINARY'");
  begins(says("a.vtk", "# vtk DataFile Version 2.0\nt\nASCII\nDATASET POLYDATA\n"), "a.vtk:4:9: a data set of kind");
  folder.write("a.ele", "1 4 0\n1 1 2 3 4\n");
  begins(says("a.node", "4 3 0 0\n1 0 0 0\n2 1 0 0\n4 0 1 0\n"), "a.node:4:1: '4' stands where number 3");
  begins(says("a.stl", "solid"), "a.stl: '.stl' is not a known kind");
}

TEST(TetFiles, SurviveRandomDamage) {
  const TetMesh mesh = box({1, 1, 1}, {2, 2, 2});
  const TemporaryFolder folder;
  folder.write("a.ele", ele(mesh, 0));
  const std::pair<std::string, std::string> files[] = {{"a.mesh", medit(mesh)},    {"a.msh", gmsh_2(mesh)},
                                                       {"b.msh", gmsh_4(mesh)},    {"a.vtk", vtk(mesh, false)},
                                                       {"b.vtk", vtk(mesh, true)}, {"a.node", node(mesh, 0)}};
  std::uint64_t random = 1;
  const auto next = [&] { return random = random * 6364136223846793005u + 1442695040888963407u, random >> 33; };
  int refused = 0;
  for (const auto& [name, text] : files)
    for (int round = 0; round < 100; ++round) {
      std::string damaged = text.substr(0, round % 3 == 0 ? next() % text.size() : text.size());
      for (std::uint64_t i = next() % 5; i > 0 && !damaged.empty(); --i)
        damaged[next() % damaged.size()] = "0123456789-.e \n$x"[next() % 17];
      try {
        const TetMesh read = read_tets(folder.write(name, damaged));
        EXPECT_GT(quality_of(read).min_volume, 0);
      } catch (const MeshError&) {
        ++refused;
      }
    }
  EXPECT_GT(refused, 200);
}

}  // namespace
}  // namespace rebound::mesh
