// Continuous collision detection: the published queries with exact answers, closed forms, and what must not depend on
// the frame.
#include "sim/collide/continuous.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

using namespace rebound::sim;

namespace {

namespace fs = std::filesystem;

struct Query {
  MovingPair pair;
  bool hits = false;
};

// Eight lines a query: the corners at the beginning, then at the end; each coordinate as numerator and denominator, and
// the exact answer.
std::vector<Query> read_queries(const fs::path& file, FeaturePair kind) {
  std::ifstream in(file);
  std::vector<Query> queries;
  std::string line;
  for (int row = 0; std::getline(in, line); ++row) {
    if (row % 8 == 0) queries.push_back({{kind, {}, {}, 0}, false});
    std::istringstream fields(line);
    std::array<long double, 7> numbers{};
    std::string field;
    for (auto& number : numbers) {
      std::getline(fields, field, ',');
      number = std::strtold(field.c_str(), nullptr);
    }
    Vec3 p;
    for (int c = 0; c < 3; ++c)
      p[c] =
          static_cast<double>(numbers[static_cast<std::size_t>(2 * c)] / numbers[static_cast<std::size_t>(2 * c + 1)]);
    Query& query = queries.back();
    const auto corner = static_cast<std::size_t>(row % 4);
    if (row % 8 < 4)
      query.pair.x[corner] = p;
    else
      query.pair.d[corner] = p - query.pair.x[corner];
    query.hits = numbers[6] != 0;
  }
  return queries;
}

double least_distance(const MovingPair& pair, int samples) {
  double least = INFINITY;
  for (int i = 0; i <= samples; ++i) {
    FourPoints at = pair.x;
    for (std::size_t c = 0; c < 4; ++c) at[c] += double(i) / samples * pair.d[c];
    least = std::min(least, std::sqrt(feature_distance(pair.kind, at).squared));
  }
  return least;
}

}  // namespace

TEST(Continuous, MissesNoneOfThePublishedQueries) {
  const fs::path folder = fs::path(REBOUND_SOURCE_DIR) / "../shared/ccd";
  if (!fs::is_directory(folder)) GTEST_SKIP() << "the queries are not here";
  int queries = 0, missed = 0, clean = 0, called = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".csv") continue;
    const bool edges = entry.path().string().find("edge-edge") != std::string::npos;
    for (const Query& query :
         read_queries(entry.path(), edges ? FeaturePair::edge_edge : FeaturePair::point_triangle)) {
      ++queries;
      const double way = free_way(query.pair);
      if (query.hits) {
        missed += way >= 1;
        // Wherever they stop, they have not touched.
        MovingPair until = query.pair;
        for (Vec3& d : until.d) d *= way;
        if (way > 0) {
          EXPECT_GT(least_distance(until, 50), 0) << entry.path();
        }
      } else if (least_distance(query.pair, 400) > 1e-3) {
        ++clean;
        called += way < 1;
      }
    }
  }
  RecordProperty("queries", queries);
  std::printf("%d queries, %d missed; of %d clean misses %d called hits\n", queries, missed, clean, called);
  EXPECT_GT(queries, 5000);
  EXPECT_EQ(missed, 0);
  EXPECT_LE(called, 0.05 * clean);
}

TEST(Continuous, StopsJustBeforeTheTouch) {
  // A point falls onto a triangle from 1 m; edges cross at half of the way.
  const Vec3 a(-1, 0, -1), b(1, 0, -1), c(0, 0, 1), o = Vec3::Zero();
  for (const double offset : {0.0, 0.1, 0.5}) {
    const double way =
        free_way({FeaturePair::point_triangle, {Vec3(0, 1, 0), a, b, c}, {Vec3(0, -2, 0), o, o, o}, offset});
    const double touch = (1 - offset) / 2;
    EXPECT_LT(way, touch);
    EXPECT_GT(way, touch - (kGapLeft + 1e-9) * touch - 1e-9) << offset;
  }
  const double way = free_way({FeaturePair::edge_edge,
                               {Vec3(-1, 1, 0), Vec3(1, 1, 0), Vec3(0, 0, -1), Vec3(0, 0, 1)},
                               {Vec3(0, -2, 0), Vec3(0, -2, 0), o, o}});
  EXPECT_LT(way, 0.5);
  EXPECT_GT(way, 0.44);
}

TEST(Continuous, GoesAllTheWayWhereNothingIsInIt) {
  const Vec3 a(-1, 0, -1), b(1, 0, -1), c(0, 0, 1), o = Vec3::Zero();
  // Beside the triangle, away from it, and with it.
  EXPECT_EQ(free_way({FeaturePair::point_triangle, {Vec3(3, 1, 0), a, b, c}, {Vec3(0, -2, 0), o, o, o}}), 1);
  EXPECT_EQ(free_way({FeaturePair::point_triangle, {Vec3(0, 1e-9, 0), a, b, c}, {Vec3(0, 5, 0), o, o, o}}), 1);
  const Vec3 along(100, -70, 3);
  EXPECT_EQ(free_way({FeaturePair::point_triangle, {Vec3(0, 1e-4, 0), a, b, c}, {along, along, along, along}}), 1);
}

TEST(Continuous, IsSafeOnRandomMotions) {
  std::mt19937 engine(7);
  std::uniform_real_distribution<double> number(-1, 1);
  const auto point = [&] { return Vec3(number(engine), number(engine), number(engine)); };
  int stopped = 0;
  for (int i = 0; i < 4000; ++i) {
    const FeaturePair kind = i % 2 == 0 ? FeaturePair::point_triangle : FeaturePair::edge_edge;
    MovingPair pair{kind, {point(), point(), point(), point()}, {point(), point(), point(), point()}, 0.02 * (i % 3)};
    if (std::sqrt(feature_distance(kind, pair.x).squared) <= pair.offset) continue;
    const double way = free_way(pair);
    stopped += way < 1;
    MovingPair until = pair;
    for (Vec3& d : until.d) d *= way;
    EXPECT_GT(least_distance(until, 200), pair.offset);
  }
  EXPECT_GT(stopped, 200);
}
