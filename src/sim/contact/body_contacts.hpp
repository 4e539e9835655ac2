// Where bodies meet one another, and themselves, in a step.
//
// A point of the surface that is inside a tet of another body, or of another part of its own, is held by a repulsion
// spring to the spot of that body's surface that is nearest [Gast15 Sec. 5.3]: by way of the rest shape, in which the
// spot is sought first, it is a spot of the part that the tet belongs to, however many others lie across. A point
// within `thickness` of a face of a net is kept on the side it comes from. Each spring is between the point and the
// spot, which are both of bodies: linear momentum stays to rounding, angular momentum as far as the two stay above one
// another. So spot and direction are those where forces have their arms. Bodies that overlap when
// contacts begin go on passing through one another: else they would fly apart at once.
//
// A spot is only met by a point of whose own surface some side looks towards it: the middle of a flat side that slides
// in under another body's edge has its nearest way out along that side, and would be stopped by it.
//
// A point that has just been pushed out may come back within a step that nobody foresees: its spring stays until it is
// some way off.
//
// We differ: the energy is k/2 d^2, as that of obstacles, in the place of about k d^3; and a spring is inserted as well
// where bodies that went on as they do would meet within the step, as with obstacles. What is as in the paper is
// find_inside(), for the energy of cubic_contacts.hpp.
#pragma once

#include <optional>

#include "sim/collide/contact_body.hpp"
#include "sim/model/model.hpp"
#include "sim/model/state.hpp"

namespace rebound::sim {

/// What a search remembers of the step before.
struct BodyContactMemory {
  /// The face that a point was at, and on which side of it.
  struct Side {
    int body, face;
    double sign;
  };
  std::vector<std::pair<int, std::vector<Side>>> sides;  ///< of those colliders that were at any
  std::vector<std::pair<int, int>> left_out;             ///< bodies, in order
  bool begins = true;                                    ///< nothing has been found yet
};

/// A collider that is inside a tet of a body, and the spot of its surface that is nearest.
struct InsidePoint {
  int collider, body;
  SurfaceSpot spot;
};

class BodyContactSearch {
 public:
  /// Of the model's contact_bodies, which must be there, one per body.
  explicit BodyContactSearch(const Model& model);

  /// What follows is not the motion that was.
  void forget() { recall({}); }
  BodyContactMemory memory() const;
  void recall(const BodyContactMemory& memory);
  /// Appends the contacts of a step of h seconds from `now`, in the order of the points. arm: such a step changes
  /// angular momentum by the moments of its forces about x_n + arm (x_{n+1} - x_n). The model may be another one of the
  /// same bodies.
  void find(const Model& model, const State& now, double h, double arm, Workers& workers, std::vector<Contact>& found);
  /// The points that are inside where vertices are at x, in their order. It depends on x and the law alone: what was
  /// found before is where a search begins, no more. What a point is a corner of does not count.
  std::vector<InsidePoint> find_inside(const Model& model, const Points& x, Workers& workers);

 private:
  struct Body {
    int first = 0;
    std::shared_ptr<const ContactBody> shape;
    BoxTree surface;       ///< its faces, for find_inside()
    BoxTree elements;      ///< where they are on their way through the step, seen from a frame that drifts along
    Vec3 drift{0, 0, 0};   ///< m, how far that frame goes
    TreeBox way;           ///< around the body on its way
    double thickness = 0;  ///< m, of a net
    bool searched = false;
    TreeBox cage;               ///< around the surface on its way, seen from that frame, where one tet carries it all
    std::vector<int> partners;  ///< whose elements its points may meet in this step
  };
  /// A point on its way through the step.
  struct Traveller {
    int body;
    const BodyPoint* point;
    Vec3 from, to;  ///< m
    Vec3 between;   ///< m, where forces have their arms
  };
  using Side = BodyContactMemory::Side;
  struct VertexBoxes {
    TreeBox from, to;
  };
  /// A way out of a body.
  struct WayOut {
    SurfaceSpot spot;
    double depth = 0;  ///< m, at rest
  };
  using BodyPair = std::pair<int, int>;

  void predict(const Model& model, const State& now, double h, double arm, Workers& workers);
  void fit_bodies(const Model& model, const State& now, Workers& workers);
  void choose_partners(const BodyContactLaw& law);
  void leave_out_what_overlaps(const Model& model, const State& now, Workers& workers);
  TreeBox element_box(const Body& body, int element) const;
  VertexBoxes cage_boxes(const Body& body, const Points& x) const;
  TreeBox way_of(const Traveller& traveller, const Body& body) const;
  Traveller traveller(const Model& model, const State& now, int collider) const;
  /// Calls look(collider, found by its piece) for each collider, and returns what was found in their order.
  template <class Found, class Look>
  std::vector<Found> each_collider(Workers& workers, const Look& look) const;
  void look_at(const Model& model, const State& now, int collider, std::vector<Contact>& found);

  bool is_own(const Traveller& traveller, const Body& body) const;
  static Vec3 place_at_rest(const BodyPoint& point, const Body& body);
  /// reach: m; tets of the point's own body that were nearer to it at rest are left out, as are those that carry it.
  std::array<WayOut, 2> ways_out(const Points& x, const Traveller& traveller, const Body& body, double reach) const;
  /// known: faces to begin with, -1 for none.
  SurfaceSpot nearest_spot(const Points& x, const Traveller& traveller, const Body& body,
                           const std::array<int, 2>& known) const;
  void look_inside(const Model& model, int collider, std::vector<InsidePoint>& found);
  void meet_solid(const Model& model, const Points& x, const Traveller& traveller, int body,
                  const std::vector<Side>& were, std::vector<Side>& are, std::vector<Contact>& found) const;
  void meet_net(const Model& model, const Points& x, const Traveller& traveller, int body,
                const std::vector<Side>& were, std::vector<Side>& are, std::vector<Contact>& found) const;
  Contact contact_at(const Model& model, const Traveller& traveller, const Body& body, int face, const Vec3& weights,
                     const Vec3& n) const;

  std::vector<Body> bodies_;
  std::vector<int> body_of_;  ///< a collider
  State still_;               ///< where find_inside() looks
  Points ends_;               ///< n x 3, m, where vertices would be after the step if only gravity acted
  Points between_;            ///< n x 3, m, on the way there, where forces have their arms
  std::vector<VertexBoxes> boxes_;
  std::vector<std::vector<Side>> sides_;  ///< a collider
  std::vector<BodyPair> left_out_;        ///< in order
  bool begins_ = true;                    ///< nothing has been found yet since forget()
};

/// The weights of a tet's corners that give p, if p is inside, or anywhere at all.
std::optional<Eigen::Vector4d> weights_inside(const std::array<Vec3, 4>& corners, const Vec3& p, bool anywhere = false);

}  // namespace rebound::sim
