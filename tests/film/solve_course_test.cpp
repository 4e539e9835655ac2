// What a film of iterates shows: from where the frame begins to where it ends, each iterate where the solve was.
#include "film/solve_course.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

#include "support/worlds.hpp"

namespace rebound::film {
namespace {

scene::Description falling_cube(const char* solver, const char* integrator = "backward-euler") {
  auto d = test::spinning_cube(3, 1e5);
  d.gravity = {0, -9.81, 0};
  d.integrator.type = integrator;
  d.solver.type = solver;
  return d;
}

SolveCourse course_of(const scene::Description& d, std::int64_t frame, std::size_t most = 1000) {
  return {scene::load_world(d), frame, most, 1, [](double) {}};
}

TEST(SolveCourse, GoesFromTheStartOfTheFrameToItsEnd) {
  for (const char* solver : {"newton", "newton-cg", "gast"}) {
    const auto d = falling_cube(solver);
    for (const int frame : {1, 3}) {
      session::Session plain = test::open(d);
      for (int i = 1; i < frame; ++i) ASSERT_TRUE(plain.step());
      const sim::Points start = plain.state().x;
      ASSERT_TRUE(plain.step());
      const SolveCourse course = course_of(d, frame);
      ASSERT_TRUE(course.arrived());
      EXPECT_EQ(course.session().frame(), frame);
      EXPECT_EQ(course.every(), 1u);
      const auto& stills = course.stills();
      ASSERT_EQ(stills.size(), course.iterates().size() + 1) << "the start, and each iterate";
      for (std::size_t i = 0; i < stills.size(); ++i) EXPECT_EQ(stills[i].number, static_cast<std::int64_t>(i) - 1);
      EXPECT_EQ(*stills.front().x, start);
      EXPECT_EQ(*stills.back().x, plain.state().x) << "the last iterate is what the frame ends with";
      for (std::size_t i = 2; i < stills.size(); ++i) EXPECT_NE(*stills[i].x, *stills[i - 1].x);
    }
  }
}

TEST(SolveCourse, StaysWhereItIsWhenItIsMoved) {
  std::vector<SolveCourse> courses;
  for (int i = 0; i < 5; ++i) courses.push_back(course_of(falling_cube("newton"), 1));
  for (const SolveCourse& course : courses) EXPECT_EQ(*course.stills().front().x, *courses[0].stills().front().x);
}

// What acts after the solves is seen: the end is not that of the last solve.
TEST(SolveCourse, EndsWithTheFrameWhereThatIsSomewhereElse) {
  auto d = falling_cube("newton", "stabilized");
  d.integrator.tolerance = 0;
  const SolveCourse course = course_of(d, 2);
  ASSERT_TRUE(course.arrived());
  ASSERT_GT(course.iterates().back().solve, 0) << "two solves";
  const auto& last = course.stills().back();
  EXPECT_EQ(last.number, static_cast<std::int64_t>(course.iterates().size()));
  EXPECT_EQ(*last.x, course.session().state().x);
  EXPECT_EQ(course.said_of(last), "where frame 2 ends");
  EXPECT_NE(course.said_of(course.stills()[1]).find("solve 1 of 2, iteration 0, the first guess"), std::string::npos);
}

TEST(SolveCourse, OfManyIteratesKeepsAnEvenSample) {
  const auto d = falling_cube("gast");
  const SolveCourse whole = course_of(d, 1), sample = course_of(d, 1, 3);
  ASSERT_GT(whole.iterates().size(), 4u);
  ASSERT_EQ(sample.iterates().size(), whole.iterates().size());
  EXPECT_GT(sample.every(), 1u);
  ASSERT_LE(sample.stills().size(), 4u) << "and the start";
  EXPECT_EQ(*sample.stills().back().x, *whole.stills().back().x);
  for (const auto& still : sample.stills())
    EXPECT_EQ(*still.x, *whole.stills()[static_cast<std::size_t>(still.number + 1)].x) << still.number;
}

TEST(SolveCourse, WaitsForOthersAtItsLastStill) {
  std::vector<SolveCourse> courses;
  courses.push_back(course_of(falling_cube("newton"), 1));
  courses.push_back(course_of(falling_cube("gast"), 1, 3));
  const SolveCourse &newton = courses[0], &gast = courses[1];
  const auto numbers = numbers_of(courses);
  EXPECT_EQ(numbers.front(), -1);
  EXPECT_EQ(numbers.back(), std::max(newton.stills().back().number, gast.stills().back().number));
  EXPECT_TRUE(std::is_sorted(numbers.begin(), numbers.end()));
  for (const SolveCourse& course : courses) {
    for (std::size_t i = 0; i < course.stills().size(); ++i) {
      const std::int64_t number = course.stills()[i].number;
      EXPECT_TRUE(std::binary_search(numbers.begin(), numbers.end(), number));
      EXPECT_EQ(course.still_at(number), i);
      if (i + 1 < course.stills().size()) EXPECT_EQ(course.still_at(course.stills()[i + 1].number - 1), i);
    }
    EXPECT_EQ(course.still_at(1'000'000), course.stills().size() - 1);
  }
}

TEST(SolveCourse, SaysWhatTheTraceHas) {
  const SolveCourse course = course_of(falling_cube("gast"), 2);
  EXPECT_EQ(course.title(), "Optimization integrator");
  EXPECT_EQ(course.said_of(course.stills()[0]), "where frame 2 begins");
  EXPECT_EQ(course.said_of(course.stills()[1]).rfind("iteration 0, the first guess:  E ", 0), 0u);
  const auto& iterate = course.iterates()[1];
  const std::string said = course.said_of(course.stills()[2]);
  double E = 0, gradient = 0, step = 0;
  int products = 0;
  ASSERT_EQ(std::sscanf(said.c_str(), "iteration 1:  E %lf J,  |dE| %lf N,  step %lf,  %d product", &E, &gradient,
                        &step, &products),
            4)
      << said;
  EXPECT_NEAR(E, iterate.objective, 1e-5 * std::abs(iterate.objective));
  EXPECT_NEAR(gradient, iterate.gradient, 1e-2 * iterate.gradient);
  EXPECT_NEAR(step, iterate.alpha, 1e-2 * iterate.alpha);
  EXPECT_EQ(products, iterate.cg);
  for (const auto& still : course.stills()) {
    EXPECT_EQ(course.said_of(still).find("e+"), std::string::npos) << course.said_of(still);
    EXPECT_EQ(course.said_of(still).find("e-0"), std::string::npos) << course.said_of(still);
  }
  EXPECT_TRUE(course.said_of(course.stills().back()).ends_with(";  it has converged"));
  auto cut = falling_cube("gast");
  cut.solver.iterations = 1;
  const SolveCourse short_of = course_of(cut, 1);
  EXPECT_TRUE(short_of.said_of(short_of.stills().back()).ends_with(";  it stopped short of its tolerance"));
}

TEST(SolveCourse, OfAFrameThatCannotBeDoneIsNone) {
  auto d = test::spinning_cube(2);
  d.integrator.type = "forward-euler";
  d.timeStep = 1;
  const SolveCourse course = course_of(d, 50);
  EXPECT_FALSE(course.arrived());
  EXPECT_FALSE(course.session().failure().empty());
  EXPECT_TRUE(course.stills().empty());
}

TEST(SolveCourse, CurvesHaveAGapBetweenSolvesAndFallToTheEndOfEach) {
  auto d = falling_cube("gast", "tr-bdf2");
  d.substeps = 2;
  const SolveCourse course = course_of(d, 1);
  const auto& iterates = course.iterates();
  ASSERT_EQ(iterates.back().solve, 3);
  const render::Curve gradients = gradients_of(course), heights = heights_of(course);
  ASSERT_EQ(gradients.y.size(), iterates.size() + 3) << "three gaps";
  ASSERT_EQ(heights.y.size(), gradients.y.size());
  std::size_t at = 0;
  for (std::size_t i = 0; i < iterates.size(); ++i, ++at) {
    if (i > 0 && iterates[i].iteration == 0) EXPECT_TRUE(std::isnan(gradients.y[at++]));
    EXPECT_EQ(gradients.x[at], static_cast<double>(i));
    EXPECT_EQ(gradients.y[at], iterates[i].gradient);
    const bool is_end = i + 1 == iterates.size() || iterates[i + 1].iteration == 0;
    if (is_end) EXPECT_TRUE(std::isnan(heights.y[at])) << "nothing is above its own end";
    if (iterates[i].iteration > 0 && std::isfinite(heights.y[at])) {
      EXPECT_GT(heights.y[at], 0);
      EXPECT_LT(heights.y[at], heights.y[at - 1]) << "gast goes downhill";
    }
  }
  EXPECT_EQ(at, gradients.y.size());
}

TEST(PicturesHeld, BeginSlowlyAndSeeTheEnd) {
  for (const double fps : {1.0, 10.0, 30.0, 60.0})
    for (const std::size_t stills : {1u, 2u, 3u, 10u, 60u, 500u}) {
      const auto held = pictures_held(stills, fps);
      ASSERT_EQ(held.size(), stills);
      EXPECT_GE(held.back(), std::lround(2 * fps)) << "the result is looked at";
      for (std::size_t i = 2; i + 1 < stills; ++i) EXPECT_LE(held[i], held[i - 1]);
      for (const int pictures : held) EXPECT_GE(pictures, 1);
      if (stills > 2) EXPECT_GE(held[1], std::max(1.0, 0.45 * fps)) << "the first ones can be followed";
      const double seconds = std::accumulate(held.begin(), held.end(), 0) / fps;
      EXPECT_LE(seconds, 10 + std::max(16.0, static_cast<double>(stills) / fps)) << fps << " " << stills;
    }
}

}  // namespace
}  // namespace rebound::film
