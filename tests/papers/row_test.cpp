// A row's file says what is wrong with it, and where.
#include <gtest/gtest.h>

#include "papers/row_support.hpp"

namespace rebound::test {
namespace {

using testing::Test;

void expect_refused(const std::string& text, const std::vector<std::string>& parts) {
  const std::string said = refusal_of(text);
  for (const std::string& part : parts) EXPECT_NE(said.find(part), std::string::npos) << said;
}

TEST(Row, UnknownMeasuresAreRefusedWithTheirPlace) {
  expect_refused(oscillator_row(R"({ "what": "w", "measure": "artificial_dampin", "run": "one", "at": 1 })"),
                 {".json:5: /numbers/0/measure: ", "unknown measure 'artificial_dampin'", "artificial_damping"});
}

TEST(Row, AMeasureBelongsToAKindOfRuns) {
  expect_refused(oscillator_row(R"({ "what": "w", "measure": "energy_left", "run": "one" })"),
                 {"/numbers/0/measure", "of the kind 'scene'", "'one' is of 'oscillator'"});
}

TEST(Row, UnknownRunsKeysAndPointsAreRefused) {
  expect_refused(oscillator_row(R"({ "what": "w", "measure": "growth", "run": "three", "at": 1 })"),
                 {"/numbers/0/run", "no run 'three'"});
  expect_refused(oscillator_row(R"({ "what": "w", "measure": "growth", "run": "one" })"),
                 {"/numbers/0", "needs \"at\""});
  expect_refused(oscillator_row(R"({ "what": "w", "measure": "growth", "run": "one", "at": 1, "bound": 2 })"),
                 {"/numbers/0/bound", "unknown key"});
}

TEST(Row, ABoundNeedsWhatItIsHeldAgainst) {
  expect_refused(
      oscillator_row(R"({ "what": "w", "measure": "growth", "run": "one", "at": 1, "expect": { "within": 1 } })"),
      {"/numbers/0/expect", "there is none"});
  expect_refused(
      oscillator_row(R"({ "what": "w", "measure": "growth", "run": "one", "at": 1, "expect": { "never": true } })"),
      {"/numbers/0/expect", "always happens"});
}

TEST(Row, WhatItWaitsForIsDecidedByTheRegistry) {
  const std::string text = oscillator_row("");
  EXPECT_EQ(papers::waits_for(read_row_text(text)), "");
  std::string other = text;
  other.replace(other.find("implicit-midpoint"), 17, "no-such-method");
  EXPECT_EQ(papers::waits_for(read_row_text(other)), "the integrator no-such-method");
}

TEST(Row, WhatASceneDoesNotTakeIsWaitedFor) {
  const auto with_need = [](const std::string& setting) {
    std::string text = oscillator_row("");
    return text.replace(text.find("\"runs\""), 0, R"("needs": [ { "what": "that", "set": { )" + setting + " } } ], ");
  };
  EXPECT_EQ(papers::waits_for(read_row_text(with_need(R"("/contact/friction": 0.3)"))), "");
  EXPECT_EQ(papers::waits_for(read_row_text(with_need(R"("/contact/stickiness": 0.3)"))), "that");
}

}  // namespace
}  // namespace rebound::test
