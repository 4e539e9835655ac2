// Which pairs of a contact surface are near one another: a point and a triangle, an edge and an edge. By box trees, one
// an object, that are refitted to where things are. A found list is in an order that depends on the surface alone.
#pragma once

#include "sim/collide/continuous.hpp"
#include "sim/contact/contact_surface.hpp"

namespace rebound::sim {

/// A point and a face, or two edges, of the surface; a point and an edge where that has no triangles around it.
struct NearPair {
  FeaturePair kind;
  int a, b;
  auto operator<=>(const NearPair&) const = default;
};

class ContactSearch {
 public:
  /// Both must outlive it. Pairs of one body are only looked for if the law says so.
  ContactSearch(const ContactSurface& surface, const Model& model);

  /// Appends those that may come as near as `reach` (m, besides their offsets) while all points go from p to p + d; d
  /// may be null. Pairs that nothing can move apart or together are left out.
  void find(const Points& p, const Points* d, double reach, Workers& workers, std::vector<NearPair>& found);

  /// Would find() append this pair?
  bool comes_near(const NearPair& pair, const Points& p, const Points& d, double reach) const;

  /// Appends the two objects of every pair that find() would append, each two once or more.
  void find_objects(const Points& p, const Points* d, double reach, Workers& workers,
                    std::vector<std::array<int, 2>>& found);

  /// Appends the edges and triangles, of which an edge may go through a triangle where all points are at p.
  void find_edges_and_faces(const Points& p, Workers& workers, std::vector<std::pair<int, int>>& found);

  /// The two of the surface that a pair belongs to; one, twice, of a pair within it.
  std::array<int, 2> objects(const NearPair& pair) const;
  /// The corners of a pair, and how far apart their middles are where they touch, m.
  std::array<int, 4> corners(const NearPair& pair) const;
  double offset(const NearPair& pair) const;
  /// A pair that goes from p to p + d.
  MovingPair moving(const NearPair& pair, const Points& p, const Points& d) const;

  /// What is said where so much is near that memory runs short.
  static constexpr std::string_view kRemedy = "take a shorter contact distance, or coarser surfaces";

 private:
  /// Two objects whose pairs are looked for: points (and the edges of a round one) of `a` with triangles of `b`, or the
  /// edges of both.
  struct Task {
    int a, b;
    FeaturePair kind;
  };
  /// Edges whose triangles, of object b, are looked for.
  struct EdgeTask {
    int b, first_edge, end_edge;
  };
  /// A piece of a tree that is to be fitted.
  struct TreePiece {
    int object;
    bool faces;
    int piece;
  };
  void fit(const Points& p, const Points* d, double reach, Workers& workers);
  bool may_meet(const ContactObject& a, const ContactObject& b) const;
  /// Fits the trees, and lists the tasks.
  void begin(const Points& p, const Points* d, double reach, Workers& workers);
  /// How far the boxes of a pair of two objects may be apart.
  float wide(const ContactObject& a, const ContactObject& b, double reach) const;
  /// Has the pair no corner twice, and is it the one that stands for both ways to look at it?
  bool counts(const Task& task, int first, int second) const;
  /// The features of a task's second object: their tree, and the first of them.
  const BoxTree& tree_of(const Task& task) const;
  int first_item(const Task& task) const;
  /// Is one of the first features that may be of a pair wanted? Looks no further than the first, and in no order of
  /// ours. is_wanted(feature, box, widened by how far the two may be apart).
  template <class IsWanted>
  bool any_first(const Task& task, double reach, const IsWanted& is_wanted) const;
  bool has_pair(const Task& task, double reach) const;
  /// In order.
  void look(const Task& task, double reach, std::vector<NearPair>& found) const;
  /// Appends the lists of all tasks, in order.
  void gather(std::vector<NearPair>& found);

  const ContactSurface& surface_;
  const Model& model_;
  std::vector<ContactObject> objects_;  ///< with trees where things are
  std::vector<TreeBox> ways_;           ///< around each object
  std::vector<TreeBox> point_ways_;     ///< around each point
  std::vector<TreePiece> tree_pieces_;
  std::vector<Task> tasks_;
  std::vector<std::vector<NearPair>> by_task_;
  std::vector<std::uint8_t> has_pair_;  ///< of each task
  std::vector<std::size_t> next_;       ///< of each list, while they are gathered
  std::vector<EdgeTask> edge_tasks_;
  std::vector<std::vector<std::pair<int, int>>> by_edge_task_;
};

}  // namespace rebound::sim
