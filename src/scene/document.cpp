#include "scene/document.hpp"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "mesh/error.hpp"
#include "scene/files.hpp"
#include "scene/wording.hpp"
#include "sim/base/memory_reserve.hpp"

namespace rebound::scene {
namespace {

/// Reads characters for the parser and notes the last one that is not blank: where a token that was just read ends.
/// (The parser looks one character past a number, which may be on the next line already.)
class NotingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = char;

  NotingIterator(const char* at, const char** noted) : at_(at), noted_(noted) {}
  char operator*() const {
    if (*at_ != ' ' && *at_ != '\n' && *at_ != '\r' && *at_ != '\t') *noted_ = at_;
    return *at_;
  }
  NotingIterator& operator++() {
    ++at_;
    return *this;
  }
  bool operator==(const NotingIterator& other) const { return at_ == other.at_; }
  bool operator!=(const NotingIterator& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  const char** noted_;
};

TextPosition position_of(const std::string& text, std::size_t offset) {
  TextPosition position;
  for (std::size_t i = 0; i < std::min(offset, text.size()); ++i) {
    if (text[i] == '\n') {
      ++position.line;
      position.column = 1;
    } else if ((static_cast<unsigned char>(text[i]) & 0xc0) != 0x80) {  // a UTF-8 character counts once
      ++position.column;
    }
  }
  return position;
}

/// Follows a parse: which element is being read, and how deep. The two readers below differ in what they keep.
class Follower : public nlohmann::json_sax<nlohmann::json> {
 public:
  Follower(const std::string& text, const std::string& name, std::size_t first_line = 1)
      : text_(text), name_(name), first_line_(first_line), noted_(text.data()) {}

  bool run() {
    const NotingIterator begin(text_.data(), &noted_), end(text_.data() + text_.size(), &noted_);
    return nlohmann::json::sax_parse(begin, end, this, nlohmann::json::input_format_t::json, true, true);
  }

  bool null() override { return value(nlohmann::json(nullptr)); }
  bool boolean(bool truth) override { return value(nlohmann::json(truth)); }
  bool number_integer(number_integer_t number) override { return value(nlohmann::json(number)); }
  bool number_unsigned(number_unsigned_t number) override { return value(nlohmann::json(number)); }
  bool number_float(number_float_t number, const string_t&) override { return value(nlohmann::json(number)); }
  bool string(string_t& text) override { return value(nlohmann::json(std::move(text))); }
  bool binary(binary_t&) override { return false; }  // not in text
  bool start_object(std::size_t) override { return enter() && open(nlohmann::json::object()); }
  bool start_array(std::size_t) override { return enter() && open(nlohmann::json::array()); }
  bool end_object() override { return leave(); }
  bool end_array() override { return leave(); }
  bool key(string_t& name) override { return named(name); }

  bool parse_error(std::size_t offset, const std::string&, const nlohmann::detail::exception& error) override;

 protected:
  virtual bool value(nlohmann::json scalar) = 0;
  virtual bool open(nlohmann::json container) = 0;
  virtual bool close() = 0;
  virtual bool named(const std::string& key) = 0;

  [[noreturn]] void fail(std::size_t offset, const std::string& what) const {
    const TextPosition at = position_of(text_, offset);
    throw InputError(one_line(name_) + ":" + std::to_string(at.line + first_line_ - 1) + ":" +
                     std::to_string(at.column) + ": " + what);
  }
  std::size_t last_offset() const { return static_cast<std::size_t>(noted_ - text_.data()); }

  const std::string& text_;

 private:
  bool enter() {
    if (++depth_ > kDeepestNesting) {
      fail(last_offset(),
           "nested deeper than " + std::to_string(kDeepestNesting) + " levels, the most a scene may have");
    }
    return true;
  }
  bool leave() {
    --depth_;
    return close();
  }

