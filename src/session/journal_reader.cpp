// Reading a run, strictly: whatever the file holds, the result is a whole run or one line that says what is wrong.
#include <charconv>
#include <fstream>

#include "mesh/error.hpp"
#include "scene/files.hpp"
#include "scene/parse.hpp"
#include "scene/wording.hpp"
#include "session/command_text.hpp"
#include "session/journal.hpp"
#include "session/journal_format.hpp"

namespace rebound::session {
namespace {

constexpr scene::Range kFrame{"frame", 0, 1e9, 0, "", true, false, "how many frames came before"};
constexpr scene::Range kPane{"pane", 0, 1e9, 0, "", true, false, "the number of a pane"};
constexpr scene::Range kBody{"body", 0, 1e9, 0, "", true, false, "the number of a body"};
constexpr scene::Range kSize{"size", 0, 1e15, 0, "bytes", true, false, "of a file"};

std::uint64_t checksum_of(const scene::Value& value) {
  const std::string text = value.text();
  std::uint64_t sum = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), sum, 16);
  if (error != std::errc() || end != text.data() + text.size() || text.size() != 16)
    value.fail(scene::in_quotes(text) + " is no checksum, which has 16 hexadecimal digits");
  return sum;
}

bool begins_as_run(std::string_view text) {
  constexpr std::size_t kSeen = 64;
  return text.substr(0, kSeen).find("\"rebound-run\"") != std::string_view::npos;
}

}  // namespace

class JournalReader {
 public:
  explicit JournalReader(const std::filesystem::path& file) : file_(file), name_(file.string()) {
    std::error_code ignored;
    folder_ = std::filesystem::absolute(file, ignored).parent_path();
  }

  Journal read() {
    const std::string text = scene::read_text(file_, kLargestRunFile);
    require_run(text);
    std::size_t number = 0;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = text.find('\n', at);
      const bool half = end == std::string::npos;
      journal_.is_cut_off_ = half;
      if (half) break;
      read_line(scene::parse_document(text.substr(at, end - at), name_, folder_, ++number));
      journal_.is_cut_off_ = !ended_;
      at = end + 1;
    }
    if (journal_.ends_.empty()) throw InputError(name_ + ": holds no frame; the run was cut off before it began");
    return std::move(journal_);
  }

 private:
  // Before a reader of JSON has its say about a video or a picture.
  void require_run(const std::string& text) const {
    if (!begins_as_run(text))
      throw InputError(scene::one_line(name_) +
                       ":1: is no run: that has a header, {\"rebound-run\": 1, ...}, and is written by --save-run");
  }

  void read_line(scene::Document document) {
    if (document.first_line == 1) return read_header(std::move(document));
    const std::size_t line_number = document.first_line;
    const scene::Value line(document, *document.root);
    if (ended_) line.fail("comes after the end of the run; take it out");
    line.object([&](scene::Reader& reader) {
      const std::int64_t frame = reader.required("frame", "how many frames came before").integer(kFrame);
      if (const auto end = reader.find("end")) {
        if (!end->truth()) end->fail("must be true");
        expect(frame == journal_.last(), reader.value(), frame);
        ended_ = true;
      } else if (const auto sums = reader.find("sums")) {
        read_sums(frame, *sums, reader.value());
      } else if (const auto failed = reader.find("failed")) {
        expect(frame == journal_.last() + 1, reader.value(), frame);
        const int pane = static_cast<int>(reader.required("pane", "which pane failed").integer(kPane));
        journal_.failures_.push_back({frame, pane, failed->text()});
      } else {
        expect(frame == journal_.last(), reader.value(), frame);
        if (journal_.entries_.size() >= kMostEvents)
          reader.fail("more than 10 million events, the most a run may have");
        journal_.entries_.push_back({frame, read_event(reader), line_number});
      }
    });
  }

  void read_sums(std::int64_t frame, const scene::Value& value, const scene::Value& line) {
    expect(frame == journal_.last() + 1, line, frame);
    if (journal_.ends_.size() >= kMostFrames) line.fail("more than 10 million frames, the most a run may have");
    std::vector<std::uint64_t> sums;
    value.each([&](const scene::Value& sum) { sums.push_back(checksum_of(sum)); });
    if (sums.empty() || sums.size() > Ensemble::kMostPanes) value.fail("must hold a checksum for each of 1 to 6 panes");
    journal_.add_sums(sums);
  }

  void expect(bool in_order, const scene::Value& line, std::int64_t frame) const {
    if (!in_order)
      line.fail("frame " + std::to_string(frame) + " is out of order: the last one above is " +
                std::to_string(journal_.last()));
  }

  void read_header(scene::Document document) {
    const scene::Value header(document, *document.root);
    if (!header.is_object()) header.fail_type("the header of a run, as in { \"rebound-run\": 1, ... }");
    header.object([&](scene::Reader& reader) {
      const double format = reader.required("rebound-run", "the version of the format, 1")
                                .number({"rebound-run", 1, 1e6, 1, "", true, false, "format"});
      if (format != kRunFormat)
        reader.fail("is format " + scene::number_text(format) + ", and this version reads format 1");
      const std::string instructions = reader.required("instructions", "what it was recorded with").text();
      if (instructions != instructions_of_this_machine()) journal_.other_instructions_ = instructions;
      // A scene of its own, with the places counted from there.
      scene::Document scene{
          reader.required("scene", "what it begins with").copy(), {}, name_ + ":1: /scene", folder_, {}};
      journal_.scene_ = scene::parse(scene);
      reader.each("meshes", [&](const scene::Value& mesh) { check_mesh(mesh); });
    });
  }

  void check_mesh(const scene::Value& value) const {
    value.object([&](scene::Reader& reader) {
      const scene::Value body = reader.required("body", "whose mesh it is");
      const auto index = static_cast<std::size_t>(body.integer(kBody));
      const MeshFile recorded{static_cast<std::size_t>(reader.required("size", "of the file, in bytes").integer(kSize)),
                              reader.required("xxh3", "a checksum of the file").text()};
      const auto& bodies = journal_.scene_.bodies;
      const auto* mesh = index < bodies.size() ? std::get_if<scene::FileMesh>(&bodies[index].mesh) : nullptr;
      if (mesh == nullptr) body.fail("the scene has no body of that number with a mesh from a file");
      const MeshFile found = mesh_file(mesh->file);
      if (found == recorded) return;
      value.fail(mesh->file.string() + " is not the file that was recorded (" + std::to_string(found.size) +
                 " bytes, XXH3 " + found.hash + "; recorded were " + std::to_string(recorded.size) + " bytes, " +
                 recorded.hash + "); put that one there");
    });
  }

  std::filesystem::path file_, folder_;
  std::string name_;
  Journal journal_;
  bool ended_ = false;
};

Journal Journal::read(const std::filesystem::path& file) { return JournalReader(file).read(); }

bool is_run(const std::filesystem::path& file) {
  // To open a pipe is to wait for who writes to it.
  std::error_code none;
  if (!std::filesystem::is_regular_file(file, none)) return false;
  std::ifstream stream(file);
  std::string begin(64, ' ');
  stream.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  return begins_as_run(begin);
}

}  // namespace rebound::session
