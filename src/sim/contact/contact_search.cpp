#include "sim/contact/contact_search.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

#include "sim/base/memory.hpp"

namespace rebound::sim {
namespace {

template <std::size_t N>
TreeBox way_box(const std::array<int, N>& corners, const Points& p, const Points* d) {
  TreeBox box;
  for (const int v : corners) {
    const Vec3 from = p.row(v).transpose();
    box.extend(TreeBox::around(from));
    if (d != nullptr) box.extend(TreeBox::around(from + d->row(v).transpose()));
  }
  return box;
}

constexpr std::size_t kFirstAsked = 1 << 20;  // pairs
// A task's list of more is not kept for the next time.
constexpr std::size_t kMostKept = 1 << 16;  // pairs
// Lists of a task and of all, which grow by doubling.
constexpr double kCopies = 4;

std::string name(const ContactObject& object) {
  return object.is_obstacle() ? "obstacle " + std::to_string(object.obstacle) : "body " + std::to_string(object.body);
}

}  // namespace

ContactSearch::ContactSearch(const ContactSurface& surface, const Model& model)
    : surface_(surface),
      model_(model),
      objects_(surface.objects()),
      ways_(surface.objects().size()),
      point_ways_(static_cast<std::size_t>(surface.points())) {
  for (int o = 0; o < static_cast<int>(objects_.size()); ++o) {
    const ContactObject& object = objects_[static_cast<std::size_t>(o)];
    for (int piece = 0; piece < object.edge_tree.pieces(); ++piece) tree_pieces_.push_back({o, false, piece});
    for (int piece = 0; piece < object.face_tree.pieces(); ++piece) tree_pieces_.push_back({o, true, piece});
  }
}

std::array<int, 4> ContactSearch::corners(const NearPair& pair) const {
  const auto& edges = surface_.edges();
  const auto& a =
      pair.kind == FeaturePair::edge_edge ? edges[static_cast<std::size_t>(pair.a)] : std::array{pair.a, -1};
  switch (pair.kind) {
    case FeaturePair::point_triangle: {
      const auto& face = surface_.faces()[static_cast<std::size_t>(pair.b)];
      return {pair.a, face[0], face[1], face[2]};
    }
    case FeaturePair::edge_edge: {
      const auto& b = edges[static_cast<std::size_t>(pair.b)];
      return {a[0], a[1], b[0], b[1]};
    }
    default: {
      const auto& b = edges[static_cast<std::size_t>(pair.b)];
      return {pair.a, b[0], b[1], -1};
    }
  }
}

std::array<int, 2> ContactSearch::objects(const NearPair& pair) const {
  const std::array<int, 4> c = corners(pair);
  return {surface_.object_of_point(c[0]), surface_.object_of_point(pair.kind == FeaturePair::edge_edge ? c[2] : c[1])};
}

double ContactSearch::offset(const NearPair& pair) const {
  const auto [one, other] = objects(pair);
  return objects_[static_cast<std::size_t>(one)].offset + objects_[static_cast<std::size_t>(other)].offset;
}

MovingPair ContactSearch::moving(const NearPair& pair, const Points& p, const Points& d) const {
  const std::array<int, 4> points = corners(pair);
  MovingPair moving{pair.kind, {}, {}, offset(pair)};
  for (std::size_t c = 0; c < 4; ++c) {
    if (points[c] < 0) continue;
    moving.x[c] = p.row(points[c]).transpose();
    moving.d[c] = d.row(points[c]).transpose();
  }
  return moving;
}

bool ContactSearch::may_meet(const ContactObject& a, const ContactObject& b) const {
  if (b.is_obstacle()) return a.may_meet_obstacle(model_, b.obstacle);
  if (a.is_obstacle()) return b.may_meet_obstacle(model_, a.obstacle);
  if (!a.moves && !b.moves) return false;
  return &a == &b ? model_.body_contact.self && !a.rigid : model_.body_contact.bodies;
}

void ContactSearch::fit(const Points& p, const Points* d, double reach, Workers& workers) {
  const auto& edges = surface_.edges();
  const auto& faces = surface_.faces();
  workers.run(static_cast<int>(tree_pieces_.size()), [&](int t) {
    const TreePiece& of = tree_pieces_[static_cast<std::size_t>(t)];
    ContactObject& object = objects_[static_cast<std::size_t>(of.object)];
    if (of.faces) {
      object.face_tree.fit_piece(
          of.piece, [&](int f) { return way_box(faces[static_cast<std::size_t>(object.first_face + f)], p, d); });
    } else {
      object.edge_tree.fit_piece(
          of.piece, [&](int e) { return way_box(edges[static_cast<std::size_t>(object.first_edge + e)], p, d); });
    }
  });
  workers.run(static_cast<int>(objects_.size()), [&](int o) {
    ContactObject& object = objects_[static_cast<std::size_t>(o)];
    object.edge_tree.fit_nodes();
    object.face_tree.fit_nodes();
    TreeBox& way = ways_[static_cast<std::size_t>(o)];
    way = {};
    for (int i = object.first_point; i < object.first_point + object.points; ++i) {
      TreeBox& own = point_ways_[static_cast<std::size_t>(i)];
      own = way_box(std::array{i}, p, d);
      way.extend(own);
    }
    way.widen(static_cast<float>(0.5 * reach + object.offset));
  });
}

void ContactSearch::begin(const Points& p, const Points* d, double reach, Workers& workers) {
  fit(p, d, reach, workers);
  tasks_.clear();
  for (int a = 0; a < static_cast<int>(objects_.size()); ++a)
    for (int b = 0; b < static_cast<int>(objects_.size()); ++b) {
      const ContactObject &one = objects_[static_cast<std::size_t>(a)], &other = objects_[static_cast<std::size_t>(b)];
      if (!may_meet(one, other) || !ways_[static_cast<std::size_t>(a)].meets(ways_[static_cast<std::size_t>(b)]))
        continue;
      if (other.faces > 0) tasks_.push_back({a, b, FeaturePair::point_triangle});
      if (a <= b && one.edges > 0 && other.edges > 0) tasks_.push_back({a, b, FeaturePair::edge_edge});
      // Of two that are bare, edges meet edges.
      if (other.is_bare() && other.edges > 0 && (!one.is_bare() || one.edges == 0))
        tasks_.push_back({a, b, FeaturePair::point_edge});
    }
  std::sort(tasks_.begin(), tasks_.end(),
            [](const Task& s, const Task& t) { return std::tie(s.kind, s.a, s.b) < std::tie(t.kind, t.a, t.b); });
}

void ContactSearch::find(const Points& p, const Points* d, double reach, Workers& workers,
                         std::vector<NearPair>& found) {
  begin(p, d, reach, workers);
  if (by_task_.size() < tasks_.size()) by_task_.resize(tasks_.size());
  workers.run(static_cast<int>(tasks_.size()), [&](int t) {
    const auto at = static_cast<std::size_t>(t);
    by_task_[at].clear();
    look(tasks_[at], reach, by_task_[at]);
  });
  gather(found);
}

// Each list is in order, and so are tasks: those that follow one another with one kind and one `a` share the first
// features of their pairs, and no others do.
void ContactSearch::gather(std::vector<NearPair>& found) {
  std::size_t count = found.size();
  for (std::size_t t = 0; t < tasks_.size(); ++t) count += by_task_[t].size();
  found.reserve(count);
  next_.assign(tasks_.size(), 0);
  for (std::size_t first = 0, end = 0; first < tasks_.size(); first = end) {
    while (end < tasks_.size() && tasks_[end].kind == tasks_[first].kind && tasks_[end].a == tasks_[first].a) ++end;
    for (;;) {
      int a = std::numeric_limits<int>::max();
      for (std::size_t t = first; t < end; ++t)
        if (next_[t] < by_task_[t].size()) a = std::min(a, by_task_[t][next_[t]].a);
      if (a == std::numeric_limits<int>::max()) break;
      for (std::size_t t = first; t < end; ++t)
        for (auto& list = by_task_[t]; next_[t] < list.size() && list[next_[t]].a == a; ++next_[t])
          found.push_back(list[next_[t]]);
    }
  }
  for (std::size_t t = 0; t < tasks_.size(); ++t)
    if (by_task_[t].capacity() > kMostKept) by_task_[t] = {};
}

void ContactSearch::find_objects(const Points& p, const Points* d, double reach, Workers& workers,
                                 std::vector<std::array<int, 2>>& found) {
  begin(p, d, reach, workers);
  has_pair_.assign(tasks_.size(), 0);
  workers.run(static_cast<int>(tasks_.size()), [&](int t) {
    const auto at = static_cast<std::size_t>(t);
    has_pair_[at] = has_pair(tasks_[at], reach);
  });
  for (std::size_t t = 0; t < tasks_.size(); ++t)
    if (has_pair_[t] != 0) found.push_back({tasks_[t].a, tasks_[t].b});
}

void ContactSearch::find_edges_and_faces(const Points& p, Workers& workers, std::vector<std::pair<int, int>>& found) {
  constexpr int kEdgesATask = 1024;
  fit(p, nullptr, 0, workers);
  edge_tasks_.clear();
  for (std::size_t a = 0; a < objects_.size(); ++a)
    for (std::size_t b = 0; b < objects_.size(); ++b) {
      const ContactObject &one = objects_[a], &other = objects_[b];
      if (!may_meet(one, other) || !ways_[a].meets(ways_[b])) continue;
      const int end = one.first_edge + one.edges;
      for (int e = one.first_edge; e < end; e += kEdgesATask)
        edge_tasks_.push_back({static_cast<int>(b), e, std::min(end, e + kEdgesATask)});
    }
  if (by_edge_task_.size() < edge_tasks_.size()) by_edge_task_.resize(edge_tasks_.size());
  workers.run(static_cast<int>(edge_tasks_.size()), [&](int t) {
    const EdgeTask& task = edge_tasks_[static_cast<std::size_t>(t)];
    const ContactObject& other = objects_[static_cast<std::size_t>(task.b)];
    auto& own = by_edge_task_[static_cast<std::size_t>(t)];
    own.clear();
    for (int e = task.first_edge; e < task.end_edge; ++e)
      other.face_tree.visit(way_box(surface_.edges()[static_cast<std::size_t>(e)], p, nullptr),
                            [&](int f) { own.emplace_back(e, other.first_face + f); });
  });
  for (std::size_t t = 0; t < edge_tasks_.size(); ++t)
    found.insert(found.end(), by_edge_task_[t].begin(), by_edge_task_[t].end());
}

float ContactSearch::wide(const ContactObject& a, const ContactObject& b, double reach) const {
  return static_cast<float>(reach + a.offset + b.offset);
}

bool ContactSearch::comes_near(const NearPair& pair, const Points& p, const Points& d, double reach) const {
  const auto [a, b] = objects(pair);
  TreeBox box = pair.kind == FeaturePair::edge_edge ? way_box(surface_.edges()[static_cast<std::size_t>(pair.a)], p, &d)
                                                    : way_box(std::array{pair.a}, p, &d);
  box.widen(wide(objects_[static_cast<std::size_t>(a)], objects_[static_cast<std::size_t>(b)], reach));
  const auto second = static_cast<std::size_t>(pair.b);
  return box.meets(pair.kind == FeaturePair::point_triangle ? way_box(surface_.faces()[second], p, &d)
                                                            : way_box(surface_.edges()[second], p, &d));
}

bool ContactSearch::counts(const Task& task, int first, int second) const {
  if (task.a != task.b) return true;
  if (task.kind == FeaturePair::edge_edge) {
    const auto &mine = surface_.edges()[static_cast<std::size_t>(first)],
               &its = surface_.edges()[static_cast<std::size_t>(second)];
    return second > first && mine[0] != its[0] && mine[0] != its[1] && mine[1] != its[0] && mine[1] != its[1];
  }
  if (task.kind != FeaturePair::point_triangle) return true;
  const auto& face = surface_.faces()[static_cast<std::size_t>(second)];
  return face[0] != first && face[1] != first && face[2] != first;
}

const BoxTree& ContactSearch::tree_of(const Task& task) const {
  const ContactObject& b = objects_[static_cast<std::size_t>(task.b)];
  return task.kind == FeaturePair::point_triangle ? b.face_tree : b.edge_tree;
}

int ContactSearch::first_item(const Task& task) const {
  const ContactObject& b = objects_[static_cast<std::size_t>(task.b)];
  return task.kind == FeaturePair::point_triangle ? b.first_face : b.first_edge;
}

template <class IsWanted>
bool ContactSearch::any_first(const Task& task, double reach, const IsWanted& is_wanted) const {
  const ContactObject &a = objects_[static_cast<std::size_t>(task.a)], &b = objects_[static_cast<std::size_t>(task.b)];
  const float by = wide(a, b, reach);
  TreeBox all = tree_of(task).box();
  all.widen(by);
  const auto wanted = [&](int feature, TreeBox box) {
    box.widen(by);
    return is_wanted(feature, box);
  };
  if (task.kind == FeaturePair::edge_edge)
    return a.edge_tree.any(all, [&](int e, const TreeBox& box) { return wanted(a.first_edge + e, box); });
  for (int i = a.first_point; i < a.first_point + a.points; ++i) {
    const TreeBox& box = point_ways_[static_cast<std::size_t>(i)];
    if (box.meets(all) && wanted(i, box)) return true;
  }
  return false;
}

bool ContactSearch::has_pair(const Task& task, double reach) const {
  return any_first(task, reach, [&](int first, const TreeBox& around) {
    return tree_of(task).any(around,
                             [&](int item, const TreeBox&) { return counts(task, first, first_item(task) + item); });
  });
}

void ContactSearch::look(const Task& task, double reach, std::vector<NearPair>& found) const {
  const ContactObject &a = objects_[static_cast<std::size_t>(task.a)], &b = objects_[static_cast<std::size_t>(task.b)];
  std::vector<std::pair<int, TreeBox>> firsts;
  any_first(task, reach, [&](int first, const TreeBox& around) {
    firsts.emplace_back(first, around);
    return false;
  });
  std::sort(firsts.begin(), firsts.end(), [](const auto& s, const auto& t) { return s.first < t.first; });
  std::size_t asked = kFirstAsked, done = 0;
  for (const auto& feature : firsts) {
    const int first = feature.first;
    const std::size_t before = found.size();
    tree_of(task).visit(feature.second, [&](int item) {
      const int second = first_item(task) + item;
      if (counts(task, first, second)) found.push_back({task.kind, first, second});
    });
    // A tree says what is near in no order of ours.
    std::sort(found.begin() + static_cast<std::ptrdiff_t>(before), found.end());
    ++done;
    // Asked of what all will come to by what has been found so far, as lists grow long.
    if (found.size() < asked) continue;
    asked = 2 * found.size();
    const double expected = static_cast<double>(found.size() * firsts.size()) / static_cast<double>(done);
    require_memory(kCopies * expected * sizeof(NearPair),
                   "the list of what is near of " + name(a) + " and " + (&a == &b ? "itself" : name(b)), kRemedy);
  }
}

}  // namespace rebound::sim
