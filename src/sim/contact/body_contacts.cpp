#include "sim/contact/body_contacts.hpp"

#include <algorithm>

#include "sim/base/row_passes.hpp"

namespace rebound::sim {
namespace {

constexpr int kCollidersPerPiece = 64;
// A tet that is so many times as wide as at rest, as after a random start, has no inside worth the name.
constexpr float kTorn = 8;
// Bodies that overlap by less than this share of an edge touch.
constexpr double kOverlap = 0.25;
// A net's thickness where none is asked for, as a share of its mean edge.
constexpr double kThickness = 0.25;

float widest(const TreeBox& box) {
  const Quad sizes = box.high - box.low;
  return std::max({sizes[0], sizes[1], sizes[2]});
}

}  // namespace

BodyContactSearch::BodyContactSearch(const Model& model) {
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    Body& body = bodies_.emplace_back();
    body.first = model.bodies[b].first;
    body.shape = model.contact_bodies[b];
    body.elements = body.shape->elements();
    body.surface = body.shape->surface();
  }
  for (const BodyPoint& point : model.colliders) {
    int b = body_of_.empty() ? 0 : body_of_.back();
    while (point.vertices[0] >=
           model.bodies[static_cast<std::size_t>(b)].first + model.bodies[static_cast<std::size_t>(b)].count)
      ++b;
    body_of_.push_back(b);
  }
  sides_.resize(body_of_.size());
}

BodyContactMemory BodyContactSearch::memory() const {
  BodyContactMemory memory{{}, left_out_, begins_};
  for (std::size_t i = 0; i < sides_.size(); ++i)
    if (!sides_[i].empty()) memory.sides.emplace_back(static_cast<int>(i), sides_[i]);
  return memory;
}

void BodyContactSearch::recall(const BodyContactMemory& memory) {
  for (auto& sides : sides_) sides.clear();
  for (const auto& [collider, sides] : memory.sides) sides_[static_cast<std::size_t>(collider)] = sides;
  left_out_ = memory.left_out;
  begins_ = memory.begins;
}

template <class Found, class Look>
std::vector<Found> BodyContactSearch::each_collider(Workers& workers, const Look& look) const {
  const int points = static_cast<int>(body_of_.size()), pieces = (points + kCollidersPerPiece - 1) / kCollidersPerPiece;
  std::vector<std::vector<Found>> by_piece(static_cast<std::size_t>(pieces));
  workers.run(pieces, [&](int piece) {
    for (int i = piece * kCollidersPerPiece; i < std::min(points, (piece + 1) * kCollidersPerPiece); ++i)
      if (!bodies_[static_cast<std::size_t>(body_of_[static_cast<std::size_t>(i)])].partners.empty())
        look(i, by_piece[static_cast<std::size_t>(piece)]);
  });
  std::vector<Found> all;
  for (const auto& some : by_piece) all.insert(all.end(), some.begin(), some.end());
  return all;
}

void BodyContactSearch::find(const Model& model, const State& now, double h, double arm, Workers& workers,
                             std::vector<Contact>& found) {
  predict(model, now, h, arm, workers);
  fit_bodies(model, now, workers);
  if (begins_) leave_out_what_overlaps(model, now, workers);
  // Those that meet nothing now have no side when they meet something again.
  for (std::size_t i = 0; i < sides_.size(); ++i)
    if (bodies_[static_cast<std::size_t>(body_of_[i])].partners.empty()) sides_[i].clear();
  const auto all = each_collider<Contact>(
      workers, [&](int collider, std::vector<Contact>& some) { look_at(model, now, collider, some); });
  found.insert(found.end(), all.begin(), all.end());
}

std::vector<InsidePoint> BodyContactSearch::find_inside(const Model& model, const Points& x, Workers& workers) {
  still_.x = x;
  still_.v.setZero(x.rows(), 3);
  predict(model, still_, 0, 0, workers);
  fit_bodies(model, still_, workers);
  for (Body& body : bodies_) {
    if (!body.searched || !body.shape->is_solid()) continue;
    body.surface.fit(workers, [&](int face) {
      TreeBox box;
      for (const Vec3& corner : body.shape->corners(face, still_.x, body.first)) box.extend(TreeBox::around(corner));
      return box;
    });
  }
  return each_collider<InsidePoint>(
      workers, [&](int collider, std::vector<InsidePoint>& some) { look_inside(model, collider, some); });
}

