#include "output/result_reader.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <stdexcept>

#include "math/error.hpp"
#include "output/digest.hpp"
#include "output/hdf5.hpp"
#include "output/result_file.hpp"

namespace sim {

using hdf5::Failure;
using hdf5::Handle;

struct ResultReader::Impl {
  std::string path;
  Handle file;
  ResultInfo info;
  Index vertices = 0;
  std::int64_t frames = 0, steps = 0;
  bool velocities = false;

  void open();
  void read_info();
  void read_embedding(Mesh& mesh);

  template <class Work>
  auto guarded(const Work& work) const {
    try {
      return work();
    } catch (const Failure& error) {
      throw FileError(path + ": " + error.what());
    } catch (const std::length_error&) {
      throw FileError(path + ": a table claims more rows than there can be: the file is damaged");
    }
  }

  template <class T>
  std::vector<T> array(const std::string& name) const {
    const hdf5::Shape shape = hdf5::shape_of(file, name);
    std::size_t size = 1;
    for (const hsize_t n : shape) size *= n;
    std::vector<T> values(size);
    hdf5::read_rows(file, name, 0, shape.empty() ? 0 : shape[0], hdf5::native_type<T>(), values.data());
    return values;
  }

  // Row `frame` of a dataset of /frames into `out`.
  void read_frame(const std::string& name, std::int64_t frame, const hdf5::Shape& row, hid_t type, void* out) const {
    guarded([&] {
      hdf5::check_row_shape(file, "/frames/" + name, row);
      if (frame < 0 || frame >= frames)
        throw Failure("there is no frame " + std::to_string(frame) + ", the file has " + std::to_string(frames));
      hdf5::read_rows(file, "/frames/" + name, static_cast<hsize_t>(frame), 1, type, out);
    });
  }

