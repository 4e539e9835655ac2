// Asking a document for what a format expects, so that the code that asks reads like the format.
//
//   Value: any element, with its place.   Reader: an object whose every key must be asked for.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scene/document.hpp"
#include "scene/ranges.hpp"

namespace rebound::scene {

class Reader;

/// An element of a document and its place. Each question checks the type and the range, and fails with the place.
/// A value refers to the one around it, so it must not outlive that one.
class Value {
 public:
  Value(const Document& document, const nlohmann::json& json) : document_(&document), json_(&json) {}
  Value(const Value& parent, std::string_view key, const nlohmann::json& json)
      : document_(parent.document_), json_(&json), parent_(&parent), key_(key) {}
  Value(const Value& parent, std::size_t index, const nlohmann::json& json)
      : document_(parent.document_), json_(&json), parent_(&parent), index_(index) {}

  double number(const Range& range) const;
  std::int64_t integer(const Range& range) const;
  bool truth() const;
  /// Text of at most 1000 bytes without control characters.
  std::string text() const;
  std::string choice(const std::vector<std::string>& permitted) const;
  /// The number of a vertex: below `count` where that is known.
  int vertex(std::optional<std::int64_t> count) const;
  template <std::size_t N>
  std::array<double, N> vector(const Range& range) const;
  template <std::size_t N>
  std::array<int, N> integers(const Range& range) const;
  template <std::size_t N>
  std::array<int, N> vertices(std::optional<std::int64_t> count) const;

  /// Calls with each element of an array.
  void each(const std::function<void(const Value&)>& visit) const;
  /// Reads an object and refuses the keys that were not asked for.
  void object(const std::function<void(Reader&)>& read) const;

  bool is_number() const;
  bool is_text() const;
  bool is_array() const;
  bool is_object() const;
  std::size_t size() const;
  /// A number as it stands, where no range belongs to it.
  double plain_number() const;
  /// Of an object; nothing if it has no such key.
  std::optional<Value> find(std::string_view key) const;
  std::size_t index() const { return index_; }
  const nlohmann::json& json() const { return *json_; }
  OwnedJson copy() const;
  const Document& document() const { return *document_; }

  std::string pointer() const;
  [[noreturn]] void fail(const std::string& what) const;
  [[noreturn]] void fail_type(const std::string& wanted) const;

 private:
  void expect_array(std::size_t size, const char* wanted) const;
  /// Of an array, with its place.
  Value element(std::size_t index) const;

  const Document* document_;
  const nlohmann::json* json_;
  const Value* parent_ = nullptr;
  std::string_view key_;
  std::size_t index_ = 0;
};

/// An object being read. Whatever is in it and is never asked for is an unknown key.
class Reader {
 public:
  explicit Reader(const Value& object);

  std::optional<Value> find(std::string_view key);
  /// Fails unless the key is there; `meaning` says what it would be.
  Value required(std::string_view key, const std::string& meaning);

  // Each leaves `into` as it is where the key is not given.
  void number(std::string_view key, std::string_view range_key, double& into);
  void number(std::string_view key, std::string_view range_key, std::optional<double>& into);
  void integer(std::string_view key, std::string_view range_key, int& into);
  void integer(std::string_view key, std::string_view range_key, std::optional<int>& into);
  /// Or a word; is_word tells which of the two it is.
  void integer_or(std::string_view key, const char* word, std::string_view range_key, std::optional<int>& into,
                  bool& is_word);
  void truth(std::string_view key, bool& into);
  void truth(std::string_view key, std::optional<bool>& into);
  void text(std::string_view key, std::string& into);
  void choice(std::string_view key, const std::vector<std::string>& permitted, std::string& into);
  template <std::size_t N>
  void vector(std::string_view key, std::string_view range_key, std::array<double, N>& into);
  template <std::size_t N>
  void integers(std::string_view key, std::string_view range_key, std::array<int, N>& into);
  void object(std::string_view key, const std::function<void(Reader&)>& read);
  void each(std::string_view key, const std::function<void(const Value&)>& visit);

  /// Refuses the keys that were not asked for.
  void finish() const;

  const Value& value() const { return *value_; }
  [[noreturn]] void fail(const std::string& what) const { value_->fail(what); }

 private:
  bool asked_for(const std::string& key) const;

  const Value* value_;
  std::vector<std::string> known_;
};

template <std::size_t N>
std::array<double, N> Value::vector(const Range& range) const {
  static const std::string wanted = "an array of " + std::to_string(N) + " numbers";
  expect_array(N, wanted.c_str());
  std::array<double, N> result;
  for (std::size_t i = 0; i < N; ++i) result[i] = element(i).number(range);
  return result;
}

template <std::size_t N>
std::array<int, N> Value::integers(const Range& range) const {
  static const std::string wanted = "an array of " + std::to_string(N) + " whole numbers";
  expect_array(N, wanted.c_str());
  std::array<int, N> result;
  for (std::size_t i = 0; i < N; ++i) result[i] = static_cast<int>(element(i).integer(range));
  return result;
}

template <std::size_t N>
std::array<int, N> Value::vertices(std::optional<std::int64_t> count) const {
  static const std::string wanted = "an array of " + std::to_string(N) + " vertex numbers";
  expect_array(N, wanted.c_str());
  std::array<int, N> result;
  for (std::size_t i = 0; i < N; ++i) {
    result[i] = element(i).vertex(count);
    for (std::size_t j = 0; j < i; ++j) {
      if (result[i] == result[j])
        fail("names vertex " + std::to_string(result[i]) + " twice; an element joins different ones");
    }
  }
  return result;
}

template <std::size_t N>
void Reader::vector(std::string_view key, std::string_view range_key, std::array<double, N>& into) {
  if (const auto value = find(key)) into = value->vector<N>(range(range_key));
}

template <std::size_t N>
void Reader::integers(std::string_view key, std::string_view range_key, std::array<int, N>& into) {
  if (const auto value = find(key)) into = value->integers<N>(range(range_key));
}

}  // namespace rebound::scene
