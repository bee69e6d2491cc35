#include "scene/json_complaint.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace sim {
namespace {

using Words = std::pair<const char*, const char*>;  // the library's, ours

constexpr std::array expectations{
    Words{"string literal", "a key in double quotes"},
    Words{"':'", "\":\" after the key"},
    Words{"'}'", "\",\" or \"}\""},
    Words{"']'", "\",\" or \"]\""},
    Words{"end of input", "nothing more at the end"},
    Words{"'[', '{', or a literal", "a value"},
};

// Of these the library says what is wrong inside a text, a number or a comment.
constexpr std::array defects{
    Words{"missing closing quote", "the closing quote of a text is missing"},
    Words{"(LF) must be escaped", "expected the closing quote of a text, found the end of the line"},
    Words{"(CR) must be escaped", "expected the closing quote of a text, found the end of the line"},
    Words{"(HT) must be escaped", "a tab inside a text: write \\t"},
    Words{"must be escaped", "a control character inside a text"},
    Words{"forbidden character after backslash", "a backslash inside a text is written \\\\"},
    Words{"must be followed by 4 hex digits", "expected four hexadecimal digits after \\u"},
    Words{"surrogate", "half of a pair of surrogates (\\ud800 to \\udfff) inside a text"},
    Words{"ill-formed UTF-8", "a text with bytes that are not UTF-8; save the file as UTF-8"},
    Words{"invalid BOM", "a broken byte order mark; save the file as UTF-8"},
    Words{"expecting '/' or '*'", "expected // or /* at the beginning of a comment"},
    Words{"missing closing '*/'", "a comment is not closed by */"},
    Words{"digit after '-'", "expected a number, a digit must follow \"-\""},
    Words{"digit after '.'", "expected a number, a digit must follow \".\""},
    Words{"digit after exponent sign", "expected a number, a digit must follow the sign of the exponent"},
    Words{"digit after exponent", "expected a number, a digit must follow \"e\""},
};

bool contains(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

bool ends_word(char c) {
  return is_blank(c) || std::string(",:;=[]{}\"").find(c) != std::string::npos;
}

// Where the token begins whose last character that was read is the one before `position`.
// A word that is none ("tru") has been read one further.
std::size_t token_begin(const std::string& text, std::size_t position, bool bad_word) {
  std::size_t at = std::min(position, text.size());
  if (at == 0) return 0;
  --at;
  const bool beyond = is_blank(text[at]) || std::string(",:[]{}\"").find(text[at]) != std::string::npos;
  if (bad_word && beyond && at > 0 && !ends_word(text[at - 1])) --at;
  if (text[at] == '"' && !bad_word) {
    while (at > 0 && (text[at - 1] != '"' || (at > 1 && text[at - 2] == '\\'))) --at;
    return at == 0 ? 0 : at - 1;
  }
  while (at > 0 && !ends_word(text[at]) && !ends_word(text[at - 1])) --at;
  return at;
}

std::string word_at(const std::string& text, std::size_t begin) {
  constexpr std::size_t longest = 30;
  if (begin >= text.size()) return "the end";
  std::size_t end = begin + 1;
  if (text[begin] == '"') {
    while (end < text.size() && (text[end] != '"' || text[end - 1] == '\\')) ++end;
    end = std::min(end + 1, text.size());
  } else if (!ends_word(text[begin])) {
    while (end < text.size() && !ends_word(text[end])) ++end;
  }
  return end - begin > longest ? text.substr(begin, longest) + "..." : text.substr(begin, end - begin);
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// "01", ".5", "+5", "10m", "0x10"
bool is_mangled_number(const std::string& word) {
  if (word[0] == '.' || word[0] == '+') return word.size() > 1 && is_digit(word[1]);
  if (!is_digit(word[0])) return false;
  const bool leading_zero = word[0] == '0' && word.size() > 1 && is_digit(word[1]);
  return leading_zero || word.find_first_not_of("0123456789.eE+-") != std::string::npos;
}

char mark_before(const std::string& text, std::size_t place) {
  std::size_t at = std::min(place, text.size());
  while (at > 0 && is_blank(text[at - 1])) --at;
  return at == 0 ? '\0' : text[at - 1];
}

// What most often has led there; empty where nothing is known.
std::string advice(const std::string& expected, const std::string& found, const std::string& text,
                   std::size_t begin) {
  const bool nothing = std::all_of(text.begin(), text.end(), is_blank);
  if (nothing) return "; the scene is empty";
  if (begin >= text.size()) return "; a closing bracket is missing somewhere";
  const bool closing = found == "}" || found == "]";
  // A key or a value is wanted at a bracket only after a comma, which a comment may hide, or a colon.
  const bool wants_key = found == "}" && expected == "string literal";
  const bool wants_value = found == "]" && expected == "'[', '{', or a literal" && mark_before(text, begin) != ':';
  if (wants_key || (wants_value && begin > 0)) return "; no comma may stand after the last entry: remove it";
  if (expected == "'}'" && found == "]") return "; a { is open here, not a [";
  if (expected == "']'" && found == "}") return "; a [ is open here, not a {";
  if (expected == "end of input" && closing)
    return "; there is one closing bracket too many, or an opening one missing";
  if (found == "=") return "; between key and value stands a colon";
  if (found == ";") return "; entries are separated by commas";
  if (found[0] == '\'') return "; texts and keys need double quotes";
  if (found[0] == '#') return "; a comment begins with //";
  const std::string lower = [&] {
    std::string word = found.substr(found[0] == '-' ? 1 : 0);
    for (char& c : word) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    return word;
  }();
  if (lower.rfind("nan", 0) == 0 || lower.rfind("inf", 0) == 0) return "; NaN or Infinity are not JSON";
  if (contains("true false null", lower.c_str()) && lower.size() > 3 && lower != found) return "; write " + lower;
  const bool letter = (found[0] >= 'a' && found[0] <= 'z') || (found[0] >= 'A' && found[0] <= 'Z');
  if (letter && expected != "end of input") {
    return "; texts and keys need double quotes";
  }
  if ((expected == "'}'" || expected == "']'") && !ends_word(found[0])) return "; is a comma missing before it?";
  return expected == "'}'" && found[0] == '"' ? "; is a comma missing before it?" : "";
}

}  // namespace

JsonComplaint complaint_of(const std::string& text, std::size_t position, const std::string& message) {
  const bool at_end = contains(message, "unexpected end of input");
  const bool bad_word = contains(message, "invalid literal");
  if (!at_end && !bad_word && !contains(message, " - unexpected ")) {
    for (const auto& [theirs, ours] : defects) {
      if (contains(message, theirs)) return {position - std::min<std::size_t>(position, 1), ours};
    }
  }
  const std::size_t begin = at_end ? text.size() : token_begin(text, position, bad_word);
  const std::size_t mark = message.rfind("; expected ");
  const std::string expected = mark == std::string::npos ? "'[', '{', or a literal" : message.substr(mark + 11);
  std::string wanted = "something else";
  for (const auto& [theirs, ours] : expectations) {
    if (expected == theirs) wanted = ours;
  }
  const std::string found = at_end ? "the end" : word_at(text, begin);
  if (!at_end && is_mangled_number(found)) {
    return {begin, "expected a number, found " + found + "; numbers are written like 10, 0.5 or 1e-6"};
  }
  return {begin, "expected " + wanted + ", found " + found + advice(expected, found, text, begin)};
}

}  // namespace sim
