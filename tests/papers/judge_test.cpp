// A verdict follows from what was measured and from what the paper prints; another of either is another verdict.
#include <gtest/gtest.h>

#include "papers/judge.hpp"
#include "papers/row_support.hpp"

namespace rebound::test {
namespace {

using papers::Verdict;

papers::Kept measured(const papers::Row& row, std::vector<std::optional<double>> values) {
  papers::Kept kept;
  for (std::size_t i = 0; i < row.numbers.size(); ++i) kept.values[row.numbers[i].key(row.run_names)] = values[i];
  return kept;
}

const char* kHeldAgainst =
    R"({ "what": "w", "measure": "growth", "run": "one", "at": 1, "paper": { "value": 2 }, "expect": { "within": 0.1 } })";

TEST(Judge, AnotherResultIsAnotherVerdict) {
  const papers::Row row = read_row_text(oscillator_row(kHeldAgainst));
  const auto verdict = [&](std::optional<double> value) {
    const papers::Kept kept = measured(row, {value});
    return papers::judge(row, &kept, "").verdict;
  };
  EXPECT_EQ(verdict(2.05), Verdict::agrees);
  EXPECT_EQ(verdict(2.15), Verdict::differs);
  EXPECT_EQ(verdict(std::nullopt), Verdict::differs) << "what was not found bears out nothing";
}

TEST(Judge, AnotherNumberOfThePaperIsAnotherVerdict) {
  std::string text = oscillator_row(kHeldAgainst);
  const papers::Row row = read_row_text(text);
  const papers::Row other = read_row_text(text.replace(text.find("\"value\": 2"), 10, "\"value\": 3"));
  const papers::Kept kept = measured(row, {2.05});
  EXPECT_EQ(papers::judge(row, &kept, "").verdict, Verdict::agrees);
  EXPECT_EQ(papers::judge(other, &kept, "").verdict, Verdict::differs);
}

TEST(Judge, OneNumberThatDiffersMakesTheRowDifferAndIsNamed) {
  const papers::Row row = read_row_text(oscillator_row(
      std::string(kHeldAgainst) +
      R"(, { "what": "the other", "measure": "growth", "run": "two", "at": 1, "expect": { "below": 1 }, "differs": "because" })"));
  papers::Kept kept = measured(row, {2.0, 1.5});
  const papers::Judged judged = papers::judge(row, &kept, "");
  EXPECT_EQ(judged.verdict, Verdict::differs);
  EXPECT_EQ(judged.reason, "the other: 1.5");
  EXPECT_EQ(judged.numbers[0].verdict, Verdict::agrees);
  EXPECT_EQ(judged.numbers[1].why, "because");
}

TEST(Judge, RatiosAreOfTwoRunsAndOfTwoNumbersOfThePaper) {
  const papers::Row row = read_row_text(oscillator_row(
      R"({ "what": "w", "measure": "growth", "run": "one", "over": "two", "at": 1, "paper": { "value": 231, "over": 148, "unit": "ms" },
           "expect": { "withinShare": 0.01 } })"));
  papers::Kept kept;
  kept.values = {{"growth@1(one)", 3.12}, {"growth@1(two)", 2.0}};
  EXPECT_EQ(papers::judge(row, &kept, "").verdict, Verdict::agrees);
  EXPECT_EQ(papers::judge(row, &kept, "").numbers[0].paper, "231 / 148 ms = 1.561");
  kept.values["growth@1(two)"] = 1.9;
  EXPECT_EQ(papers::judge(row, &kept, "").verdict, Verdict::differs);
}

TEST(Judge, NumbersAreShort) {
  EXPECT_EQ(papers::shown(78154.3), "78154");
  EXPECT_EQ(papers::shown(1.46e-12), "1.46e-12");
  EXPECT_EQ(papers::shown(1e-9), "1e-9");
  EXPECT_EQ(papers::shown(3.5e8), "3.5e8");
  EXPECT_EQ(papers::shown(0.77321), "0.7732");
}

TEST(Judge, WithoutAnythingThatIsJudgedItIsNotComparable) {
  const papers::Row row = read_row_text(oscillator_row(
      R"({ "what": "w", "measure": "growth", "run": "one", "at": 1, "notComparable": "another machine" })"));
  const papers::Kept kept = measured(row, {1.0});
  const papers::Judged judged = papers::judge(row, &kept, "");
  EXPECT_EQ(judged.verdict, Verdict::not_comparable);
  EXPECT_EQ(judged.reason, "another machine");
}

TEST(Judge, WhatWaitsIsNotYetAndWhatWasNotRunIsNotRun) {
  const papers::Row row = read_row_text(oscillator_row(kHeldAgainst));
  EXPECT_EQ(papers::judge(row, nullptr, "barrier contact").verdict, Verdict::not_yet);
  EXPECT_EQ(papers::judge(row, nullptr, "barrier contact").reason, "needs barrier contact");
  EXPECT_EQ(papers::judge(row, nullptr, "").verdict, Verdict::not_run);
}

}  // namespace
}  // namespace rebound::test