void BodyContactSearch::leave_out_what_overlaps(const Model& model, const State& now, Workers& workers) {
  begins_ = false;
  left_out_ = each_collider<BodyPair>(workers, [&](int collider, std::vector<BodyPair>& pairs) {
    const Traveller point = traveller(model, now, collider);
    for (const int b : bodies_[static_cast<std::size_t>(point.body)].partners) {
      const Body& body = bodies_[static_cast<std::size_t>(b)];
      if (b == point.body || !body.shape->is_solid()) continue;
      if (ways_out(now.x, point, body, 0)[0].depth > kOverlap * body.shape->edge())
        pairs.push_back(std::minmax(b, point.body));
    }
  });
  std::sort(left_out_.begin(), left_out_.end());
  left_out_.erase(std::unique(left_out_.begin(), left_out_.end()), left_out_.end());
  if (!left_out_.empty()) choose_partners(model.body_contact);
}

void BodyContactSearch::predict(const Model& model, const State& now, double h, double arm, Workers& workers) {
  const Eigen::RowVector3d fall = (h * h * model.g).transpose();
  ends_.resize(now.x.rows(), 3);
  between_.resize(now.x.rows(), 3);
  boxes_.resize(static_cast<std::size_t>(now.x.rows()));
  each_rows(workers, now.x.rows(), [&](Eigen::Index first, Eigen::Index rows) {
    for (Eigen::Index i = first; i < first + rows; ++i) {
      ends_.row(i) = now.x.row(i);
      if (!model.fixed[static_cast<std::size_t>(i)]) ends_.row(i) += h * now.v.row(i) + fall;
      between_.row(i) = now.x.row(i) + arm * (ends_.row(i) - now.x.row(i));
    }
  });
}

void BodyContactSearch::fit_bodies(const Model& model, const State& now, Workers& workers) {
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    Body& body = bodies_[b];
    const Eigen::Index count = body.shape->vertices();
    body.drift =
        (ends_.middleRows(body.first, count) - now.x.middleRows(body.first, count)).colwise().mean().transpose();
    body.thickness = model.body_contact.thickness > 0 ? model.body_contact.thickness : kThickness * body.shape->edge();
    each_rows(workers, count, [&](Eigen::Index first, Eigen::Index rows) {
      for (Eigen::Index i = body.first + first; i < body.first + first + rows; ++i)
        boxes_[static_cast<std::size_t>(i)] = {TreeBox::around(now.x.row(i).transpose()),
                                               TreeBox::around(ends_.row(i).transpose() - body.drift)};
    });
    TreeBox from, to;
    for (Eigen::Index i = body.first; i < body.first + count; ++i) {
      from.extend(boxes_[static_cast<std::size_t>(i)].from);
      to.extend(boxes_[static_cast<std::size_t>(i)].to);
    }
    if (!body.shape->cage().empty()) {
      const VertexBoxes around = cage_boxes(body, now.x);
      from = around.from;
      to = around.to;
      body.cage = around.from;
      body.cage.extend(around.to);
    }
    const TreeBox drift = TreeBox::around(body.drift);
    to.low += drift.low;
    to.high += drift.high;
    body.way = from;
    body.way.extend(to);
    if (!body.shape->is_solid()) body.way.widen(static_cast<float>(body.thickness));
  }
  choose_partners(model.body_contact);
  for (Body& body : bodies_)
    if (body.searched) body.elements.fit(workers, [&](int element) { return element_box(body, element); });
}

void BodyContactSearch::choose_partners(const BodyContactLaw& law) {
  std::vector<TreeBox> ways;
  for (Body& body : bodies_) {
    ways.push_back(body.way);
    body.partners.clear();
    body.searched = false;
  }
  const BoxTree world(ways);
  for (int b = 0; b < static_cast<int>(bodies_.size()); ++b) {
    Body& body = bodies_[static_cast<std::size_t>(b)];
    world.visit(body.way, [&](int other) {
      if (!(other == b ? law.self : law.bodies)) return;
      const BodyPair pair = std::minmax(b, other);
      if (std::binary_search(left_out_.begin(), left_out_.end(), pair)) return;
      body.partners.push_back(other);
      bodies_[static_cast<std::size_t>(other)].searched = true;
    });
    std::sort(body.partners.begin(), body.partners.end());
  }
}

