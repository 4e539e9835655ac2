#include "film/motion_file.hpp"

#define TINYGLTF_NO_STB_IMAGE
#define TINYGLTF_NO_STB_IMAGE_WRITE
#include <tiny_gltf.h>

#include <algorithm>
#include <cmath>
#include <ostream>
#include <streambuf>

#include "mesh/error.hpp"
#include "render/theme.hpp"
#include "session/output_file.hpp"

namespace rebound::film {
namespace fs = std::filesystem;
namespace {

using Floats = std::vector<float>;

// Sizes and offsets of the format's pieces are 32-bit numbers, signed in many readers.
constexpr std::size_t kMostBytes = (std::size_t{1} << 31) - 1;
// A weight for each frame and target.
constexpr std::size_t kMostFrames = 46'000;

/// What the library writes goes on to our file, which notices a full disk.
class FileBuffer : public std::streambuf {
 public:
  explicit FileBuffer(session::OutputFile& file) : file_(file) {}

 protected:
  std::streamsize xsputn(const char* data, std::streamsize size) override {
    file_.write({data, static_cast<std::size_t>(size)});
    return size;
  }
  int_type overflow(int_type c) override {
    const char byte = traits_type::to_char_type(c);
    xsputn(&byte, 1);
    return c;
  }

 private:
  session::OutputFile& file_;
};

Floats difference(const Floats& now, const Floats& base) {
  Floats result(base.size());
  for (std::size_t i = 0; i < std::min(now.size(), base.size()); ++i) result[i] = now[i] - base[i];
  return result;
}

std::string name_of(const std::string& name, std::size_t body) {
  return name.empty() ? "body " + std::to_string(body) : name;
}

/// A glTF model whose one buffer grows as pieces are appended.
class Scene {
 public:
  Scene() {
    model.asset.version = "2.0";
    model.asset.generator = "Rebound";
    model.buffers.emplace_back();
  }

  std::size_t bytes() const { return model.buffers[0].data.size(); }

  /// Three floats an element.
  int add_vectors(const Floats& values) {
    const int accessor = add_piece(values.data(), values.size() / 3, 12, TINYGLTF_COMPONENT_TYPE_FLOAT,
                                   TINYGLTF_TYPE_VEC3, TINYGLTF_TARGET_ARRAY_BUFFER);
    auto& a = model.accessors[static_cast<std::size_t>(accessor)];
    a.minValues.assign(3, values.empty() ? 0 : INFINITY);
    a.maxValues.assign(3, values.empty() ? 0 : -INFINITY);
    for (std::size_t i = 0; i < values.size(); ++i) {
      a.minValues[i % 3] = std::min(a.minValues[i % 3], static_cast<double>(values[i]));
      a.maxValues[i % 3] = std::max(a.maxValues[i % 3], static_cast<double>(values[i]));
    }
    return accessor;
  }

  int add_indices(const std::vector<std::uint32_t>& indices) {
    return add_piece(indices.data(), indices.size(), 4, TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT, TINYGLTF_TYPE_SCALAR,
                     TINYGLTF_TARGET_ELEMENT_ARRAY_BUFFER);
  }

  int add_times(const Floats& times) {
    const int accessor =
        add_piece(times.data(), times.size(), 4, TINYGLTF_COMPONENT_TYPE_FLOAT, TINYGLTF_TYPE_SCALAR, 0);
    auto& a = model.accessors[static_cast<std::size_t>(accessor)];
    a.minValues = {times.front()};
    a.maxValues = {times.back()};
    return accessor;
  }

  /// All weights at each of `frames` times: nothing at the first, which is the mesh itself, and after that 1 for the
  /// frame's own target. All but those ones are left out of the file.
  int add_weights(std::size_t frames) {
    const std::size_t targets = frames - 1;
    std::vector<std::uint32_t> places;
    for (std::size_t k = 1; k < frames; ++k) places.push_back(static_cast<std::uint32_t>(k * targets + k - 1));
    const Floats ones(targets, 1.0f);
    tinygltf::Accessor a;
    a.bufferView = -1;
    a.componentType = TINYGLTF_COMPONENT_TYPE_FLOAT;
    a.type = TINYGLTF_TYPE_SCALAR;
    a.count = frames * targets;
    a.sparse.isSparse = true;
    a.sparse.count = static_cast<int>(targets);
    a.sparse.indices.bufferView = add_view(places.data(), 4 * places.size(), 0);
    a.sparse.indices.byteOffset = 0;
    a.sparse.indices.componentType = TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT;
    a.sparse.values.bufferView = add_view(ones.data(), 4 * ones.size(), 0);
    a.sparse.values.byteOffset = 0;
    model.accessors.push_back(std::move(a));
    return static_cast<int>(model.accessors.size()) - 1;
  }