  VecX frame_vector(const std::string& name, std::int64_t frame) const {
    VecX values(3 * Eigen::Index{vertices});
    read_frame(name, frame, {static_cast<hsize_t>(vertices), 3}, H5T_NATIVE_DOUBLE, values.data());
    return values;
  }
};

bool is_result_file(const std::string& path) {
  hdf5::silence();
  try {
    if (H5Fis_hdf5(path.c_str()) <= 0) return false;
    const Handle file = hdf5::open_file(path);
    return H5Aexists(file, "format") > 0 && hdf5::read_text_attribute(file, "format") == "simrun";
  } catch (const Failure&) {
    return false;
  }
}

void ResultReader::Impl::open() {
  hdf5::silence();
  if (!std::ifstream(path)) throw FileError(path + ": cannot be read: " + std::strerror(errno));
  const htri_t is_hdf5 = H5Fis_hdf5(path.c_str());
  if (is_hdf5 <= 0) throw Failure("is not an HDF5 file, expected a result file of simrun");
  try {
    file = hdf5::open_file(path);
  } catch (const Failure& error) {
    throw Failure(error.what() +
                  std::string(". It is damaged or was cut short: take a copy of it, or run its scene anew"));
  }
  if (H5Aexists(file, "format") <= 0 || H5Aexists(file, "format_version") <= 0)
    throw Failure("is an HDF5 file but not a result file of simrun (it has no attribute \"format\")");
  const std::string format = hdf5::read_text_attribute(file, "format");
  if (format != "simrun") throw Failure("has the format \"" + format + "\", expected \"simrun\"");
  info.format_version = hdf5::read_integer_attribute(file, "format_version");
  if (info.format_version < 1 || info.format_version > result_format_version)
    throw Failure("has format version " + std::to_string(info.format_version) +
                  ", this program reads versions 1 to " + std::to_string(result_format_version) +
                  (info.format_version > 0 ? "; a newer version of it reads the file" : ""));
  read_info();

  const hdf5::Shape positions = hdf5::shape_of(file, "/frames/positions");
  if (positions.size() != 3 || positions[2] != 3)
    throw Failure("/frames/positions does not have the shape [n, N, 3]");
  vertices = static_cast<Index>(positions[1]);
  frames = static_cast<std::int64_t>(hdf5::row_count(file, "/frames/time"));
  steps = static_cast<std::int64_t>(hdf5::row_count(file, "/steps/step"));
  velocities = H5Lexists(file, "/frames/velocities", H5P_DEFAULT) > 0;
}

void ResultReader::Impl::read_info() {
  info.program_version = hdf5::read_text_attribute(file, "program_version");
  info.status = hdf5::read_text_attribute(file, "status");
  info.reason = hdf5::read_text_attribute(file, "reason");
  info.scene = hdf5::read_text_attribute(file, "scene");
  info.solver = hdf5::read_text_attribute(file, "solver");
  info.threads = hdf5::read_integer_attribute(file, "threads");
  info.command_line = hdf5::read_text_attribute(file, "command_line");
  const auto text_if_there = [&](const char* name) {
    return H5Aexists(file, name) > 0 ? hdf5::read_text_attribute(file, name) : std::string();
  };
  if (const std::string digest = text_if_there("scene_digest"); !digest.empty() && digest != digest_of(info.scene))
    throw Failure("its scene is not the one that was written: the file is damaged. Take a copy of it");
  info.scene_folder = text_if_there("scene_folder");
  info.origin = text_if_there("origin");
}

ResultReader::ResultReader(const std::string& path) : impl_(new Impl) {
  impl_->path = path;
  impl_->guarded([&] { impl_->open(); });
}
ResultReader::~ResultReader() = default;
ResultReader::ResultReader(ResultReader&&) noexcept = default;

const ResultInfo& ResultReader::info() const {
  return impl_->info;
}

void ResultReader::Impl::read_embedding(Mesh& mesh) {
  const std::string group = "/model/embedding/";
  const auto vertices_of = array<std::int32_t>(group + "vertex"), corners = array<std::int32_t>(group + "corners");
  const auto weights = array<double>(group + "weights");
  mesh.filled = array<double>(group + "filled");
  const auto count = static_cast<Index>(mesh.vertices.size());
  const auto is_vertex = [&](Index v) { return v >= 0 && v < count; };
  if (corners.size() != 4 * vertices_of.size() || weights.size() != corners.size() ||
      mesh.filled.size() != mesh.tets.size() || !std::all_of(corners.begin(), corners.end(), is_vertex) ||
      !std::all_of(vertices_of.begin(), vertices_of.end(), is_vertex) ||
      !std::is_sorted(vertices_of.begin(), vertices_of.end()))
    throw Failure(group + " does not go with the tetrahedra and vertices: the file is damaged");
  for (std::size_t i = 0; i < vertices_of.size(); ++i) {
    EmbeddedVertex& point = mesh.embedded.emplace_back(EmbeddedVertex{vertices_of[i], {}, {}});
    std::copy_n(corners.begin() + 4 * static_cast<std::ptrdiff_t>(i), 4, point.corners.begin());
    std::copy_n(weights.begin() + 4 * static_cast<std::ptrdiff_t>(i), 4, point.weights.begin());
  }
}

Mesh ResultReader::rest_mesh() const {
  return impl_->guarded([&] {
    const auto x = impl_->array<double>("/model/rest_positions");
    const auto tets = impl_->array<std::int32_t>("/model/tets");
    const auto triangles = impl_->array<std::int32_t>("/model/triangles");
    Mesh mesh;
    for (std::size_t i = 0; i + 2 < x.size(); i += 3) mesh.vertices.emplace_back(x[i], x[i + 1], x[i + 2]);
    for (std::size_t i = 0; i + 3 < tets.size(); i += 4)
      mesh.tets.push_back({tets[i], tets[i + 1], tets[i + 2], tets[i + 3]});
    for (std::size_t i = 0; i + 2 < triangles.size(); i += 3)
      mesh.triangles.push_back({triangles[i], triangles[i + 1], triangles[i + 2]});
    const auto is_vertex = [&](Index v) { return v >= 0 && static_cast<std::size_t>(v) < mesh.vertices.size(); };
    for (const auto& [name, corners] : {std::pair("/model/tets", &tets), std::pair("/model/triangles", &triangles)}) {
      if (!std::all_of(corners->begin(), corners->end(), is_vertex))
        throw Failure(std::string(name) + " names vertices that are not there: the file is damaged");
    }
    if (hdf5::exists(impl_->file, "/model/embedding")) impl_->read_embedding(mesh);
    return mesh;
  });
}

std::vector<ResultObject> ResultReader::objects() const {
  return impl_->guarded([&] {
    const std::string group = "/model/objects/";
    const auto names = hdf5::read_texts(impl_->file, group + "name");
    const auto expect_all = [&](const std::string& column, std::size_t rows) {
      if (rows != names.size())
        throw Failure(group + column + " has " + std::to_string(rows) + " rows, expected one for each of the " +
                      std::to_string(names.size()) + " objects: the file is damaged");
    };
    const auto texts = [&](const std::string& column) {
      std::vector<std::string> all = hdf5::read_texts(impl_->file, group + column);
      expect_all(column, all.size());
      return all;
    };
    const auto numbers = [&](const std::string& column) {
      std::vector<std::int32_t> all = impl_->array<std::int32_t>(group + column);
      expect_all(column, all.size());
      return all;
    };
    const auto types = texts("type"), materials = texts("material");
    std::vector<ResultObject> objects(names.size());
    const auto read_range = [&](const std::string& name, const std::string& rows, Range ResultObject::*range) {
      const auto begin = numbers(name + "_begin"), end = numbers(name + "_end");
      const auto count = static_cast<std::int64_t>(hdf5::row_count(impl_->file, "/model/" + rows));
      for (std::size_t i = 0; i < objects.size(); ++i) {
        if (begin[i] < 0 || end[i] < begin[i] || end[i] > count)
          throw Failure(group + name + "_end names rows of /model/" + rows +
                        " that are not there: the file is damaged");
        objects[i].*range = {begin[i], end[i]};
      }
    };
    for (std::size_t i = 0; i < objects.size(); ++i) {
      objects[i].name = names[i];
      objects[i].type = types[i];
      objects[i].material = materials[i];
    }
    read_range("vertex", "rest_positions", &ResultObject::vertices);
    read_range("tet", "tets", &ResultObject::tets);
    read_range("triangle", "triangles", &ResultObject::triangles);
    if (hdf5::exists(impl_->file, group + "matter")) {
      const auto matters = texts("matter");
      for (std::size_t i = 0; i < objects.size(); ++i) objects[i].cable = matters[i] == "cable";
    }
    if (!hdf5::exists(impl_->file, group + "half_space")) return objects;
    const auto half_spaces = numbers("half_space");
    for (std::size_t i = 0; i < objects.size(); ++i) objects[i].half_space = half_spaces[i] != 0;
    return objects;
  });
}

Index ResultReader::vertex_count() const {
  return impl_->vertices;
}

std::int64_t ResultReader::frame_count() const {
  return impl_->frames;
}

double ResultReader::frame_time(std::int64_t frame) const {
  double time = 0;
  impl_->read_frame("time", frame, {}, H5T_NATIVE_DOUBLE, &time);
  return time;
}

std::int64_t ResultReader::frame_step(std::int64_t frame) const {
  std::int64_t step = 0;
  impl_->read_frame("step", frame, {}, H5T_NATIVE_INT64, &step);
  return step;
}

VecX ResultReader::positions(std::int64_t frame) const {
  return impl_->frame_vector("positions", frame);
}

bool ResultReader::has_velocities() const {
  return impl_->velocities;
}

VecX ResultReader::velocities(std::int64_t frame) const {
  return impl_->frame_vector("velocities", frame);
}

double ResultReader::unseen_energy(std::int64_t frame) const {
  const std::string name = "/frames/unseen_energy";
  if (!hdf5::exists(impl_->file, name)) return 0;
  const auto energy = hdf5::read_row<double>(impl_->file, name, static_cast<hsize_t>(frame));
  return std::isnan(energy) ? 0 : energy;
}

bool ResultReader::has_trace() const {
  return hdf5::exists(impl_->file, "/trace");
}

std::int64_t ResultReader::step_count() const {
  return impl_->steps;
}

bool ResultReader::has_step_column(const std::string& name) const {
  return H5Lexists(impl_->file, ("/steps/" + name).c_str(), H5P_DEFAULT) > 0;
}

std::vector<double> ResultReader::step_column(const std::string& name) const {
  return impl_->guarded([&] {
    const std::string path = "/steps/" + name;
    if (!has_step_column(name)) throw Failure("/steps has no column \"" + name + "\"");
    const hdf5::Shape shape = hdf5::shape_of(impl_->file, path);
    if (shape.size() > 2) throw Failure(path + " has rows of another shape than expected");
    const std::size_t width = shape.size() > 1 ? shape[1] : 1;
    std::vector<double> values(static_cast<std::size_t>(impl_->steps) * width);
    hdf5::read_rows(impl_->file, path, 0, static_cast<hsize_t>(impl_->steps), H5T_NATIVE_DOUBLE, values.data());
    return values;
  });
}

}  // namespace sim
