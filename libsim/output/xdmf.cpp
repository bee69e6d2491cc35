#include "output/xdmf.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "math/error.hpp"

namespace sim {
namespace {

// The document ends within the page of its last frame. To add a frame, that ending must vanish at the same moment as
// the next page appears, although a kill may fall between any two writes (a write within one page of the system is
// all or nothing, and longer ones go page by page, in order). An XML processing instruction hides the page until
// then. With the ending written as E:
//
//      page k              page k+1               page k+2
//   0  frame E <?next      <?next ?>
//   1  frame E <?next      <?next ?>              <?next ?>
//   2  frame E <?next      frame E <?next         <?next ?>      all up to the first ?> is hidden, the new frame too
//   3  frame               frame E <?next         <?next ?>      now it shows: as in state 0, one page further
//
// The ending has its place in the last bytes of the page, so that in 3 nothing else changes, however many pages of
// the system a frame takes.
constexpr std::size_t system_page = 4096;
constexpr std::size_t tail_size = 64;
constexpr const char* ending = "</Grid></Domain></Xdmf>\n<?next ";
constexpr const char* hidden = "<?next ?>";

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  return out;
}

// A plain name as it is. The reader that ParaView has cuts others at the first colon that no "FILE:" precedes, drops
// blanks, and finds names that are not ASCII in a folder only.
std::string reference_to(const std::string& name) {
  const bool plain = name.front() != ' ' &&
                     std::all_of(name.begin(), name.end(), [](char c) { return c >= ' ' && c <= '~' && c != ':'; });
  if (plain) return name;
  return (name.find(':') != std::string::npos ? "FILE:./" : "./") + name;
}

constexpr const char* f64 = "NumberType=\"Float\" Precision=\"8\"";
constexpr const char* i32 = "NumberType=\"Int\" Precision=\"4\"";

std::string item(const std::string& type, const std::string& dimensions, const std::string& content) {
  return "<DataItem Format=\"HDF\" " + type + " Dimensions=\"" + dimensions + "\">" + content + "</DataItem>";
}

// `selection`, of the shape `rows`: the start, the stride and the count in each dimension of `whole`.
std::string slab(const std::string& type, const std::string& dimensions, const std::string& rows,
                 const std::string& selection, const std::string& whole) {
  return "<DataItem ItemType=\"HyperSlab\" " + type + " Dimensions=\"" + dimensions + "\"><DataItem Dimensions=\"" +
         rows + "\" " + i32 + " Format=\"XML\">" + selection + "</DataItem>" + whole + "</DataItem>";
}

// The text of a frame.
class FrameText {
 public:
  FrameText(const XdmfShape& shape, const std::string& source, std::int64_t frame)
      : shape_(shape),
        source_(source),
        frame_(std::to_string(frame)),
        frames_(std::to_string(frame + 1)),
        n_(std::to_string(shape.vertices)) {}

  std::string grid(double time) const {
    char seconds[40];
    std::snprintf(seconds, sizeof seconds, "%.17g", time);
    const std::string name = "<Grid Name=\"" + frame_ + "\"",
                      when = std::string("<Time Value=\"") + seconds + "\"/>\n";
    const bool volumes_shown = shape_.tets > 0, shells_shown = volumes_shown && shape_.shell_triangles > 0;
    if (!shells_shown && shape_.segments == 0)
      return name + ">" + when + (volumes_shown ? volumes() : surfaces()) + "</Grid>\n";
    const auto part = [](const char* what, const std::string& text) {
      return std::string("<Grid Name=\"") + what + "\">" + text + "</Grid>\n";
    };
    return name + " GridType=\"Collection\" CollectionType=\"Spatial\">" + when +
           (volumes_shown ? part("volumes", volumes()) : part("surfaces", surfaces())) +
           (shells_shown ? part("shells", shells()) : "") +
           (shape_.segments > 0 ? part("segments", segments()) : "") + "</Grid>\n";
  }

 private:
  std::string surfaces() const {
    if (shape_.triangles > 0)
      return cells("Triangle", shape_.triangles, 3, "triangles") + vertices() +
             owners(shape_.triangles, "triangle_object");
    return "<Topology TopologyType=\"Polyvertex\" NumberOfElements=\"" + n_ + "\" NodesPerElement=\"1\"/>\n" +
           vertices();
  }

  std::string volumes() const {
    const std::string t = std::to_string(shape_.tets);
    return cells("Tetrahedron", shape_.tets, 4, "tets") + vertices() + owners(shape_.tets, "tet_object") +
           (shape_.of_tets.von_mises ? scalars_of_tets("von_mises") : "") +
           (shape_.of_tets.stress ? tensors_of_tets("stress") : "") +
           (shape_.of_tets.strain ? tensors_of_tets("strain") : "");
  }

  std::string scalars_of_tets(const std::string& name) const {
    const std::string t = std::to_string(shape_.tets);
    return attribute(name, "Scalar", "Cell",
                     slab(f64, "1 " + t, "3 2", frame_ + " 0 1 1 1 " + t,
                          item(f64, frames_ + " " + t, source_ + ":/frames/" + name)));
  }

