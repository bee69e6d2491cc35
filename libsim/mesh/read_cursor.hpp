// A mesh file in memory and the place up to which it has been read: words and numbers of text, numbers in binary,
// and errors that say where. For the readers of mesh files only (read_*.cpp).
#pragma once

#include <bit>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>

#include "math/types.hpp"

namespace sim {

// Words are separated by blanks, tabs, carriage returns and line ends. Numbers are read the same in every locale, to
// the nearest double. `expected` is the name of the thing for the message of the InputError that is thrown when the
// file has something else: file, line of the text (or byte, once binary numbers have been read), expected, found.
class Cursor {
 public:
  // Takes the whole file into memory; throws FileError. Text after `comment` is a blank up to the end of its line.
  explicit Cursor(const std::string& path, char comment = '\0');
  Cursor(const Cursor&) = delete;
  Cursor& operator=(const Cursor&) = delete;

  std::string_view text() const { return text_; }  // the whole file
  std::size_t position() const { return position_; }
  std::size_t remaining() const { return text_.size() - position_; }

  // --- text -----------------------------------------------------------------------------------------------------
  bool find_word();                          // goes to the next word, over line ends; false at the end of the file
  std::string_view word();                   // the next word of this line; empty at its end
  std::string_view next_word();              // the next word of the file; empty at its end
  std::string_view line();                   // the rest of this line without its end; goes on to the next line
  bool at_line_end();                        // no word is left on this line
  double number(std::string_view expected);  // the next word of this line as a finite number
  std::int64_t integer(std::string_view expected, std::int64_t low, std::int64_t high);
  // A whole number of any size from a piece of the last word.
  std::int64_t parse_integer(std::string_view digits, std::string_view expected) const;
  double next_number(std::string_view expected);  // as number(), over line ends
  std::int64_t next_integer(std::string_view expected, std::int64_t low, std::int64_t high);
  void expect(std::string_view keyword);     // the next word of the file
  void end_line(std::string_view expected);  // nothing may follow on this line; goes on to the next
  void end_file(std::string_view expected);  // nothing may follow in the file
  void skip_to(std::string_view keyword);    // just behind the next `keyword`, whatever comes before it

  // --- binary ---------------------------------------------------------------------------------------------------
  void set_byte_order(std::endian order) { swap_ = order != std::endian::native; }
  template <class T>
  T binary(std::string_view expected);  // the next number, as it is
  template <class T>
  double binary_number(std::string_view expected);  // the next number, which must be finite
  template <class T>
  std::int64_t binary_integer(std::string_view expected, std::int64_t low, std::int64_t high);
  void skip_bytes(std::size_t count, std::string_view expected);

  // --- both -----------------------------------------------------------------------------------------------------
  // A corrupt count must not become an allocation: `count` things of at least `bytes_each` must fit into the rest.
  void check_room(std::int64_t count, std::size_t bytes_each, std::string_view expected) const;
  // A whole number that came as a double (a property of PLY may have any type).
  std::int64_t whole(double value, std::string_view expected, std::int64_t low, std::int64_t high) const;

  // Throws InputError about what was read last, or about another place and what was found there.
  [[noreturn]] void fail(std::string_view expected) const;
  [[noreturn]] void fail(std::string_view expected, std::string_view found) const;
  [[noreturn]] void fail_at(std::size_t place, std::string_view expected, std::string_view found) const;

 private:
  void take_bytes(void* value, std::size_t size, std::string_view expected);
  void check_range(std::int64_t value, std::string_view expected, std::int64_t low, std::int64_t high) const;
  void check_finite(double value, std::string_view expected) const;
  void skip_blanks(bool over_line_ends);

  std::string path_, text_;
  std::size_t position_ = 0;
  std::size_t last_ = 0;                         // where the last word or binary number begins
  std::string_view last_word_;                   // empty at the end of a line or of the file
  std::size_t binary_from_ = std::string::npos;  // places from here on are named by byte
  char comment_;
  bool swap_ = false;
};

std::string quoted(std::string_view text);  // text of a file for a message: short and printable

constexpr std::int64_t max_index = std::numeric_limits<Index>::max();

template <class T>
T Cursor::binary(std::string_view expected) {
  unsigned char bytes[sizeof(T)];
  take_bytes(bytes, sizeof(T), expected);
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

template <class T>
double Cursor::binary_number(std::string_view expected) {
  const auto value = static_cast<double>(binary<T>(expected));
  check_finite(value, expected);
  return value;
}

template <class T>
std::int64_t Cursor::binary_integer(std::string_view expected, std::int64_t low, std::int64_t high) {
  const auto value = static_cast<std::int64_t>(binary<T>(expected));
  check_range(value, expected, low, high);
  return value;
}

}  // namespace sim
