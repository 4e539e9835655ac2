// The film of how the solves of one frame got there: a pane a solver, each iterate held for a while, and under them how
// |dE| and E fall. Panes go on together, from iterate to iterate of the same number.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "film/side_by_side.hpp"
#include "film/solve_course.hpp"

namespace rebound::film {

class Iterates {
 public:
  /// The courses must have arrived, at least one of them; of the options the frames and seconds do not count. They
  /// must outlive this.
  Iterates(const std::vector<SolveCourse>& courses, const FilmOptions& options);

  /// How many pictures the film has.
  std::int64_t pictures() const;
  /// Calls `take` with each picture in turn. Needs a GL context current. What `take` throws ends the film.
  void shoot(const std::function<void(render::Image)>& take);

 private:
  struct Scene;  // what a pane is drawn with

  void choose_room();
  render::Color color_of(std::size_t pane) const;
  render::Image page_at(std::int64_t number, std::vector<Scene>& scenes, render::Renderer& renderer);
  void draw_pane(render::Image& page, std::size_t pane, std::int64_t number, Scene& scene, render::Renderer& renderer);
  render::Chart chart_of(const char* title, const char* unit, std::size_t first, std::size_t end, std::int64_t number,
                         render::Curve (*curve_of)(const SolveCourse&)) const;
  void draw_charts(render::Image& page, std::int64_t number);

  const std::vector<SolveCourse>& courses_;
  FilmOptions options_;
  std::vector<std::int64_t> numbers_;  ///< at which the picture changes
  std::vector<int> held_;              ///< pictures, as many
  render::Box room_;                   ///< what every camera shows, m
  std::optional<Sheet> sheet_;         ///< once it is known what is shown
};

}  // namespace rebound::film
