// What a test sees of the window: a line of JSON now and then.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/application.hpp"

namespace rebound::app {

/// Of the bodies in the first pane, as shares of its width and height: left, top, right, bottom.
std::array<float, 4> Application::bounds_in_picture() const {
  const render::Camera& camera = canvas_.camera();
  const render::Box box = canvas_.picture().bounds();
  std::array<float, 4> shares{1e9f, 1e9f, -1e9f, -1e9f};
  for (int i = 0; i < 8 && !box.isEmpty(); ++i) {
    const Vec2 at =
        camera.project(box.corner(static_cast<render::Box::CornerType>(i)))
            .pixel.cwiseQuotient(Vec2(static_cast<float>(camera.width()), static_cast<float>(camera.height())));
    shares = {std::min(shares[0], at.x()), std::min(shares[1], at.y()), std::max(shares[2], at.x()),
              std::max(shares[3], at.y())};
  }
  return shares;
}

/// The ends of the chosen obstacle's arrows, and a point of each ring, pixels of the window.
nlohmann::json Application::handles_in_window() {
  auto handles = nlohmann::json::array();
  const int chosen = controller_.under_mouse().chosen_obstacle();
  if (chosen < 0 || static_cast<std::size_t>(chosen) >= stage_->now().obstacles.size()) return handles;
  const Rect& p = panes_.place_of(stage_->chosen());
  const float density = window_.density();
  const Gizmo gizmo(canvas_.camera(), Hand::gizmo_centre(*stage_, chosen), window_.content_scale());
  for (const GizmoPart& part : kGizmoParts) {
    const auto line = gizmo.line(part);
    // An eighth of a turn from where rings cross.
    const Vec2 at = line[part.turns ? line.size() / 8 : line.size() - 1];
    handles.push_back({at.x() + p.x * density, at.y() + p.y * density});
  }
  return handles;
}

void Application::trace(const Layout& layout) {
  nlohmann::ordered_json line = {{"draws", draws_},
                                 {"longestGap", std::exchange(longest_gap_, 0)},
                                 {"glErrors", gl_errors_},
                                 {"loading", opener_.busy()},
                                 {"message", messages_.latest()},
                                 {"dialog", messages_.dialog()},
                                 {"help", controller_.help_is_open()},
                                 {"question", controller_.arrivals().question()},
                                 {"dark", settings_.dark},
                                 {"panels", settings_.panels},
                                 {"recording", described(conductor_.recorder())}};
  if (stage_) {
    line.update(described(*stage_));
    const float density = window_.density();
    const auto pixels = [density](const Rect& p) {
      return nlohmann::json::array({p.x * density, p.y * density, p.width * density, p.height * density});
    };
    line["picture"] = pixels(layout.picture);
    line["timeline"] = pixels(layout.timeline);
    line["overlaid"] = settings_.overlaid;
    line["typing"] = {{"text", typing_.text}, {"active", typing_.field != 0}, {"refusal", typing_.refusal}};
    line["timeStep"] = stage_->now().description.timeStep;
    line["fields"] = nlohmann::json::object();
    for (const auto& [key, at] : fields_)
      line["fields"][key] = {std::round(at.x * density), std::round(at.y * density)};
    line["browser"] = dialog_.described();
    line["hint"] = hint_.shown ? hint_.to_try : "";
    line["hints"] = hint_.shown;
    auto cards = nlohmann::json::array();
    if (hint_.shown) cards.push_back({hint_.at.x, hint_.at.y, hint_.at.width, hint_.at.height});
    for (const Rect& banner : banners_) cards.push_back({banner.x, banner.y, banner.width, banner.height});
    line["cards"] = cards;
    line["gallery"] = nlohmann::json::object();
    if (gallery_.is_open())
      for (const auto& [name, at] : gallery_.cards())
        line["gallery"][name] = {std::round(at.x * density), std::round(at.y * density)};
    line["toasts"] = messages_.described();
    auto toasts = nlohmann::json::array();
    std::ranges::transform(messages_.places(), std::back_inserter(toasts), pixels);
    line["toastPlaces"] = toasts;
    line["follows"] = canvas_.follows();
    line["bounds"] = bounds_in_picture();
    auto places = nlohmann::json::array();
    std::ranges::transform(panes_.places(), std::back_inserter(places), pixels);
    line["places"] = places;
    const Rect& p = panes_.place_of(stage_->chosen());
    if (const auto pixel = controller_.pixel_on_body())
      line["body"] = {pixel->x() + p.x * density, pixel->y() + p.y * density};
    line["obstacles"] = nlohmann::json::array();
    for (const auto& obstacle : stage_->now().obstacles) {
      const Vec2 at = canvas_.camera().project(obstacle.pose.t.cast<float>()).pixel;
      line["obstacles"].push_back({at.x() + p.x * density, at.y() + p.y * density});
    }
    line["hovered"] = controller_.under_mouse().hovered_points().size();
    line["force"] = stage_->now().grab ? stage_->now().grab->force : 0.0;
    line["heldPoints"] = stage_->now().grab ? 1 + stage_->now().grab->around.size() : 0;
    line["reach"] = settings_.grab_reach;
    line["chosenObstacle"] = controller_.under_mouse().chosen_obstacle();
    line["handles"] = handles_in_window();
    const auto& obstacles = stage_->now().description.obstacles;
    const auto chosen = static_cast<std::size_t>(controller_.under_mouse().chosen_obstacle());
    if (chosen < obstacles.size()) {
      const scene::Rotation& turn = obstacles[chosen].transform.rotate;
      line["chosenTurn"] = {{"axis", turn.axis}, {"angle", turn.angle}};
    }
    const render::Vec3 ahead = canvas_.camera().forward();
    line["ahead"] = {ahead.x(), ahead.y(), ahead.z()};
    line["contacts"] = settings_.shows_contacts;
    line["colors"] = {{"kind", static_cast<int>(canvas_.heat().kind())}, {"top", canvas_.heat().top()}};
    line["marked"] = controller_.under_mouse().marked_obstacle().value_or(-1);
  }
  trace_.write(line);
}

}  // namespace rebound::app
