#include "mesh/obj.hpp"
namespace rebound::mesh {
TEST(Obj, ConcaveQuad) {
  const Surface s =
      parse_obj("x.obj", "v 0 0 0\nv 1 1 0\nv 0 3 0\nv -1 1 0\nv 0 2.5 0 # far\nf 1 2 3 4\nf 1 2 5 # hello\n");
  EXPECT_EQ(s.triangles.size(), 3u);
}
}  // namespace rebound::mesh
