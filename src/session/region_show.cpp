#include "session/region_show.hpp"

#include <algorithm>

#include "scene/makeup.hpp"
#include "session/session.hpp"

namespace rebound::session {
namespace {

constexpr std::size_t kMostInner = 2000;  // dots say it as well as more would

/// How much of what surrounds each vertex is of each region: one row a vertex.
Eigen::MatrixXf shares_at_vertices(const scene::BodyGeometry& geometry, const std::vector<int>& of_element,
                                   int regions) {
  Eigen::MatrixXf share = Eigen::MatrixXf::Zero(geometry.vertices(), regions);
  const auto tets = geometry.tetrahedra();
  for (std::size_t t = 0; t < tets.size(); ++t)
    for (const int v : tets[t]) share(v, of_element[t]) += 1;
  for (Eigen::Index v = 0; v < share.rows(); ++v)
    if (const float all = share.row(v).sum(); all > 0) share.row(v) /= all;
  return share;
}

SeenRegions seen(const scene::BodyGeometry& geometry, const std::vector<int>& of_element, int regions) {
  SeenRegions seen;
  seen.tetrahedra.assign(static_cast<std::size_t>(regions), 0);
  for (const int region : of_element) ++seen.tetrahedra[static_cast<std::size_t>(region)];

  const Eigen::MatrixXf share = shares_at_vertices(geometry, of_element, regions);
  const mesh::Embedding& hung = geometry.embedding;
  seen.surface.resize(hung.vertices.size());
  std::vector<bool> is_outside(static_cast<std::size_t>(regions), false);
  for (std::size_t i = 0; i < seen.surface.size(); ++i) {
    Eigen::RowVectorXf here = Eigen::RowVectorXf::Zero(regions);
    for (std::size_t j = 0; j < 4; ++j) here += static_cast<float>(hung.weights[i][j]) * share.row(hung.vertices[i][j]);
    for (int r = 1; r < regions; ++r) {
      if (here[r] <= 0) continue;
      is_outside[static_cast<std::size_t>(r)] = true;
      if (here[r] > seen.surface[i].share) seen.surface[i] = {r, here[r]};
    }
  }

  for (std::size_t t = 0; t < of_element.size(); ++t)
    if (of_element[t] > 0 && !is_outside[static_cast<std::size_t>(of_element[t])])
      seen.inner.push_back(static_cast<int>(t));
  const std::size_t every = seen.inner.size() / kMostInner + 1;
  for (std::size_t i = 0; i * every < seen.inner.size(); ++i) seen.inner[i] = seen.inner[i * every];
  seen.inner.resize((seen.inner.size() + every - 1) / every);
  for (const int t : seen.inner) seen.inner_region.push_back(of_element[static_cast<std::size_t>(t)]);
  return seen;
}

}  // namespace

std::shared_ptr<const RegionsOfBodies> regions_of(const Session& session) {
  const auto& bodies = session.description().bodies;
  if (std::all_of(bodies.begin(), bodies.end(), [](const scene::Body& body) { return body.regions.empty(); }))
    return nullptr;
  auto all = std::make_shared<RegionsOfBodies>(bodies.size());
  for (std::size_t b = 0; b < bodies.size(); ++b)
    if (const auto of_element = scene::region_of_elements(session.world(), b); !of_element.empty())
      (*all)[b] = seen(session.world().bodies[b], of_element, static_cast<int>(bodies[b].regions.size()) + 1);
  return all;
}

void find_inner_places(const Session& session, const RegionsOfBodies& regions, const sim::Points& x,
                       std::vector<InnerPlace>& places) {
  places.clear();
  for (std::size_t b = 0; b < regions.size(); ++b) {
    const auto tets = session.world().bodies[b].tetrahedra();
    const int first = session.model().bodies[b].first;
    for (std::size_t i = 0; i < regions[b].inner.size(); ++i) {
      sim::Vec3 middle = sim::Vec3::Zero();
      for (const int v : tets[static_cast<std::size_t>(regions[b].inner[i])])
        middle += 0.25 * x.row(first + v).transpose();
      places.push_back({static_cast<int>(b), regions[b].inner_region[i], middle});
    }
  }
}

}  // namespace rebound::session
