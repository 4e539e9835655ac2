#include "app/icons.hpp"

#include <array>
#include <cmath>

namespace rebound::app {
namespace {

constexpr float kPi = 3.14159265f;

/// Draws in a square from -1 to 1.
struct Pen {
  ImDrawList& list;
  ImVec2 centre;
  float radius;
  ImU32 color;
  float thickness;

  ImVec2 at(float x, float y) const { return {centre.x + radius * x, centre.y + radius * y}; }
  void line(float x0, float y0, float x1, float y1) const { list.AddLine(at(x0, y0), at(x1, y1), color, thickness); }
  void rect(float x0, float y0, float x1, float y1, float rounding = 0.2f) const {
    list.AddRect(at(x0, y0), at(x1, y1), color, rounding * radius, 0, thickness);
  }
  void bar(float x0, float y0, float x1, float y1) const {
    list.AddRectFilled(at(x0, y0), at(x1, y1), color, 0.12f * radius);
  }
  void triangle(float x0, float y0, float x1, float y1, float x2, float y2) const {
    list.AddTriangleFilled(at(x0, y0), at(x1, y1), at(x2, y2), color);
  }
  void circle(float x, float y, float r) const { list.AddCircle(at(x, y), r * radius, color, 0, thickness); }
  void arc(float r, float from, float to) const {
    list.PathArcTo(centre, r * radius, from, to, 24);
    list.PathStroke(color, 0, thickness);
  }
};

void draw_reset(const Pen& pen) {
  pen.arc(0.78f, -0.35f * kPi, 1.25f * kPi);
  const float end = -0.35f * kPi, x = 0.78f * std::cos(end), y = 0.78f * std::sin(end);
  pen.triangle(x - 0.55f, y - 0.12f, x + 0.12f, y - 0.45f, x + 0.12f, y + 0.35f);
}

/// An arrow that turns back, to the left or, with -1, to the right.
void draw_turn(const Pen& pen, float side) {
  constexpr float r = 0.5f;
  pen.line(side * -0.6f, -0.3f, side * 0.3f, -0.3f);
  pen.list.PathArcTo(pen.at(side * 0.3f, -0.3f + r), r * pen.radius, -0.5f * kPi, side > 0 ? 0.5f * kPi : -1.5f * kPi,
                     16);
  pen.list.PathStroke(pen.color, 0, pen.thickness);
  pen.line(side * 0.3f, -0.3f + 2 * r, side * -0.3f, -0.3f + 2 * r);
  pen.triangle(side * -0.95f, -0.3f, side * -0.4f, -0.75f, side * -0.4f, 0.15f);
}

void draw_layers(const Pen& pen) {
  pen.rect(-0.9f, -0.9f, 0.4f, 0.4f);
  pen.rect(-0.4f, -0.4f, 0.9f, 0.9f);
}

void draw_sun(const Pen& pen) {
  pen.circle(0, 0, 0.42f);
  for (int i = 0; i < 8; ++i) {
    const float c = std::cos(static_cast<float>(i) * kPi / 4), s = std::sin(static_cast<float>(i) * kPi / 4);
    pen.line(0.68f * c, 0.68f * s, 0.95f * c, 0.95f * s);
  }
}

void draw_moon(const Pen& pen) {
  pen.list.PathArcTo(pen.at(0, 0), 0.82f * pen.radius, 0.02f * kPi, 1.48f * kPi, 24);
  pen.list.PathArcTo(pen.at(0.42f, -0.38f), 0.62f * pen.radius, 1.2f * kPi, 0.3f * kPi, 24);
  pen.list.PathStroke(pen.color, ImDrawFlags_Closed, pen.thickness);
}

void draw_camera(const Pen& pen) {
  pen.rect(-0.95f, -0.5f, 0.95f, 0.75f, 0.25f);
  pen.circle(0, 0.12f, 0.36f);
  pen.line(-0.35f, -0.72f, 0.35f, -0.72f);
}

void draw_record(const Pen& pen) {
  pen.circle(0, 0, 0.9f);
  pen.list.AddCircleFilled(pen.centre, 0.5f * pen.radius, pen.color);
}

void draw_help(const Pen& pen) {
  pen.circle(0, 0, 0.92f);
  const float size = 1.45f * pen.radius;
  ImFont* font = ImGui::GetFont();
  const ImVec2 extent = font->CalcTextSizeA(size, FLT_MAX, 0, "?");
  pen.list.AddText(font, size, {pen.centre.x - extent.x / 2, pen.centre.y - extent.y / 2}, pen.color, "?");
}

void draw_box(const Pen& pen) {
  for (const float y : {-0.85f, 0.85f}) {
    pen.line(-0.85f, y, -0.4f, y);
    pen.line(0.4f, y, 0.85f, y);
    pen.line(-0.85f, y, -0.85f, 0.45f * y);
    pen.line(0.85f, y, 0.85f, 0.45f * y);
  }
  pen.list.AddCircleFilled(pen.centre, 0.28f * pen.radius, pen.color);
}

void draw_open(const Pen& pen) {
  pen.list.AddPolyline(std::array{pen.at(-0.9f, 0.7f), pen.at(-0.9f, -0.65f), pen.at(-0.3f, -0.65f),
                                  pen.at(-0.1f, -0.4f), pen.at(0.9f, -0.4f), pen.at(0.9f, 0.7f)}
                           .data(),
                       6, pen.color, ImDrawFlags_Closed, pen.thickness);
}

void draw_chart(const Pen& pen) {
  pen.line(-0.85f, -0.8f, -0.85f, 0.85f);
  pen.line(-0.85f, 0.85f, 0.9f, 0.85f);
  pen.line(-0.55f, 0.4f, -0.1f, -0.2f);
  pen.line(-0.1f, -0.2f, 0.25f, 0.2f);
  pen.line(0.25f, 0.2f, 0.85f, -0.65f);
}

void draw_wire(const Pen& pen) {
  pen.list.AddTriangle(pen.at(0, -0.9f), pen.at(0.95f, 0.75f), pen.at(-0.95f, 0.75f), pen.color, pen.thickness);
  pen.line(0, -0.9f, 0, 0.75f);
  pen.line(-0.48f, -0.07f, 0.48f, -0.07f);
}

void draw_save(const Pen& pen) {
  pen.line(0, -0.85f, 0, 0.3f);
  pen.triangle(-0.45f, -0.05f, 0.45f, -0.05f, 0, 0.5f);
  pen.line(-0.85f, 0.85f, 0.85f, 0.85f);
}

}  // namespace

void draw_icon(ImDrawList& list, Icon icon, ImVec2 centre, float radius, ImU32 color, float thickness) {
  const Pen pen{list, centre, radius, color, thickness};
  switch (icon) {
    case Icon::play:
      pen.triangle(-0.6f, -0.85f, 0.9f, 0, -0.6f, 0.85f);
      break;
    case Icon::pause:
      pen.bar(-0.65f, -0.8f, -0.15f, 0.8f);
      pen.bar(0.15f, -0.8f, 0.65f, 0.8f);
      break;
    case Icon::step:
      pen.triangle(-0.8f, -0.8f, 0.4f, 0, -0.8f, 0.8f);
      pen.bar(0.45f, -0.8f, 0.8f, 0.8f);
      break;
    case Icon::reset:
      draw_reset(pen);
      break;
    case Icon::open:
      draw_open(pen);
      break;
    case Icon::save:
      draw_save(pen);
      break;
    case Icon::undo:
      draw_turn(pen, 1);
      break;
    case Icon::redo:
      draw_turn(pen, -1);
      break;
    case Icon::plus:
      pen.line(-0.8f, 0, 0.8f, 0);
      pen.line(0, -0.8f, 0, 0.8f);
      break;
    case Icon::cross:
      pen.line(-0.7f, -0.7f, 0.7f, 0.7f);
      pen.line(-0.7f, 0.7f, 0.7f, -0.7f);
      break;
    case Icon::layers:
      draw_layers(pen);
      break;
    case Icon::camera:
      draw_camera(pen);
      break;
    case Icon::record:
      draw_record(pen);
      break;
    case Icon::help:
      draw_help(pen);
      break;
    case Icon::chart:
      draw_chart(pen);
      break;
    case Icon::sun:
      draw_sun(pen);
      break;
    case Icon::moon:
      draw_moon(pen);
      break;
    case Icon::box:
      draw_box(pen);
      break;
    case Icon::wire:
      draw_wire(pen);
      break;
    case Icon::chevron_down:
      pen.line(-1, -0.5f, 0, 0.5f);
      pen.line(0, 0.5f, 1, -0.5f);
      break;
    case Icon::chevron_right:
      pen.line(-0.5f, -1, 0.5f, 0);
      pen.line(0.5f, 0, -0.5f, 1);
      break;
    case Icon::panels:
      pen.rect(-0.9f, -0.75f, 0.9f, 0.75f);
      pen.line(0.3f, -0.75f, 0.3f, 0.75f);
      break;
  }
}

}  // namespace rebound::app