  tinygltf::Model model;

 private:
  int add_view(const void* data, std::size_t size, int target) {
    auto& buffer = model.buffers[0].data;
    tinygltf::BufferView view;
    view.buffer = 0;
    view.byteOffset = buffer.size();
    view.byteLength = size;
    view.target = target;
    const auto* begin = static_cast<const unsigned char*>(data);
    buffer.insert(buffer.end(), begin, begin + size);
    model.bufferViews.push_back(std::move(view));
    return static_cast<int>(model.bufferViews.size()) - 1;
  }

  int add_piece(const void* data, std::size_t count, std::size_t element, int component, int type, int target) {
    tinygltf::Accessor a;
    a.bufferView = add_view(data, element * count, target);
    a.componentType = component;
    a.type = type;
    a.count = count;
    model.accessors.push_back(std::move(a));
    return static_cast<int>(model.accessors.size()) - 1;
  }
};

std::vector<std::uint32_t> corners_of(const scene::BodyGeometry& body) {
  std::vector<std::uint32_t> corners;
  const auto append = [&corners](const auto& element) {
    for (const int vertex : element) corners.push_back(static_cast<std::uint32_t>(vertex));
  };
  for (const auto& triangle : body.surface.triangles) append(triangle);
  if (body.surface.triangles.empty())
    for (const auto& edge : body.edges()) append(edge);
  return corners;
}

}  // namespace

Floats vertex_normals(const Floats& positions, const std::vector<mesh::Triangle>& triangles) {
  using Vec3 = Eigen::Vector3f;
  const auto at = [](auto& values, int vertex) {
    using Map =
        Eigen::Map<std::conditional_t<std::is_const_v<std::remove_reference_t<decltype(values)>>, const Vec3, Vec3>>;
    return Map(values.data() + 3 * static_cast<std::size_t>(vertex));
  };
  Floats normals(positions.size(), 0);
  for (const auto& [a, b, c] : triangles) {
    const Vec3 area = (at(positions, b) - at(positions, a)).cross(at(positions, c) - at(positions, a));
    for (const int vertex : {a, b, c}) at(normals, vertex) += area;
  }
  for (std::size_t i = 0; i < normals.size() / 3; ++i) {
    auto normal = at(normals, static_cast<int>(i));
    const float length = normal.norm();
    normal = length > 0 && std::isfinite(length) ? Vec3(normal / length) : Vec3::UnitY();
  }
  return normals;
}

struct MotionFile::Parts {
  struct Body {
    const scene::BodyGeometry* geometry = nullptr;
    std::string name;
    Floats positions, normals;                        ///< of the first frame
    int position = -1, normal = -1;                   ///< accessors
    std::vector<std::map<std::string, int>> targets;  ///< one per frame, from the second on
  };

  Parts(const fs::path& path, const scene::WorldView& world) : path_(path), file_(path) {
    for (std::size_t i = 0; i < world.bodies.size(); ++i) {
      bodies_.emplace_back();
      bodies_.back().geometry = &world.bodies[i];
      bodies_.back().name = name_of(world.description.bodies[i].name, i);
    }
  }

  void add(Body& body, const Floats& positions) {
    const bool solid = !body.geometry->surface.triangles.empty();
    const Floats normals = solid ? vertex_normals(positions, body.geometry->surface.triangles) : Floats();
    if (times_.empty()) {
      body.positions = positions;
      body.normals = normals;
      body.position = scene_.add_vectors(positions);
      if (solid) body.normal = scene_.add_vectors(normals);
      return;
    }
    std::map<std::string, int> target{{"POSITION", scene_.add_vectors(difference(positions, body.positions))}};
    if (solid) target["NORMAL"] = scene_.add_vectors(difference(normals, body.normals));
    body.targets.push_back(std::move(target));
  }

