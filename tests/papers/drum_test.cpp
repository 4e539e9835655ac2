// Modes of a drum: zeros of Bessel's functions as tables have them, and a disk that swings in one alone.
#include <gtest/gtest.h>

#include "mesh/shapes.hpp"
#include "papers/drum.hpp"
#include "papers/row_support.hpp"

namespace rebound::test {
namespace {

TEST(DrumMode, HasItsRimAtAZeroOfBesselsFunction) {
  EXPECT_NEAR(papers::bessel_zero(0, 1), 2.404825557695773, 1e-12);
  EXPECT_NEAR(papers::bessel_zero(0, 2), 5.520078110286311, 1e-12);
  EXPECT_NEAR(papers::bessel_zero(1, 1), 3.831705970207512, 1e-12);
  EXPECT_NEAR(papers::bessel_zero(2, 1), 5.135622301840683, 1e-12);
  EXPECT_NEAR(papers::bessel_zero(2, 3), 11.61984117214906, 1e-12);
}

TEST(DrumMode, IsAsHighAsOneAndStillAtTheRim) {
  const sim::Points rest = mesh::disk(0.1, 40).points;
  const sim::Vector u21 = papers::drum_mode({2, 1, 1}, rest);
  EXPECT_NEAR(u21.maxCoeff(), 1, 0.002);
  EXPECT_NEAR(u21.minCoeff(), -1, 0.002);
  EXPECT_EQ(u21[0], 0) << "two lines cross in the middle";
  EXPECT_LT(u21.tail(6 * 40).cwiseAbs().maxCoeff(), 1e-9);
  // Modes are orthogonal, up to what the rings are too coarse for.
  const sim::Vector u01 = papers::drum_mode({0, 1, 1}, rest), u22 = papers::drum_mode({2, 2, 1}, rest);
  EXPECT_NEAR(u21.dot(u01), 0, 1e-6 * u21.dot(u21));
  EXPECT_NEAR(u21.dot(u22), 0, 0.01 * u21.dot(u21));
}

std::string drum_row(const std::string& mesh, const std::string& strike) {
  return R"({ "row": 1, "paper": "You26", "place": "Fig. 4", "title": "t", "class": "B", "seconds": 1, "claim": "c",
  "look": "l", "frames": 40, "scene": { "rebound": 1, "timeStep": 0.002, "gravity": [0, 0, 0],
    "integrator": { "type": "implicit-midpoint" }, "solver": { "type": "newton", "tolerance": 1e-8 },
    "bodies": [ { "mesh": )" +
         mesh + R"(, "material": { "model": "membrane", "law": "stvk", "young": 1e5, "pretension": 0.2,
      "thickness": 1e-3, "density": 400 }, "fixed": "border" } ] },
  "strike": )" +
         strike + R"(, "runs": [ { "name": "one" } ] })";
}

// As long as it swings little, a tight skin goes on in the mode that it was struck into.
TEST(DrumMode, IsWhatAStruckDiskStaysIn) {
  const papers::Row row = read_row_text(
      drum_row(R"({ "disk": { "radius": 0.1, "rings": 12 } })", R"({ "lines": 2, "circles": 1, "speed": 0.01 })"));
  const auto experiment = row.runs[0]->begin({});
  while (experiment->advance()) {
  }
  const papers::Run run = experiment->take();
  const auto& in_mode = run.find("mode_kinetic")->values;
  const auto& all = run.find("kinetic")->values;
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_NEAR(in_mode[i], all[i], 0.02 * all[0]) << "step " << i;
  EXPECT_NEAR(papers::find_measure("mode_kept")->of(run, {}).value(), 1, 0.05);
}

TEST(DrumMode, IsOfADisk) {
  const papers::Row row = read_row_text(drum_row(R"({ "cloth": {} })", R"({ "lines": 2, "circles": 1, "speed": 1 })"));
  EXPECT_THROW(row.runs[0]->begin({}), std::exception);
  EXPECT_NE(
      refusal_of(drum_row(R"({ "disk": {} })", R"({ "lines": 2, "circles": 0, "speed": 1 })")).find("/strike/circles"),
      std::string::npos);
}

}  // namespace
}  // namespace rebound::test