BodyContactSearch::VertexBoxes BodyContactSearch::cage_boxes(const Body& body, const Points& x) const {
  VertexBoxes boxes;
  for (BodyPoint point : body.shape->cage()) {
    for (int& vertex : point.vertices) vertex += body.first;
    boxes.from.extend(TreeBox::around(point.of(x)));
    boxes.to.extend(TreeBox::around(point.of(ends_) - body.drift));
  }
  return boxes;
}

TreeBox BodyContactSearch::element_box(const Body& body, int element) const {
  if (!body.shape->cage().empty()) return body.cage;
  VertexBoxes boxes;
  const auto extend = [&](int vertex) {
    const VertexBoxes& at = boxes_[static_cast<std::size_t>(body.first + vertex)];
    boxes.from.extend(at.from);
    boxes.to.extend(at.to);
  };
  float size = 0;
  if (body.shape->is_solid()) {
    for (const int v : body.shape->tets()[static_cast<std::size_t>(element)]) extend(v);
    size = kTorn * body.shape->width(element);
    if (widest(boxes.from) > size || widest(boxes.to) > size) return {};
  } else {
    for (int c = 0; c < 3; ++c) {
      const BodyPoint& corner = body.shape->corner(element, c);
      for (int j = 0; j < 4; ++j)
        if (corner.weights[j] != 0) extend(corner.vertices[j]);
    }
  }
  boxes.from.extend(boxes.to);
  return boxes.from;
}

// As the body's own frame sees it.
TreeBox BodyContactSearch::way_of(const Traveller& traveller, const Body& body) const {
  TreeBox box = TreeBox::around(traveller.from);
  box.extend(TreeBox::around(traveller.to - body.drift));
  return box;
}

BodyContactSearch::Traveller BodyContactSearch::traveller(const Model& model, const State& now, int collider) const {
  const BodyPoint& point = model.colliders[static_cast<std::size_t>(collider)];
  return {body_of_[static_cast<std::size_t>(collider)], &point, point.of(now.x), point.of(ends_), point.of(between_)};
}

void BodyContactSearch::look_at(const Model& model, const State& now, int collider, std::vector<Contact>& found) {
  const Traveller point = traveller(model, now, collider);
  auto& sides = sides_[static_cast<std::size_t>(collider)];
  const std::vector<Side> were = std::move(sides);
  sides.clear();
  for (const int b : bodies_[static_cast<std::size_t>(point.body)].partners) {
    const Body& body = bodies_[static_cast<std::size_t>(b)];
    if (body.shape->is_solid()) {
      meet_solid(model, now.x, point, b, were, sides, found);
    } else {
      meet_net(model, now.x, point, b, were, sides, found);
    }
  }
}

Contact BodyContactSearch::contact_at(const Model& model, const Traveller& traveller, const Body& body, int face,
                                      const Vec3& weights, const Vec3& n) const {
  std::array<std::pair<int, double>, BodyRow::kMost> parts;
  int count = 0;
  const auto add = [&](const BodyPoint& point, int first, double factor) {
    for (int j = 0; j < 4; ++j) {
      if (point.weights[j] == 0 || factor == 0) continue;
      const int v = first + point.vertices[j];
      const auto end = parts.begin() + count;
      const auto at = std::find_if(parts.begin(), end, [v](const auto& part) { return part.first == v; });
      if (at == end) parts[static_cast<std::size_t>(count++)] = {v, 0.0};
      at->second += factor * point.weights[j];
    }
  };
  add(*traveller.point, 0, 1);
  for (int c = 0; c < 3; ++c) add(body.shape->corner(face, c), body.first, -weights[c]);
  Contact contact;
  for (int k = 0; k < count; ++k)
    contact.point.add(parts[static_cast<std::size_t>(k)].first, parts[static_cast<std::size_t>(k)].second);
  contact.x_s = Vec3::Zero();
  contact.n = n;
  contact.stiffness = model.body_contact.stiffness;
  contact.friction = model.body_contact.friction;
  contact.moved = Vec3::Zero();
  contact.collider = static_cast<int>(traveller.point - model.colliders.data());
  return contact;
}

}  // namespace rebound::sim
