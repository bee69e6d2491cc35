#include "output/model_tables.hpp"

#include <algorithm>

#include "output/hdf5.hpp"

namespace sim {
namespace {

using hdf5::Handle;
using hdf5::write_array;

void write_objects(hid_t group, const Model& model) {
  std::vector<std::string> names, types, materials;
  for (const Object& object : model.objects) {
    names.push_back(object.name);
    types.push_back(to_string(object.type));
    materials.push_back(object.material < 0 ? "" : model.materials[object.material].name);
  }
  hdf5::write_texts(group, "name", names);
  hdf5::write_texts(group, "type", types);
  hdf5::write_texts(group, "material", materials);

  std::vector<Index> half_spaces;
  for (const Object& object : model.objects) half_spaces.push_back(object.half_space ? 1 : 0);
  if (std::count(half_spaces.begin(), half_spaces.end(), 1) > 0)
    write_array(group, "half_space", {half_spaces.size()}, half_spaces.data());

  const auto write_range = [&](const std::string& name, Range Object::*range) {
    std::vector<Index> begin, end;
    for (const Object& object : model.objects) {
      begin.push_back((object.*range).begin);
      end.push_back((object.*range).end);
    }
    write_array(group, name + "_begin", {begin.size()}, begin.data());
    write_array(group, name + "_end", {end.size()}, end.data());
  };
  std::vector<std::string> matters;
  std::vector<double> thickness;
  std::vector<Index> begin, end;
  Index count = 0;
  for (const Object& object : model.objects) {
    const bool thin = is_thin(object), cable = model.is_cable(object);
    matters.emplace_back(cable ? "cable" : thin ? "sheet" : object.embedded > 0 ? "embedded" : "solid");
    thickness.push_back(object.thickness);
    begin.push_back(count);
    count += cable ? object.triangles.size() : 0;
    end.push_back(count);
  }
  hdf5::write_texts(group, "matter", matters);
  write_array(group, "thickness", {thickness.size()}, thickness.data());
  write_array(group, "segment_begin", {begin.size()}, begin.data());
  write_array(group, "segment_end", {end.size()}, end.data());
  write_range("vertex", &Object::vertices);
  write_range("tet", &Object::tets);
  write_range("triangle", &Object::triangles);
}

// The object that each of `count` elements belongs to.
std::vector<Index> owners(const Model& model, std::size_t count, Range Object::*range) {
  std::vector<Index> object_of(count, -1);
  for (std::size_t k = 0; k < model.objects.size(); ++k) {
    const Range elements = model.objects[k].*range;
    for (Index i = elements.begin; i < elements.end; ++i) object_of[i] = static_cast<Index>(k);
  }
  return object_of;
}

void write_triangles(hid_t group, const std::string& name, const std::vector<Triangle>& triangles,
                     const std::vector<Index>& object, const std::string& object_name) {
  write_array(group, name, {triangles.size(), 3}, reinterpret_cast<const Index*>(triangles.data()));
  write_array(group, object_name, {object.size()}, object.data());
}

void write_springs(hid_t group, const std::vector<Spring>& springs) {
  std::vector<Index> vertices;
  std::vector<double> length, stiffness;
  for (const Spring& spring : springs) {
    vertices.insert(vertices.end(), spring.vertices.begin(), spring.vertices.end());
    length.push_back(spring.rest_length);
    stiffness.push_back(spring.stiffness);
  }
  write_array(group, "vertices", {springs.size(), 2}, vertices.data());
  write_array(group, "rest_length", {springs.size()}, length.data());
  write_array(group, "stiffness", {springs.size()}, stiffness.data());
}

void write_embedding(hid_t group, const Mesh& mesh) {
  std::vector<Index> vertices, corners;
  std::vector<double> weights;
  for (const EmbeddedVertex& point : mesh.embedded) {
    vertices.push_back(point.vertex);
    corners.insert(corners.end(), point.corners.begin(), point.corners.end());
    weights.insert(weights.end(), point.weights.begin(), point.weights.end());
  }
  write_array(group, "vertex", {vertices.size()}, vertices.data());
  write_array(group, "corners", {vertices.size(), 4}, corners.data());
  write_array(group, "weights", {vertices.size(), 4}, weights.data());
  write_array(group, "filled", {mesh.filled.size()}, mesh.filled.data());
}

}  // namespace

Segments segments(const Model& model) {
  Segments all;
  for (std::size_t k = 0; k < model.objects.size(); ++k) {
    const Object& object = model.objects[k];
    if (!model.is_cable(object)) continue;
    for (Index t = object.triangles.begin; t < object.triangles.end; ++t)
      all.ends.push_back({model.mesh.triangles[t][0], model.mesh.triangles[t][1]});
    all.object.resize(all.ends.size(), static_cast<Index>(k));
  }
  return all;
}

ShellTriangles shell_triangles(const Model& model) {
  ShellTriangles shells;
  for (std::size_t k = 0; k < model.objects.size(); ++k) {
    const Object& object = model.objects[k];
    if (object.tets.size() > 0) continue;
    const auto first = model.mesh.triangles.begin();
    shells.triangles.insert(shells.triangles.end(), first + object.triangles.begin, first + object.triangles.end);
    shells.object.resize(shells.triangles.size(), static_cast<Index>(k));
  }
  return shells;
}

void write_model(hid_t file, const Model& model, bool volumes) {
  static_assert(sizeof(Vec3) == 3 * sizeof(double) && sizeof(Tet) == 4 * sizeof(Index));
  const Mesh& mesh = model.mesh;
  const Handle group = hdf5::create_group(file, "model");
  const auto* vertices = reinterpret_cast<const double*>(mesh.vertices.data());
  write_array(group, "rest_positions", {mesh.vertices.size(), 3}, vertices);
  write_array(group, "tets", {mesh.tets.size(), 4}, reinterpret_cast<const Index*>(mesh.tets.data()));
  write_triangles(group, "triangles", mesh.triangles, owners(model, mesh.triangles.size(), &Object::triangles),
                  "triangle_object");
  write_objects(hdf5::create_group(group, "objects"), model);
  const Segments lines = segments(model);
  write_array(group, "segments", {lines.ends.size(), 2}, reinterpret_cast<const Index*>(lines.ends.data()));
  write_array(group, "segment_object", {lines.object.size()}, lines.object.data());
  VecX mass = VecX::Zero(static_cast<Eigen::Index>(mesh.vertices.size()));
  mass.head(model.elastic.mass.size()) = model.elastic.mass;  // none in a model that is not finished
  write_array(group, "mass", {mesh.vertices.size()}, mass.data());
  if (!model.elastic.springs.empty()) write_springs(hdf5::create_group(group, "springs"), model.elastic.springs);
  if (!mesh.embedded.empty()) write_embedding(hdf5::create_group(group, "embedding"), mesh);
  if (!volumes) return;
  const std::vector<Index> tet_object = owners(model, mesh.tets.size(), &Object::tets);
  write_array(group, "tet_object", {tet_object.size()}, tet_object.data());
  const ShellTriangles shells = shell_triangles(model);
  write_triangles(group, "shell_triangles", shells.triangles, shells.object, "shell_object");
}

}  // namespace sim
