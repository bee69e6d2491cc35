// What the table of the scene format says, for editors (JSON Schema) and for people (Markdown).
#include <algorithm>
#include <cmath>

#include "scene/tables.hpp"

namespace sim {
namespace {

// All tables that can be reached, each once, in the order of reading.
void collect(const Table& table, std::vector<const Table*>& found);

void collect(const Shape& shape, std::vector<const Table*>& found) {
  if (shape.item) collect(*shape.item, found);
  for (const Table* table : shape.tables) collect(*table, found);
}

void collect(const Table& table, std::vector<const Table*>& found) {
  if (std::find(found.begin(), found.end(), &table) != found.end()) return;
  found.push_back(&table);
  for (const Key& key : table.keys) collect(key.shape, found);
}

std::vector<const Table*> all_tables() {
  std::vector<const Table*> found;
  collect(scene_table(), found);
  return found;
}

// "mesh: box" -> "mesh-box": as web hosts make it from a heading
std::string anchor(const std::string& title) {
  std::string made;
  for (const char c : title) {
    if (c == ' ') made += '-';
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-') made += c;
  }
  return made;
}

// ---- JSON Schema, draft 2020-12

Json reference_to(const Table& table) {
  return {{"$ref", "#/$defs/" + anchor(table.title)}};
}

void add_bounds(const Bounds& bounds, Json& schema) {
  if (std::isfinite(bounds.low)) schema[bounds.low_open ? "exclusiveMinimum" : "minimum"] = bounds.low;
  if (std::isfinite(bounds.high)) schema[bounds.high_open ? "exclusiveMaximum" : "maximum"] = bounds.high;
}

Json schema_of(const Shape& shape);

Json schema_of_list(const Shape& shape) {
  Json schema = {{"type", "array"}, {"items", schema_of(*shape.item)}};
  if (shape.low_count > 0) schema["minItems"] = shape.low_count;
  if (shape.high_count < SIZE_MAX) schema["maxItems"] = shape.high_count;
  if (shape.nonzero) schema["not"] = {{"const", Json(std::vector<int>(shape.low_count, 0))}};
  return schema;
}

Json schema_of_object(const Shape& shape) {
  if (shape.tables.size() == 1) return reference_to(*shape.tables.front());
  Json choices = Json::array();
  for (const Table* table : shape.tables) choices.push_back(reference_to(*table));
  return {{"oneOf", std::move(choices)}};
}

Json schema_of(const Shape& shape) {
  Json schema;
  switch (shape.kind) {
    case Shape::Kind::boolean:
      return {{"type", "boolean"}};
    case Shape::Kind::integer:
    case Shape::Kind::number:
      schema["type"] = shape.kind == Shape::Kind::integer ? "integer" : "number";
      add_bounds(shape.bounds, schema);
      return schema;
    case Shape::Kind::number_or_two: {
      Json number = {{"type", "number"}};
      add_bounds(shape.bounds, number);
      return {{"anyOf", {number, {{"type", "array"}, {"items", number}, {"minItems", 2}, {"maxItems", 2}}}}};
    }
    case Shape::Kind::number_or_three: {
      const Json factor = {{"type", "number"}, {"not", {{"const", 0}}}};
      return {{"anyOf", {factor, {{"type", "array"}, {"items", factor}, {"minItems", 3}, {"maxItems", 3}}}}};
    }
    case Shape::Kind::text:
      schema["type"] = "string";
      if (shape.choices.size() == 1) {
        schema["const"] = shape.choices.front();
      } else if (!shape.choices.empty()) {
        schema["enum"] = shape.choices;
      } else {
        schema["minLength"] = 1;
      }
      return schema;
    case Shape::Kind::expression:
    case Shape::Kind::quantity:
      return {{"type", {"string", "number"}}};
    case Shape::Kind::list:
      return schema_of_list(shape);
    case Shape::Kind::names:
      return {{"type", "object"},
              {"propertyNames", {{"minLength", 1}}},
              {"additionalProperties", schema_of(*shape.item)}};
    case Shape::Kind::object:
      return schema_of_object(shape);
  }
  return schema;
}

std::string description_of(const Key& key) {
  std::string words = key.meaning;
  if (!key.unit.empty()) words += " Unit: " + key.unit + ".";
  if (!key.only_for.empty()) words += " For " + key.only_for + " only.";
  return words;
}

bool has_plain_default(const Key& key) {
  return !key.default_value.empty() && key.shape.kind != Shape::Kind::object && key.default_text.empty();
}

Json schema_of(const Table& table) {
  Json properties = Json::object();
  Json required = Json::array();
  for (const Key& key : table.keys) {
    Json& property = properties[key.name];
    property = schema_of(key.shape);
    property["description"] = description_of(key);
    if (has_plain_default(key)) property["default"] = Json::parse(key.default_value);
    if (key.required) required.push_back(key.name);
  }
  Json schema = {{"type", "object"}, {"description", table.meaning}, {"properties", std::move(properties)}};
  if (!required.empty()) schema["required"] = std::move(required);
  schema["additionalProperties"] = false;
  return schema;
}

// ---- Markdown

std::string link(const Table& table) {
  return std::string("[").append(table.title).append("](#").append(anchor(table.title)).append(")");
}

std::string links(const Shape& shape) {
  std::string list;
  for (const Table* table : shape.tables) list += (list.empty() ? "" : ", ") + link(*table);
  return (shape.tables.size() > 1 ? "one of " : "") + list;
}

std::string type_words(const Shape& shape) {
  if (shape.kind == Shape::Kind::object) return links(shape);
  if (shape.kind == Shape::Kind::names) return "by name: " + links(*shape.item);
  if (shape.kind == Shape::Kind::list && shape.item->kind == Shape::Kind::object) {
    return (shape.low_count > 0 ? "list, not empty: " : "list: ") + links(*shape.item);
  }
  if (shape.choices.empty()) return in_words(shape);
  std::string list;
  for (const std::string& choice : shape.choices) {
    if (!list.empty()) list += ", ";
    list.append("`\"").append(choice).append("\"`");
  }
  return list;
}

std::string default_words(const Key& key) {
  if (key.required) return "**required**";
  if (!key.default_text.empty()) return key.default_text;
  return has_plain_default(key) ? std::string("`").append(key.default_value).append("`") : "";
}

std::string for_table_cell(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '|') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string section(const Table& table) {
  std::string text = "### " + table.title + "\n\n" + table.meaning + "\n\n";
  text += "| key | value | unit | default | meaning |\n|---|---|---|---|---|\n";
  for (const Key& key : table.keys) {
    const std::string only = key.only_for.empty() ? "" : " For " + key.only_for + " only.";
    text += "| `" + key.name + "`";
    for (const std::string& cell : {type_words(key.shape), key.unit, default_words(key), key.meaning + only}) {
      text += " | " + for_table_cell(cell);
    }
    text += " |\n";
  }
  return text;
}

}  // namespace

std::string scene_schema() {
  Json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", "simrun scene"}};
  schema.update(schema_of(scene_table()));
  Json definitions = Json::object();
  for (const Table* table : all_tables()) {
    if (table != &scene_table()) definitions[anchor(table->title)] = schema_of(*table);
  }
  schema["$defs"] = std::move(definitions);
  return schema.dump(2) + "\n";
}

std::string scene_reference() {
  std::string text;
  for (const Table* table : all_tables()) {
    if (!text.empty()) text += '\n';
    text += section(*table);
  }
  return text;
}

}  // namespace sim
