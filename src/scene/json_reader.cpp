#include "scene/json_reader.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "mesh/error.hpp"
#include "scene/wording.hpp"

namespace rebound::scene {
namespace {

/// "text", "an object": what an element is, in the words of the messages.
std::string kind_of(const nlohmann::json& json) {
  switch (json.type()) {
    case nlohmann::json::value_t::null:
      return "null";
    case nlohmann::json::value_t::boolean:
      return json.get<bool>() ? "true" : "false";
    case nlohmann::json::value_t::string:
      return "the text " + in_quotes(json.get_ref<const std::string&>());
    case nlohmann::json::value_t::object:
      return "an object";
    case nlohmann::json::value_t::array:
      return "an array of " + std::to_string(json.size());
    default:
      return number_text(json.get<double>());
  }
}

}  // namespace

// ---- Value ----

bool Value::is_number() const { return json_->is_number(); }
bool Value::is_text() const { return json_->is_string(); }
bool Value::is_array() const { return json_->is_array(); }
bool Value::is_object() const { return json_->is_object(); }
std::size_t Value::size() const { return json_->size(); }
double Value::plain_number() const { return json_->get<double>(); }
OwnedJson Value::copy() const { return owned(*json_); }
Value Value::element(std::size_t index) const { return {*this, index, (*json_)[index]}; }

std::optional<Value> Value::find(std::string_view key) const {
  const auto found = json_->find(key);
  if (found == json_->end()) return std::nullopt;
  return Value(*this, key, *found);
}

std::string Value::pointer() const {
  if (parent_ == nullptr) return "";
  const bool in_array = parent_->json_->is_array();
  return parent_->pointer() + "/" + (in_array ? std::to_string(index_) : escaped(key_));
}

void Value::fail(const std::string& what) const { throw InputError(message_at(*document_, pointer(), what)); }

void Value::fail_type(const std::string& wanted) const { fail("must be " + wanted + ", not " + kind_of(*json_)); }

double Value::number(const Range& range) const {
  if (!json_->is_number()) fail_type(range.whole ? "a whole number" : "a number");
  const double value = json_->get<double>();
  if (!permits(range, value)) fail(refusal(range, value));
  return value;
}

std::int64_t Value::integer(const Range& range) const {
  // Every integer range ends below 2^53, so that nothing is lost on the way through a double.
  return static_cast<std::int64_t>(number(range));
}

bool Value::truth() const {
  if (!json_->is_boolean()) fail_type("true or false");
  return json_->get<bool>();
}

std::string Value::text() const {
  constexpr std::size_t kLongest = 1000;
  if (!json_->is_string()) fail_type("a text");
  const auto& text = json_->get_ref<const std::string&>();
  if (text.size() > kLongest) fail("is longer than " + std::to_string(kLongest) + " bytes, the most a text may be");
  const auto is_control = [](unsigned char c) { return c < 0x20 || c == 0x7f; };
  if (std::any_of(text.begin(), text.end(), is_control)) fail("must be one line without control characters");
  return text;
}

std::string Value::choice(const std::vector<std::string>& permitted) const {
  if (!json_->is_string()) fail_type("the text " + either(permitted));
  const auto& text = json_->get_ref<const std::string&>();
  if (std::find(permitted.begin(), permitted.end(), text) != permitted.end()) return text;
  fail(in_quotes(text) + " is not " + either(permitted) + did_you_mean(text, permitted));
}

int Value::vertex(std::optional<std::int64_t> count) const {
  if (!json_->is_number()) fail_type("a vertex number");
  const double value = json_->get<double>();
  if (value != std::floor(value)) fail(number_text(value) + " is not a whole number");
  const auto end = static_cast<double>(count.value_or(std::numeric_limits<int>::max()));
  if (value >= 0 && value < end) return static_cast<int>(value);
  std::string what = "there is no vertex " + number_text(value);
  if (count) what += *count > 0 ? ": they go from 0 to " + std::to_string(*count - 1) : ": the mesh has none";
  fail(what);
}

void Value::each(const std::function<void(const Value&)>& visit) const {
  if (!json_->is_array()) fail_type("an array");
  for (std::size_t i = 0; i < json_->size(); ++i) visit(element(i));
}

void Value::object(const std::function<void(Reader&)>& read) const {
  Reader reader(*this);
  read(reader);
  reader.finish();
}

void Value::expect_array(std::size_t size, const char* wanted) const {
  if (!json_->is_array() || json_->size() != size) fail_type(wanted);
}

// ---- Reader ----

Reader::Reader(const Value& object) : value_(&object) {
  if (!object.is_object()) object.fail_type("an object");
}

bool Reader::asked_for(const std::string& key) const {
  return std::find(known_.begin(), known_.end(), key) != known_.end();
}

std::optional<Value> Reader::find(std::string_view key) {
  if (!asked_for(std::string(key))) known_.emplace_back(key);
  return value_->find(key);
}

Value Reader::required(std::string_view key, const std::string& meaning) {
  if (const auto value = find(key)) return *value;
  // A misspelt key is the likeliest reason for a missing one.
  for (const auto& [other, ignored] : value_->json().items()) {
    if (!asked_for(other) && !nearest(other, std::vector{std::string(key)}).empty()) {
      Value(*value_, other, ignored)
          .fail("unknown key " + in_quotes(other) + "; did you mean '" + std::string(key) + "'?");
    }
  }
  fail(in_quotes(key) + " is missing: " + meaning);
}

void Reader::number(std::string_view key, std::string_view range_key, double& into) {
  if (const auto value = find(key)) into = value->number(range(range_key));
}

void Reader::number(std::string_view key, std::string_view range_key, std::optional<double>& into) {
  if (const auto value = find(key)) into = value->number(range(range_key));
}

void Reader::integer(std::string_view key, std::string_view range_key, int& into) {
  if (const auto value = find(key)) into = static_cast<int>(value->integer(range(range_key)));
}

void Reader::integer(std::string_view key, std::string_view range_key, std::optional<int>& into) {
  if (const auto value = find(key)) into = static_cast<int>(value->integer(range(range_key)));
}

void Reader::integer_or(std::string_view key, const char* word, std::string_view range_key, std::optional<int>& into,
                        bool& is_word) {
  const auto value = find(key);
  if (!value) return;
  is_word = value->is_text() && value->text() == word;
  if (value->is_number())
    into = static_cast<int>(value->integer(range(range_key)));
  else if (!is_word)
    value->fail_type('"' + std::string(word) + "\" or a whole number");
}

void Reader::truth(std::string_view key, std::optional<bool>& into) {
  if (const auto value = find(key)) into = value->truth();
}

void Reader::truth(std::string_view key, bool& into) {
  if (const auto value = find(key)) into = value->truth();
}

void Reader::text(std::string_view key, std::string& into) {
  if (const auto value = find(key)) into = value->text();
}

void Reader::choice(std::string_view key, const std::vector<std::string>& permitted, std::string& into) {
  if (const auto value = find(key)) into = value->choice(permitted);
}

void Reader::object(std::string_view key, const std::function<void(Reader&)>& read) {
  if (const auto value = find(key)) value->object(read);
}

void Reader::each(std::string_view key, const std::function<void(const Value&)>& visit) {
  if (const auto value = find(key)) value->each(visit);
}

void Reader::finish() const {
  for (const auto& [key, value] : value_->json().items()) {
    if (asked_for(key)) continue;
    std::string what = "unknown key " + in_quotes(key);
    const std::string guess = did_you_mean(key, known_);
    what += guess.empty() ? "; known here: " + either(known_) : guess;
    Value(*value_, key, value).fail(what);
  }
}

}  // namespace rebound::scene