  const std::string& name_;
  const std::size_t first_line_;
  const char* noted_;
  int depth_ = 0;
};

/// "...; expected '}'" in words that need no knowledge of parsers.
std::string with_plain_expectation(std::string what) {
  constexpr std::string_view kExpected = "; expected ", kUnknown = "invalid literal";
  if (const auto word = what.find(kUnknown); word != std::string::npos)
    what.replace(word, kUnknown.size(), "unknown word");
  const auto at = what.find(kExpected);
  if (at == std::string::npos) return what;
  const std::string expected = what.substr(at + kExpected.size());
  std::string plain = expected + " is expected";
  if (expected == "'[', '{', or a literal") plain = "a value is expected";
  if (expected == "string literal") plain = "a key in double quotes is expected";
  if (expected == "end of input") plain = "nothing may follow the end";
  if (expected == "']'" || expected == "'}'") plain = "',' or " + expected + " is expected";
  return what.substr(0, at) + "; " + plain;
}

/// What the parser's own words mean to someone who wrote a scene.
std::string plain_syntax_error(const std::string& text, std::size_t offset, std::string what) {
  if (what.starts_with("number overflow parsing ")) return what.substr(24) + " is too large for a number";
  // "syntax error while parsing object key - invalid literal; last read: '{ x'; expected string literal"
  if (const auto begin = what.find("syntax error"), dash = what.find(" - "); dash != std::string::npos && begin < dash)
    what = "syntax error: " + what.substr(dash + 3);
  constexpr std::string_view kRead = "; last read: ";
  if (const auto read = what.find(kRead); read != std::string::npos) what.replace(read, kRead.size(), " at ");
  what = with_plain_expectation(std::move(what));
  const auto rest = std::string_view(text).substr(std::min(offset, text.size()));
  const char first = rest.empty() ? '\0' : rest.front();
  if (first == 'N' || first == 'I' || rest.starts_with("nan") || rest.starts_with("inf")) {
    return what + " (a number must be finite)";
  }
  if (first == '}' || first == ']') {
    const auto before = text.find_last_not_of(" \t\r\n", offset == 0 ? 0 : offset - 1);
    if (before != std::string::npos && text[before] == ',') return what + " (remove the comma before it)";
  }
  return what;
}

bool Follower::parse_error(std::size_t offset, const std::string&, const nlohmann::detail::exception& error) {
  std::string what = error.what();
  // "[json.exception.parse_error.101] parse error at line 3, column 5: syntax error while ..."
  if (const auto bracket = what.find("] "); what.starts_with("[json.") && bracket != std::string::npos) {
    what = what.substr(bracket + 2);
  }
  const std::size_t at = offset > 0 ? offset - 1 : 0;
  fail(at, one_line(plain_syntax_error(text_, at, what), 300));
}

/// Builds the document, and refuses what JSON permits but a scene should not hold.
class Builder : public Follower {
 public:
  using Follower::Follower;
  nlohmann::json root;

 protected:
  bool value(nlohmann::json scalar) override {
    add(std::move(scalar));
    return true;
  }
  bool open(nlohmann::json container) override {
    open_.push_back(add(std::move(container)));
    return true;
  }
  bool close() override {
    open_.pop_back();
    return true;
  }
  bool named(const std::string& key) override {
    if (open_.back()->contains(key)) fail(last_offset(), "the key " + in_quotes(key) + " appears twice in one object");
    key_ = key;
    return true;
  }

 private:
  nlohmann::json* add(nlohmann::json value) {
    if (open_.empty()) {
      root = std::move(value);
      return &root;
    }
    nlohmann::json& parent = *open_.back();
    if (parent.is_array()) {
      parent.push_back(std::move(value));
      return &parent.back();
    }
    return &(parent[key_] = std::move(value));
  }

