#include "scene/json_text.hpp"

#include <algorithm>
#include <cstdio>

#include "math/error.hpp"
#include "scene/json_complaint.hpp"

namespace sim {
namespace {

constexpr std::size_t deepest = 64;   // no scene nests deeper; keeps recursion over the tree harmless
constexpr std::size_t longest = 100;  // characters of a value or of a line of the file in a message

struct Spot {  // in the text
  std::size_t line = 1, column = 1;
  std::string content;
};

Spot spot_of(const std::string& text, std::size_t offset) {
  offset = std::min(offset, text.size());
  Spot spot;
  std::size_t line_begin = 0;
  for (std::size_t i = 0; i < offset; ++i) {
    if (text[i] != '\n') continue;
    ++spot.line;
    line_begin = i + 1;
  }
  spot.column = offset - line_begin + 1;
  spot.content = text.substr(line_begin, text.find_first_of("\r\n", line_begin) - line_begin);
  const std::size_t first = spot.content.find_first_not_of(" \t");
  spot.content.erase(0, std::min(first, spot.content.size()));
  if (spot.content.size() > longest) spot.content = spot.content.substr(0, longest) + "...";
  return spot;
}

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && std::string("\t\n\r\f\v\b\x1b").find(c) == std::string::npos) || byte == 0x7f;
}

// What a file is that is no text; empty for text.
std::string binary_kind(const std::string& text) {
  if (text.rfind("\x89HDF", 0) == 0)
    return "an HDF5 file, such as the result of a run; the scene in it is its attribute \"scene\"";
  if (text.rfind("\xff\xfe", 0) == 0 || text.rfind("\xfe\xff", 0) == 0) return "text in UTF-16; save it as UTF-8";
  if (std::none_of(text.begin(), text.end(), is_control)) return "";
  std::string bytes;
  for (const char c : text.substr(0, 8)) {
    char number[8];
    std::snprintf(number, sizeof number, " %02x", static_cast<unsigned>(static_cast<unsigned char>(c)));
    bytes += number;
  }
  return "binary, its first bytes are" + bytes;
}

// Builds the tree and watches over what nlohmann's own builder lets pass.
class Builder : public nlohmann::json_sax<Json> {
 public:
  Builder(const std::string& text, std::string root, Defects& found)
      : text_(text), root_(std::move(root)), defects_(found) {}

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t& /*text*/) override { return add(value); }
  bool string(string_t& value) override { return add(value); }
  bool binary(binary_t& /*value*/) override { return false; }
  bool start_object(std::size_t /*size*/) override { return open(Json::object()); }
  bool end_object() override { return close(); }
  bool start_array(std::size_t /*size*/) override { return open(Json::array()); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    open_.back().key = name;
    return true;
  }
  bool parse_error(std::size_t position, const std::string& token,
                   const nlohmann::detail::exception& error) override {
    const std::string message = error.what();
    if (message.find("number overflow") != std::string::npos) {
      add_defect(defects_, here(), token, "expected a number that double precision can hold (up to 1.8e308)");
      throw_if_any(defects_);
    }
    if (const std::string kind = binary_kind(text_); !kind.empty()) {
      throw InputError(defects_.source + ": expected a scene in JSON, found " + kind);
    }
    const JsonComplaint complaint = complaint_of(text_, position, message);
    fail(complaint.begin, complaint.words);
  }

  Json tree;

 private:
  struct Open {
    Json value;
    std::string key;  // of the entry being read, in objects
  };

  [[noreturn]] void fail(std::size_t offset, const std::string& words) const {
    const Spot spot = spot_of(text_, offset);
    throw InputError(defects_.source + ": line " + std::to_string(spot.line) + ", column " +
                     std::to_string(spot.column) + ": " + spot.content + ": " + words);
  }

  std::string here() const {  // of the value being read
    std::string path = root_;
    for (const Open& open : open_) {
      path = open.value.is_array() ? sub_path(path, open.value.size()) : sub_path(path, open.key);
    }
    return path;
  }

  bool open(Json value) {
    if (open_.size() == deepest) {
      add_defect(defects_, here(), "[...]", "nested more than " + std::to_string(deepest) + " levels deep");
      throw_if_any(defects_);
    }
    open_.push_back({std::move(value), ""});
    return true;
  }

  bool close() {
    Json value = std::move(open_.back().value);
    open_.pop_back();
    return add(std::move(value));
  }

  bool add(Json value) {
    if (open_.empty()) {
      tree = std::move(value);
    } else if (open_.back().value.is_array()) {
      open_.back().value.push_back(std::move(value));
    } else {
      if (open_.back().value.contains(open_.back().key)) {
        add_defect(defects_, here(), shown(value), "expected every key once, this one was given before");
      }
      open_.back().value[open_.back().key] = std::move(value);
    }
    return true;
  }

  const std::string& text_;
  const std::string root_;
  Defects& defects_;
  std::vector<Open> open_;
};

}  // namespace

Json read_json(const std::string& text, Defects& defects, const std::string& root) {
  Builder builder(text, root, defects);
  Json::sax_parse(text, &builder, Json::input_format_t::json, true, true);
  return std::move(builder.tree);
}

std::string shown(const Json& value) {
  std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (text.size() <= longest) return text;
  std::size_t end = longest;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;  // not inside a UTF-8 letter
  return text.substr(0, end) + "...";
}

std::string kind_of(const Json& value) {
  if (value.is_null()) return "null";
  if (value.is_boolean()) return "true or false";
  if (value.is_number()) return "a number";
  if (value.is_string()) return value.get_ref<const std::string&>().empty() ? "empty text" : "text";
  if (value.is_array()) return value.empty() ? "an empty list" : "a list of " + std::to_string(value.size());
  return "an object {...}";
}

}  // namespace sim
