#include "bench/bodies.hpp"
#include "bench/interleave.hpp"
#include "bench/stiff_bodies.hpp"
#include "bench/suite.hpp"
#include "mesh/error.hpp"

namespace rebound::bench {
namespace {

using Names = std::vector<std::string>;

TEST(BenchNames, AreChosenWholeOrByWhatTheyBeginWith) {
  std::size_t small = 0;
  for (const BodyInfo& body : bodies()) small += !body.growth;
  ASSERT_LT(small, bodies().size());
  EXPECT_EQ(chosen({}).size(), 3 * small);
  EXPECT_EQ(chosen({"frame/"}).size(), small);
  EXPECT_EQ(chosen({"frame/thin"}), (Names{"frame/thin-250k", "frame/thin-500k"}));
  EXPECT_EQ(chosen({"frame/solid"}), Names{"frame/solid"}) << "and none that is larger";
  EXPECT_EQ(chosen({"frame/cl"}), Names{"frame/cloth"});
  EXPECT_EQ(chosen({"frame/bunny"}), Names{"frame/bunny"}) << "and not frame/bunny-slide";
  EXPECT_EQ(chosen({"frame/bunny-"}), Names{"frame/bunny-slide"});
  EXPECT_EQ(chosen({"local"}).size(), small);
  EXPECT_EQ(chosen({"newton"}).size(), small - 1) << "a cloth has no rubber";
  EXPECT_EQ(chosen({"assembly/cactus"}), Names{"assembly/cactus"});
  EXPECT_EQ(chosen({"global/cube", "global/cu"}), Names{"global/cube"});
  EXPECT_EQ(chosen({"siere"}).size(), stiff_bodies().size());
  EXPECT_EQ(chosen({"siere/honey"}), Names{"siere/honeycomb"});
  try {
    chosen({"nothing of the kind"});
    FAIL();
  } catch (const InputError& error) {
    for (const char* word : {"nothing of the kind", "global/BODY", "bunny-slide", "solid", "siere/BODY", "moebius"})
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << word;
  }
  try {
    chosen({"frame/bunnny"});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'frame/bunny'"), std::string::npos) << error.what();
  }
}

TEST(BenchTimes, KnowTheirMedianAndMaximum) {
  Times odd;
  for (const double ms : {5.0, 1.0, 9.0}) odd.add(ms);
  EXPECT_EQ(odd.median(), 5);
  EXPECT_EQ(odd.max(), 9);
  Times even;
  for (const double ms : {5.0, 1.0, 9.0, 7.0}) even.add(ms);
  EXPECT_EQ(even.median(), 6);
}

TEST(BenchTimes, AreTakenInTurnAndOftenEnough) {
  std::string order;
  const auto slow = [&](char who) {
    return [&order, who] {
      order += who;
      return 400.0;
    };
  };
  const Interleaved times = interleave({slow('a'), slow('b')}, slow('r'));
  const std::string round = std::string(10, 'a') + std::string(10, 'b') + 'r';
  EXPECT_EQ(order, round + round + round);
  EXPECT_EQ(times.ours[1].count(), 30);
  EXPECT_EQ(times.reference.count(), 3);
  // Quick ones go on for 0.3 s, and do not wait for a reference that has had its second.
  order.clear();
  const Interleaved quick = interleave({[] { return 1.0; }}, [] { return 200.0; });
  EXPECT_EQ(quick.ours[0].count(), 300);
  EXPECT_EQ(quick.reference.count(), 5);
  EXPECT_EQ(interleave({[] { return 1.0; }}, {}).reference.count(), 0);
}

}  // namespace
}  // namespace rebound::bench
