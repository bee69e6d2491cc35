#include "mesh/read_cursor.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "math/error.hpp"

namespace sim {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

// std::from_chars does not know the sign +.
std::string_view without_plus(std::string_view digits) {
  if (digits.starts_with('+') && !digits.starts_with("+-")) digits.remove_prefix(1);
  return digits;
}

std::string read_all(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) throw FileError(path + ": there is no such file");
  if (std::filesystem::is_directory(status)) throw FileError(path + ": expected a mesh file, found a directory");
  const auto size = std::filesystem::file_size(path, error);
  if (error) throw FileError(path + ": cannot be read: " + error.message());
  std::ifstream file(path, std::ios::binary);
  if (!file) throw FileError(path + ": cannot be opened for reading");
  std::string text(size, '\0');
  if (!file.read(text.data(), static_cast<std::streamsize>(size))) throw FileError(path + ": cannot be read");
  return text;
}

}  // namespace

std::string quoted(std::string_view text) {
  constexpr std::size_t longest = 40;
  std::string out = "\"";
  for (const char c : text.substr(0, longest)) out += c >= ' ' && c <= '~' ? c : '?';
  return out + (text.size() > longest ? "...\"" : "\"");
}

Cursor::Cursor(const std::string& path, char comment) : path_(path), text_(read_all(path)), comment_(comment) {}

void Cursor::skip_blanks(bool over_line_ends) {
  for (; position_ < text_.size(); ++position_) {
    const char c = text_[position_];
    if (comment_ != '\0' && c == comment_) {
      position_ = std::min(text_.find('\n', position_), text_.size());
      if (!over_line_ends || position_ == text_.size()) return;
    } else if (!is_blank(c) && !(c == '\n' && over_line_ends)) {
      return;
    }
  }
}

bool Cursor::find_word() {
  skip_blanks(true);
  return position_ < text_.size();
}

std::string_view Cursor::word() {
  skip_blanks(false);
  last_ = position_;
  const auto ends_word = [&](char c) { return is_blank(c) || c == '\n' || (comment_ != '\0' && c == comment_); };
  while (position_ < text_.size() && !ends_word(text_[position_])) ++position_;
  return last_word_ = std::string_view(text_).substr(last_, position_ - last_);
}

std::string_view Cursor::next_word() {
  find_word();
  return word();
}

bool Cursor::at_line_end() {
  skip_blanks(false);
  return position_ == text_.size() || text_[position_] == '\n';
}

std::string_view Cursor::line() {
  last_ = position_;
  const std::size_t end = std::min(text_.find('\n', position_), text_.size());
  position_ = std::min(end + 1, text_.size());
  last_word_ = std::string_view(text_).substr(last_, end - last_);
  if (last_word_.ends_with('\r')) last_word_.remove_suffix(1);
  return last_word_;
}

double Cursor::number(std::string_view expected) {
  const std::string_view digits = without_plus(word());
  double value = 0;
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc::result_out_of_range) {  // too small for a double is zero; too large is an error
    long double wide = 0;
    if (std::from_chars(digits.data(), digits.data() + digits.size(), wide).ec == std::errc() && std::abs(wide) < 1)
      error = std::errc(), value = static_cast<double>(wide);
  }
  if (error != std::errc() || end != digits.data() + digits.size() || !std::isfinite(value))
    fail(std::string(expected) + " (a finite number)");
  return value;
}

std::int64_t Cursor::integer(std::string_view expected, std::int64_t low, std::int64_t high) {
  const std::int64_t value = parse_integer(word(), expected);
  check_range(value, expected, low, high);
  return value;
}

std::int64_t Cursor::parse_integer(std::string_view digits, std::string_view expected) const {
  std::int64_t value = 0;
  digits = without_plus(digits);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size()) fail(std::string(expected) + " (a whole number)");
  return value;
}

double Cursor::next_number(std::string_view expected) {
  find_word();
  return number(expected);
}

std::int64_t Cursor::next_integer(std::string_view expected, std::int64_t low, std::int64_t high) {
  find_word();
  return integer(expected, low, high);
}

void Cursor::expect(std::string_view keyword) {
  if (next_word() != keyword) fail(quoted(keyword));
}

void Cursor::end_line(std::string_view expected) {
  if (!word().empty()) fail(expected);
  line();
}

void Cursor::end_file(std::string_view expected) {
  if (!next_word().empty()) fail(expected);
}

void Cursor::skip_to(std::string_view keyword) {
  const std::size_t found = text_.find(keyword, position_);
  if (found == std::string::npos) fail_at(text_.size(), quoted(keyword), "the end of the file");
  position_ = found + keyword.size();
}

void Cursor::take_bytes(void* value, std::size_t size, std::string_view expected) {
  auto* bytes = static_cast<unsigned char*>(value);
  const std::size_t begin = position_;
  skip_bytes(size, expected);
  std::memcpy(bytes, text_.data() + begin, size);
  if (swap_) std::reverse(bytes, bytes + size);
}

void Cursor::skip_bytes(std::size_t count, std::string_view expected) {
  binary_from_ = std::min(binary_from_, position_);
  last_ = position_;
  last_word_ = {};
  if (remaining() < count)
    fail(std::to_string(count) + " bytes for " + std::string(expected),
         "the end of the file after " + std::to_string(remaining()));
  position_ += count;
}

void Cursor::check_range(std::int64_t value, std::string_view expected, std::int64_t low, std::int64_t high) const {
  if (value >= low && value <= high) return;
  const std::string range = low > high         ? ", but there are none"
                            : low == high      ? " " + std::to_string(low)
                            : high < INT64_MAX ? " from " + std::to_string(low) + " to " + std::to_string(high)
                                               : " of at least " + std::to_string(low);
  fail(std::string(expected) + range, std::to_string(value));
}

void Cursor::check_finite(double value, std::string_view expected) const {
  if (!std::isfinite(value)) fail(std::string(expected) + " (a finite number)", std::to_string(value));
}

void Cursor::check_room(std::int64_t count, std::size_t bytes_each, std::string_view expected) const {
  const auto room = static_cast<std::int64_t>(std::min<std::size_t>(remaining() / bytes_each, max_index));
  if (count < 0 || count > room)
    fail(std::string(expected) + " from 0 to " + std::to_string(room) + " (the file has no room for more)",
         std::to_string(count));
}

std::int64_t Cursor::whole(double value, std::string_view expected, std::int64_t low, std::int64_t high) const {
  if (std::trunc(value) != value || std::abs(value) > 1e15)
    fail(std::string(expected) + " (a whole number)", std::to_string(value));
  check_range(static_cast<std::int64_t>(value), expected, low, high);
  return static_cast<std::int64_t>(value);
}

void Cursor::fail(std::string_view expected) const {
  if (!last_word_.empty()) fail_at(last_, expected, quoted(last_word_));
  fail_at(last_, expected, last_ < text_.size() ? "the end of the line" : "the end of the file");
}

void Cursor::fail(std::string_view expected, std::string_view found) const {
  fail_at(last_, expected, found);
}

void Cursor::fail_at(std::size_t place, std::string_view expected, std::string_view found) const {
  const auto lines = [&] {
    return 1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(place), '\n');
  };
  const std::string where =
      place < binary_from_ ? "line " + std::to_string(lines()) : "byte " + std::to_string(place);
  throw InputError(path_ + ", " + where + ": expected " + std::string(expected) + ", found " + std::string(found));
}

}  // namespace sim