  // XDMF's order of the six is the file's: xx xy xz yy yz zz.
  std::string tensors_of_tets(const std::string& name) const {
    const std::string rows = std::to_string(shape_.tets) + " 6";
    return attribute(name, "Tensor6", "Cell",
                     slab(f64, "1 " + rows, "3 3", frame_ + " 0 0 1 1 1 1 " + rows,
                          item(f64, frames_ + " " + rows, source_ + ":/frames/" + name)));
  }

  std::string shells() const {
    return cells("Triangle", shape_.shell_triangles, 3, "shell_triangles") + vertices() +
           owners(shape_.shell_triangles, "shell_object");
  }

  std::string segments() const {
    return cells("Polyline\" NodesPerElement=\"2", shape_.segments, 2, "segments") + vertices() +
           owners(shape_.segments, "segment_object");
  }

  // The cells are a hyperslab too, the whole: ParaView's reader looks at the text within the first item to tell
  // whether it has read it before, and takes frames for equal whose texts are; where that item holds another one it
  // does not.
  std::string cells(const std::string& type, Index count, int corners, const std::string& dataset) const {
    const std::string number = std::to_string(count), shape = number + " " + std::to_string(corners);
    return "<Topology TopologyType=\"" + type + "\" NumberOfElements=\"" + number + "\">" +
           slab(i32, shape, "3 2", "0 0 1 1 " + shape, item(i32, shape, source_ + ":/model/" + dataset)) +
           "</Topology>\n";
  }

  std::string vertices() const {
    std::string text = "<Geometry GeometryType=\"XYZ\">" + rows_of("positions") + "</Geometry>\n";
    text += attribute("displacement", "Vector", "Node",
                      "<DataItem ItemType=\"Function\" Function=\"$0 - $1\" " + std::string(f64) +
                          " Dimensions=\"1 " + n_ + " 3\">" + rows_of("positions") +
                          item(f64, n_ + " 3", source_ + ":/model/rest_positions") + "</DataItem>");
    if (shape_.velocities) text += attribute("velocity", "Vector", "Node", rows_of("velocities"));
    if (shape_.contact_forces) text += attribute("contact_force", "Vector", "Node", rows_of("contact_forces"));
    return text;
  }

  std::string owners(Index count, const std::string& dataset) const {
    return attribute("object", "Scalar", "Cell", item(i32, std::to_string(count), source_ + ":/model/" + dataset));
  }

  std::string rows_of(const std::string& dataset) const {
    return slab(f64, "1 " + n_ + " 3", "3 3", frame_ + " 0 0 1 1 1 1 " + n_ + " 3",
                item(f64, frames_ + " " + n_ + " 3", source_ + ":/frames/" + dataset));
  }

  static std::string attribute(const std::string& name, const std::string& type, const std::string& center,
                               const std::string& data) {
    return "<Attribute Name=\"" + name + "\" AttributeType=\"" + type + "\" Center=\"" + center + "\">" + data +
           "</Attribute>\n";
  }

  const XdmfShape& shape_;
  const std::string& source_;
  const std::string frame_, frames_, n_;
};

// Room for all frames of the run.
std::size_t page_size_for(const XdmfShape& shape, const std::string& source) {
  constexpr std::int64_t many_frames = 1'000'000'000'000;
  const std::size_t longest = FrameText(shape, source, many_frames).grid(-1.2345678901234567e-300).size() + tail_size;
  return (longest + system_page - 1) / system_page * system_page;
}

}  // namespace

std::string XdmfFile::path_of(const std::string& result_path) {
  return std::filesystem::path(result_path).replace_extension(".xdmf").string();
}

XdmfFile::XdmfFile(const std::string& result_path, const XdmfShape& shape)
    : file_(path_of(result_path)),
      shape_(shape),
      source_(escaped(reference_to(std::filesystem::path(result_path).filename().string()))),
      page_size_(page_size_for(shape_, source_)),
      last_page_(
          "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Xdmf Version=\"2.0\"><Domain>\n"
          "<Grid Name=\"" +
          escaped(shape.name.substr(0, 500)) + "\" GridType=\"Collection\" CollectionType=\"Temporal\">\n") {
  write_page(0, last_page_, ending);
  write_page(1, hidden, "");
}

void XdmfFile::publish() {
  file_.publish();
}

void XdmfFile::append_frame(double time) {
  const std::string text = FrameText(shape_, source_, frames_).grid(time);
  write_page(frames_ + 2, hidden, "");
  write_page(frames_ + 1, text, ending);
  write_page(frames_, last_page_, "");
  last_page_ = text;
  ++frames_;
}

void XdmfFile::write_page(std::int64_t page, const std::string& text, const std::string& tail) const {
  std::string bytes = text;
  bytes.resize(page_size_ - tail_size, ' ');
  bytes += tail;
  bytes.resize(page_size_ - 1, ' ');
  bytes += '\n';
  if (!write_at(file_.descriptor(), bytes.data(), bytes.size(), static_cast<off_t>(page_size_) * page))
    throw FileError(file_.path() + ": cannot be written: " + std::strerror(errno));
}

}  // namespace sim