  std::vector<nlohmann::json*> open_;
  std::string key_;
};

/// Finds where the element of a pointer begins. A second pass, made only for a message: so no reading pays for it.
class Locator : public Follower {
 public:
  Locator(const std::string& text, const std::string& name, const std::string& pointer) : Follower(text, name) {
    for (std::size_t at = 0; at < pointer.size();) {
      const std::size_t end = std::min(pointer.find('/', at + 1), pointer.size());
      wanted_.push_back(pointer.substr(at + 1, end - at - 1));
      at = end;
    }
  }
  std::size_t found = 0;
  bool exact = false;

 protected:
  bool value(nlohmann::json) override { return visit(nullptr); }
  bool open(nlohmann::json container) override {
    bool leads_there = false;
    if (!visit(&leads_there)) return false;
    levels_.push_back({container.is_array(), leads_there, 0, ""});
    return true;
  }
  bool close() override {
    levels_.pop_back();
    return true;
  }
  bool named(const std::string& key) override {
    levels_.back().key = key;
    return true;
  }

 private:
  struct Level {
    bool array;
    bool leads_there;        // the wanted element is in this container
    std::size_t next_index;  // of an array
    std::string key;         // of an object
  };

  /// Notes the element if it is the wanted one or around it; false (stop) at the wanted one.
  bool visit(bool* leads_there) {
    if (!levels_.empty()) {
      Level& level = levels_.back();
      const std::size_t index = level.next_index++;
      if (!level.leads_there || levels_.size() > wanted_.size()) return true;
      const std::string& token = wanted_[levels_.size() - 1];
      if (token != (level.array ? std::to_string(index) : escaped(level.key))) return true;
    }
    found = last_offset();
    if (leads_there != nullptr) *leads_there = true;
    exact = levels_.size() == wanted_.size();
    return !exact;
  }

  std::vector<Level> levels_;
  std::vector<std::string> wanted_;
};

}  // namespace

void DeleteJson::operator()(nlohmann::json* document) const {
  const sim::CleanUp clean_up;
  delete document;
}

OwnedJson owned(nlohmann::json document) { return OwnedJson(new nlohmann::json(std::move(document))); }

std::string escaped(std::string_view key) {
  std::string result;
  for (const char c : key) {
    if (c == '~') {
      result += "~0";
    } else if (c == '/') {
      result += "~1";
    } else {
      result += c;
    }
  }
  return result;
}

Document parse_document(std::string text, std::string name, const std::filesystem::path& folder,
                        std::size_t first_line) {
  if (text.size() > kLargestSceneFile) {
    throw InputError(one_line(name) + ": larger than 16 MiB, the most a scene may be; put large meshes into files");
  }
  Document document{{}, std::move(text), std::move(name), folder, {}, first_line};
  Builder builder(document.text, document.name, first_line);
  builder.run();
  document.root = owned(std::move(builder.root));
  return document;
}

Document load_document(const std::filesystem::path& file) {
  return parse_document(read_text(file, kLargestSceneFile), file.string(), file.parent_path());
}

nlohmann::json parse_value(const std::string& text, const std::string& name) {
  Builder builder(text, name);
  builder.run();
  return std::move(builder.root);
}

TextPosition locate(const std::string& text, const std::string& pointer) {
  const std::string name;
  Locator locator(text, name, pointer);
  locator.run();
  TextPosition position = position_of(text, locator.found);
  position.exact = locator.exact;
  return position;
}

std::string message_at(const Document& document, const std::string& pointer, const std::string& what) {
  const std::string place = pointer.empty() ? "/" : one_line(pointer, 200);
  const TextPosition at = document.text.empty() ? TextPosition{} : locate(document.text, pointer);
  std::string name = one_line(document.name);
  for (const std::string& setting : document.settings) {
    const bool inside = pointer == setting || pointer.starts_with(setting + "/");
    const bool made_by_it = setting.starts_with(pointer + "/") && !at.exact;
    if (inside || made_by_it) return name + ": " + place + " (as set on the command line): " + what;
  }
  if (!document.text.empty()) name.append(":").append(std::to_string(at.line + document.first_line - 1));
  return name + ": " + place + ": " + what;
}

}  // namespace rebound::scene
