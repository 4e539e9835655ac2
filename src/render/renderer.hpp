// Draws a View into a viewport of whatever framebuffer is bound.
#pragma once

#include <memory>

#include "render/view.hpp"

namespace rebound::render {

enum class Antialiasing { none, fxaa, msaa4 };
enum class ShadowQuality { off, fast, fine };

struct RenderSettings {
  Antialiasing antialiasing = Antialiasing::msaa4;
  ShadowQuality shadows = ShadowQuality::fine;

  /// What this machine draws at full speed: no samples and small shadow maps where the processor draws.
  static RenderSettings for_current_context();
  /// The best picture whatever the time it takes, for images and videos.
  static RenderSettings finest() { return {Antialiasing::msaa4, ShadowQuality::fine}; }

  bool operator==(const RenderSettings&) const = default;
};

/// Needs its GL context current, from construction to destruction. It leaves the framebuffer and viewport as it found
/// them, and depth test, blending, scissor, face culling, vertex array and program off.
class Renderer {
 public:
  /// Throws GlError if the context is unfit. Load the functions first (gl::load).
  explicit Renderer(const RenderSettings& settings = RenderSettings::for_current_context());
  ~Renderer();
  Renderer(Renderer&&) noexcept;
  Renderer& operator=(Renderer&&) noexcept;

  const RenderSettings& settings() const;
  void set_settings(const RenderSettings& settings);

  /// Nothing is drawn into an empty viewport. The bound framebuffer needs depth bits only without antialiasing, and
  /// must not have samples of its own.
  void draw(const View& view, const Viewport& viewport);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace rebound::render