  int material(std::size_t body) {
    const auto& series = render::dark_theme().series;
    const render::Vec3 color = render::linear(series[body % series.size()]);
    tinygltf::Material material;
    material.name = bodies_[body].name;
    material.doubleSided = true;
    material.pbrMetallicRoughness.baseColorFactor = {color.x(), color.y(), color.z(), 1};
    material.pbrMetallicRoughness.metallicFactor = 0;
    material.pbrMetallicRoughness.roughnessFactor = 0.6;
    scene_.model.materials.push_back(std::move(material));
    return static_cast<int>(scene_.model.materials.size()) - 1;
  }

  void add_mesh(std::size_t place) {
    Body& body = bodies_[place];
    tinygltf::Primitive primitive;
    primitive.mode = body.normal >= 0 ? TINYGLTF_MODE_TRIANGLES : TINYGLTF_MODE_LINE;
    primitive.attributes["POSITION"] = body.position;
    if (body.normal >= 0) primitive.attributes["NORMAL"] = body.normal;
    primitive.indices = scene_.add_indices(corners_of(*body.geometry));
    primitive.material = material(place);
    primitive.targets = std::move(body.targets);
    tinygltf::Mesh mesh;
    mesh.name = body.name;
    mesh.weights.assign(primitive.targets.size(), 0);
    tinygltf::Value::Array names;
    for (std::size_t k = 1; k <= primitive.targets.size(); ++k)
      names.emplace_back(tinygltf::Value("frame " + std::to_string(k)));
    mesh.extras = tinygltf::Value(tinygltf::Value::Object{{"targetNames", tinygltf::Value(std::move(names))}});
    mesh.primitives.push_back(std::move(primitive));
    scene_.model.meshes.push_back(std::move(mesh));
    tinygltf::Node node;
    node.name = body.name;
    node.mesh = static_cast<int>(place);
    scene_.model.nodes.push_back(std::move(node));
  }

  void add_animation() {
    tinygltf::Animation animation;
    animation.name = "motion";
    tinygltf::AnimationSampler sampler;
    sampler.input = scene_.add_times(times_);
    sampler.output = scene_.add_weights(times_.size());
    sampler.interpolation = "LINEAR";
    animation.samplers.push_back(sampler);
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      tinygltf::AnimationChannel channel;
      channel.sampler = 0;
      channel.target_node = static_cast<int>(i);
      channel.target_path = "weights";
      animation.channels.push_back(channel);
    }
    scene_.model.animations.push_back(std::move(animation));
  }

  void finish() {
    tinygltf::Scene all;
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      add_mesh(i);
      all.nodes.push_back(static_cast<int>(i));
    }
    scene_.model.scenes.push_back(std::move(all));
    scene_.model.defaultScene = 0;
    if (times_.size() > 1) add_animation();
    FileBuffer buffer(file_);
    std::ostream stream(&buffer);
    // A stream keeps what is thrown in it to itself unless it is told.
    stream.exceptions(std::ios::badbit | std::ios::failbit);
    if (!tinygltf::TinyGLTF().WriteGltfSceneToStream(&scene_.model, stream, false, true))
      throw InputError(path_.string() + ": the motion cannot be written");
    file_.commit();
  }

  fs::path path_;
  session::OutputFile file_;
  std::vector<Body> bodies_;
  Floats times_;
  Scene scene_;
};

MotionFile::MotionFile(const fs::path& path, const scene::WorldView& world) {
  if (path.extension() != ".glb") throw InputError(path.string() + ": the name of a motion file ends in .glb");
  parts_ = std::make_unique<Parts>(path, world);
}

MotionFile::~MotionFile() = default;

void MotionFile::add(const session::Snapshot& moment) {
  Parts& p = *parts_;
  const auto time = static_cast<float>(moment.record.time);
  if (!p.times_.empty() && time <= p.times_.back()) return;
  std::size_t more = 0;
  for (const auto& surface : moment.surfaces) more += 2 * sizeof(float) * surface.size();
  if (p.scene_.bytes() + more > kMostBytes || p.times_.size() >= kMostFrames)
    throw InputError(p.path_.string() + ": after " + std::to_string(p.times_.size()) +
                     " frames the file is as large as its format permits (2 GB, 46,000 frames); ask for fewer with "
                     "--frames, or for --meshes");
  for (std::size_t i = 0; i < p.bodies_.size(); ++i) p.add(p.bodies_[i], moment.surfaces[i]);
  p.times_.push_back(time);
}

void MotionFile::commit() { parts_->finish(); }

}  // namespace rebound::film
