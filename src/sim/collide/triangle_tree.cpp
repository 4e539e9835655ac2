#include "sim/collide/triangle_tree.hpp"

#include <embree3/rtcore.h>

#include <algorithm>
#include <limits>
#include <new>

namespace rebound::sim {
namespace {

// What rounding to a float, and Embree's own arithmetic, may change, as a share of the coordinates.
constexpr double kBoundSlack = 1e-6;
// So many times the surface's size away, floats tell its triangles no longer apart.
constexpr double kFar = 1e5;

struct Visit {
  double unit, slack;
  const void* look;
  double (*call)(const void*, int);

  float radius(double reach) const { return static_cast<float>(reach / unit * (1 + kBoundSlack) + slack); }
};

bool look_at(RTCPointQueryFunctionArguments* arguments) {
  const auto& visit = *static_cast<const Visit*>(arguments->userPtr);
  const float radius = visit.radius(visit.call(visit.look, static_cast<int>(arguments->primID)));
  if (!(radius < arguments->query->radius)) return false;
  arguments->query->radius = radius;
  return true;
}

}  // namespace

struct TriangleTree::Scene {
  // It is built once, and by the thread that asks for it.
  RTCDevice device = rtcNewDevice("threads=1");
  RTCScene scene = device == nullptr ? nullptr : rtcNewScene(device);

  Scene() = default;
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;
  ~Scene() {
    if (scene != nullptr) rtcReleaseScene(scene);
    if (device != nullptr) rtcReleaseDevice(device);
  }
};

TriangleTree::TriangleTree(const Points& points, const std::vector<std::array<int, 3>>& triangles)
    : count_(static_cast<int>(triangles.size())), scene_(std::make_unique<Scene>()) {
  for (const auto& triangle : triangles)
    for (const int v : triangle) bounds_.extend(points.row(v).transpose());
  centre_ = bounds_.center();
  unit_ = std::max(0.5 * bounds_.sizes().maxCoeff(), std::numeric_limits<double>::min());
  if (scene_->scene == nullptr) throw std::bad_alloc();

  RTCGeometry geometry = rtcNewGeometry(scene_->device, RTC_GEOMETRY_TYPE_TRIANGLE);
  auto* corners =
      static_cast<float*>(rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                                  3 * sizeof(float), static_cast<std::size_t>(points.rows())));
  auto* indices = static_cast<unsigned*>(rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                                                 3 * sizeof(unsigned), triangles.size()));
  if (corners == nullptr || indices == nullptr) {
    rtcReleaseGeometry(geometry);
    throw std::bad_alloc();
  }
  for (Eigen::Index v = 0; v < points.rows(); ++v)
    for (int c = 0; c < 3; ++c) *corners++ = static_cast<float>((points(v, c) - centre_[c]) / unit_);
  for (const auto& triangle : triangles)
    for (const int v : triangle) *indices++ = static_cast<unsigned>(v);
  rtcCommitGeometry(geometry);
  rtcAttachGeometry(scene_->scene, geometry);
  rtcReleaseGeometry(geometry);
  rtcSetSceneBuildQuality(scene_->scene, RTC_BUILD_QUALITY_HIGH);
  rtcSetSceneFlags(scene_->scene, RTC_SCENE_FLAG_ROBUST);
  rtcCommitScene(scene_->scene);
  if (rtcGetDeviceError(scene_->device) != RTC_ERROR_NONE) throw std::bad_alloc();
}

TriangleTree::~TriangleTree() = default;

void TriangleTree::visit_erased(const Vec3& p, double reach, const void* look, Call call) const {
  const Vec3 at = (p - centre_) / unit_;
  const double away = at.cwiseAbs().maxCoeff();
  if (!(away < kFar)) {
    for (int t = 0; t < count_; ++t) call(look, t);
    return;
  }
  Visit visit{unit_, kBoundSlack * (1 + away), look, call};
  RTCPointQueryContext context;
  rtcInitPointQueryContext(&context);
  RTCPointQuery query{static_cast<float>(at.x()), static_cast<float>(at.y()), static_cast<float>(at.z()), 0,
                      visit.radius(reach)};
  rtcPointQuery(scene_->scene, &query, &context, look_at, &visit);
}

}  // namespace rebound::sim
