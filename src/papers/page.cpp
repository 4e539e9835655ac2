#include "papers/page.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <set>

#include "papers/page_parts.hpp"
#include "papers/plots.hpp"

namespace rebound::papers {
namespace {

namespace fs = std::filesystem;

constexpr std::array kVerdicts{Verdict::agrees, Verdict::differs, Verdict::not_comparable, Verdict::not_yet,
                               Verdict::not_run};

std::string text_of(const std::string& plain) {
  std::string text;
  for (const char c : plain) switch (c) {
      case '&':
        text += "&amp;";
        break;
      case '<':
        text += "&lt;";
        break;
      case '>':
        text += "&gt;";
        break;
      case '"':
        text += "&quot;";
        break;
      default:
        text += c;
    }
  return text;
}

std::string paragraph(const std::string& plain, const std::string& css = {}) {
  if (plain.empty()) return {};
  return "<p" + (css.empty() ? "" : " class=\"" + css + "\"") + ">" + text_of(plain) + "</p>\n";
}

std::string chip(Verdict verdict) {
  return "<span class=\"chip " + slug_of(verdict) + "\">" + std::string(name_of(verdict)) + "</span>";
}

std::string code(const std::string& plain) { return "<code>" + text_of(plain) + "</code>"; }

/// A cell that says on a narrow screen what it is.
std::string cell(const std::string& label, const std::string& html) {
  return (label.empty() ? "<td>" : "<td data-label=\"" + label + "\">") + html + "</td>";
}

std::string bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string base64(const std::string& bytes) {
  static constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t here = std::min<std::size_t>(3, bytes.size() - i);
    unsigned three = 0;
    for (std::size_t k = 0; k < 3; ++k)
      three = (three << 8) | (k < here ? static_cast<unsigned char>(bytes[i + k]) : 0);
    for (std::size_t k = 0; k < 4; ++k) text += k <= here ? kDigits[(three >> (18 - 6 * k)) & 63] : '=';
  }
  return text;
}

/// What the filters look at.
std::string filtered_by(const Shown& shown) {
  return " data-paper=\"" + shown.row->paper + "\" data-verdict=\"" + slug_of(shown.judged.verdict) + "\"";
}

std::string duration(double seconds) {
  if (seconds < 1) return "below 1 s";
  if (seconds < 100) return std::to_string(static_cast<int>(seconds + 0.5)) + " s";
  return std::to_string(static_cast<int>(seconds / 60 + 0.5)) + " min";
}

std::string numbers_table(const Shown& shown) {
  if (shown.judged.numbers.empty()) return {};
  std::string html =
      "<table class=\"numbers\"><thead><tr><th>What</th><th>Paper</th><th>Rebound</th><th>Agrees if</th><th></th></tr>"
      "</thead><tbody>\n";
  for (std::size_t i = 0; i < shown.row->numbers.size(); ++i) {
    const Number& number = shown.row->numbers[i];
    const JudgedNumber& judged = shown.judged.numbers[i];
    const bool is_elsewhere = !judged.paper.empty() && number.paper.place != shown.row->place;
    html += "<tr>" + cell("", text_of(number.what)) +
            cell("Paper",
                 text_of(judged.paper) +
                     (is_elsewhere ? " <span class=\"where small\">" + text_of(number.paper.place) + "</span>" : "")) +
            cell("Rebound", text_of(judged.ours)) + cell("Agrees if", text_of(judged.expected)) +
            cell("", (number.expected.is_empty() ? "<span class=\"chip not-comparable\">shown</span>"
                                                 : chip(judged.verdict)) +
                         (judged.why.empty() ? "" : "<br><span class=\"small\">" + text_of(judged.why) + "</span>")) +
            "</tr>\n";
  }
  return html + "</tbody></table>\n";
}

std::string parameters_table(const Row& row) {
  if (row.parameters.empty()) return {};
  std::string html =
      "<details><summary>Parameters, and where they come from</summary><table class=\"parameters\"><thead><tr>"
      "<th>Parameter</th><th>Value</th><th>Origin</th><th>Why</th></tr></thead><tbody>\n";
  for (const Parameter& p : row.parameters)
    html += "<tr>" + cell("", text_of(p.name)) + cell("Value", text_of(p.value)) + cell("Origin", p.origin) +
            cell("Why", text_of(p.why)) + "</tr>\n";
  return html + "</tbody></table></details>\n";
}

std::string plots_of(const Shown& shown, const fs::path& folder) {
  std::string html;
  for (std::size_t i = 0; i < shown.kept->plots.size(); ++i)
    html += "<figure>" +
            part_of_page(bytes_of(folder / shown.kept->plots[i]), file_name(shown.row->id) + "-" + std::to_string(i)) +
            "</figure>\n";
  return html.empty() ? "" : "<div class=\"plots\">" + html + "</div>\n";
}

std::string pictures_of(const Shown& shown, const fs::path& folder) {
  std::string html;
  const auto& pictures = shown.kept->pictures;
  for (std::size_t i = 0; i < pictures.size(); ++i)
    html += "<figure><img alt=\"" + text_of(shown.row->title) + ", picture " + std::to_string(i + 1) + " of " +
            std::to_string(pictures.size()) + "\" src=\"data:image/jpeg;base64," +
            base64(bytes_of(folder / pictures[i])) + "\"></figure>\n";
  return html.empty() ? "" : "<div class=\"pictures\">" + html + "</div>\n";
}

/// How it came about, for who wants to know.
std::string made_of(const Shown& shown) {
  std::string html;
  for (const auto& run : shown.kept->runs) {
    if (!run.ended.empty()) html += paragraph(run.name + " ended early: " + run.ended, "small muted");
    if (!run.notes.empty()) html += paragraph(run.name + ": " + run.notes, "small muted");
  }
  html += paragraph(shown.kept->remark, "small muted");
  const int threads = shown.kept->threads;
  const std::string took = "Took " + duration(shown.kept->seconds) + " on " + shown.kept->machine + ", " +
                           std::to_string(threads) + (threads == 1 ? " thread" : " threads") + ", " + shown.kept->date;
  html += "<p class=\"small muted\">" + text_of(took) +
          ". Again: " + code("rebound reproduce " + shown.row->id + " -o FOLDER");
  if (shown.row->has_scene()) html += "; in the window: " + code("rebound reproduce --open " + shown.row->id);
  return html + "</p>\n";
}

std::string section(const Shown& shown, const Request& request) {
  const Row& row = *shown.row;
  std::string html = "<section class=\"card\" id=\"" + row.id + "\"" + filtered_by(shown) + ">\n<header><h2>" +
                     text_of(row.paper + ", " + row.place + ": " + row.title) + "</h2>" + chip(shown.judged.verdict) +
                     "</header>\n<p class=\"small muted\">" + text_of(row.id) + " &middot; class " + row.rank +
                     "</p>\n";
  html += paragraph("The paper: " + row.claim);
  html += paragraph("Verdict: " + std::string(name_of(shown.judged.verdict)) + ", " + shown.judged.reason + ".");
  html += numbers_table(shown);
  html += paragraph(row.finding, "finding");
  html += paragraph("What to look for: " + row.look, "muted");
  if (shown.kept) {
    const fs::path folder = request.folder / row.id;
    html += plots_of(shown, folder) + pictures_of(shown, folder);
  }
  html += parameters_table(row);
  if (shown.kept) html += made_of(shown);
  return html + "</section>\n";
}

std::string rows_table(const std::vector<Shown>& rows) {
  std::string html =
      "<table "
      "class=\"rows\"><thead><tr><th>Row</th><th>What</th><th>Verdict</th><th>Because</th></tr></thead><tbody>\n";
  for (const Shown& shown : rows) {
    const Row& row = *shown.row;
    const bool has_section = shown.judged.verdict != Verdict::not_run;
    const std::string where = text_of(row.paper + ", " + row.place);
    html += "<tr" + filtered_by(shown) + ">" +
            cell("", has_section ? "<a href=\"#" + row.id + "\">" + where + "</a>" : where) +
            cell("", text_of(row.title)) + cell("", chip(shown.judged.verdict)) + "<td class=\"small muted\">" +
            text_of(has_section ? shown.judged.reason : "") + "</td></tr>\n";
  }
  return html + "</tbody></table>\n";
}

std::string option(const std::string& value, const std::string& text) {
  return "<option value=\"" + value + "\">" + text + "</option>";
}

std::string controls(const std::vector<Shown>& rows) {
  std::string papers, verdicts;
  std::set<std::string> seen;
  for (const Shown& shown : rows)
    if (seen.insert(shown.row->paper).second) papers += option(shown.row->paper, shown.row->paper);
  for (const Verdict verdict : kVerdicts) verdicts += option(slug_of(verdict), std::string(name_of(verdict)));
  return "<div class=\"controls\"><div><label for=\"paper\">Paper</label><select id=\"paper\">" + option("", "all") +
         papers + "</select></div><div><label for=\"verdict\">Verdict</label><select id=\"verdict\">" +
         option("", "all") + verdicts + "</select></div><div class=\"muted small\" id=\"count\"></div></div>\n";
}

// "1 agrees", "2 agree", "2 not yet".
std::string counted(std::ptrdiff_t count, Verdict verdict) {
  std::string words = std::to_string(count) + " " + std::string(name_of(verdict));
  if (count > 1 && (verdict == Verdict::agrees || verdict == Verdict::differs)) words.pop_back();
  return words;
}

std::string counts(const std::vector<Shown>& rows) {
  std::string bar, words;
  for (const Verdict verdict : kVerdicts) {
    const auto count =
        std::count_if(rows.begin(), rows.end(), [&](const Shown& s) { return s.judged.verdict == verdict; });
    if (count == 0) continue;
    bar += "<i class=\"" + slug_of(verdict) + "\" style=\"flex:" + std::to_string(count) + "\"></i>";
    words += (words.empty() ? "" : ", ") + std::string("<b class=\"") + slug_of(verdict) + "\">" +
             counted(count, verdict) + "</b>";
  }
  return "<div class=\"bar\">" + bar + "</div><p>" + words + " of " + std::to_string(rows.size()) + " rows.</p>\n";
}

std::string head() {
  const auto rules = [](const char* colors, bool dark) {
    return ":root{" + std::string(colors) + plot_colors(dark) + "}";
  };
  return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
         "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">"
         "<title>What the papers claim, and what Rebound measures</title>"
         "<link rel=\"icon\" href=\"data:,\"><style>" +
         rules(kLightColors, false) + "@media screen and (prefers-color-scheme:dark){" + rules(kDarkColors, true) +
         "}" + kStyle + "</style></head><body>\n";
}

}  // namespace

std::string page(const std::vector<Shown>& rows, const Request& request) {
  std::string html = head();
  html += "<header><h1>What the papers claim, and what Rebound measures</h1>\n";
  html += paragraph(
      "Each row reruns one table, figure or statement of a paper. The paper's numbers are as printed; all others were "
      "measured by this program. A row agrees where every judged number keeps its bound, differs where one does not, "
      "and is "
      "not comparable where nothing of the paper can be held against ours. Parameters that a paper does not give are "
      "marked as recovered or ours.",
      "muted");
  html += "<p class=\"small muted\">Rebound " + text_of(request.version) + ", made by " + code("rebound reproduce") +
          ".</p>\n";
  html += counts(rows) + "</header>\n<main>\n" + controls(rows) + rows_table(rows);
  for (const Shown& shown : rows)
    if (shown.judged.verdict != Verdict::not_run) html += section(shown, request);
  return html +
         "</main>\n<footer class=\"small muted\"><p>Papers: Dinev18, Chen20, Gast15 and You26, as in "
         "docs/references.md.</p></footer>\n<script>" +
         kScript + "</script></body></html>\n";
}

}  // namespace rebound::papers
