#include "output/xdmf.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "math/error.hpp"

namespace sim {
namespace {

// The document ends within the page of its last frame. To add a frame, that ending must vanish at the same moment as
// the next page appears, although a kill may fall between any two writes (a write within one page is all or nothing).
// An XML processing instruction hides the page until then. With the ending written as E:
//
//      page k            page k+1               page k+2
//   0  ... E <?next      ?>                                   what is in front of the first ?> belongs to the
//   instruction 1  ... E <?next      ?>                     <?next ?>     an instruction of its own 2  ... E <?next
//   frame E <?next ?>      <?next ?>     the new frame is hidden 3  ...               frame E <?next ?>      <?next
//   ?>     and now it shows 4  ...               frame E <?next         <?next ?>     as in state 0, one page further
constexpr std::size_t page_size = 4096;
constexpr const char* ending = "</Grid></Domain></Xdmf>\n";
constexpr const char* open_hidden = "<?next ";
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

}  // namespace

std::string XdmfFile::path_of(const std::string& result_path) {
  return std::filesystem::path(result_path).replace_extension(".xdmf").string();
}

XdmfFile::XdmfFile(const std::string& result_path, const XdmfShape& shape)
    : file_(path_of(result_path)),
      shape_(shape),
      source_(escaped(std::filesystem::path(result_path).filename().string())),
      last_page_(
          "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Xdmf Version=\"2.0\"><Domain>\n"
          "<Grid Name=\"" +
          escaped(shape.name.substr(0, 500)) + "\" GridType=\"Collection\" CollectionType=\"Temporal\">\n") {
  write_page(0, last_page_ + ending + open_hidden);
  write_page(1, hidden);
}

void XdmfFile::publish() {
  file_.publish();
}

// N vertices, F triangles; without triangles the vertices are shown as points. The triangles are a hyperslab too, the
// whole: ParaView's reader looks at the text within the first item to tell whether it has read it before, and takes
// frames for equal whose texts are; where that item holds another one it does not.
std::string XdmfFile::frame_text(double time) const {
  const std::string n = std::to_string(shape_.vertices), f = std::to_string(shape_.triangles);
  const std::string frame = std::to_string(frames_), count = std::to_string(frames_ + 1);
  const auto rows_of = [&](const char* dataset) {
    return slab(f64, "1 " + n + " 3", "3 3", frame + " 0 0 1 1 1 1 " + n + " 3",
                item(f64, count + " " + n + " 3", source_ + ":/frames/" + dataset));
  };
  char seconds[40];
  std::snprintf(seconds, sizeof seconds, "%.17g", time);

  std::string text = "<Grid Name=\"" + frame + "\"><Time Value=\"" + seconds + "\"/>\n";
  if (shape_.triangles > 0)
    text += "<Topology TopologyType=\"Triangle\" NumberOfElements=\"" + f + "\">" +
            slab(i32, f + " 3", "3 2", "0 0 1 1 " + f + " 3", item(i32, f + " 3", source_ + ":/model/triangles")) +
            "</Topology>\n";
  else
    text += "<Topology TopologyType=\"Polyvertex\" NumberOfElements=\"" + n + "\" NodesPerElement=\"1\"/>\n";
  text += "<Geometry GeometryType=\"XYZ\">" + rows_of("positions") + "</Geometry>\n";
  if (shape_.velocities)
    text += "<Attribute Name=\"velocity\" AttributeType=\"Vector\" Center=\"Node\">" + rows_of("velocities") +
            "</Attribute>\n";
  if (shape_.triangles > 0)
    text += "<Attribute Name=\"object\" AttributeType=\"Scalar\" Center=\"Cell\">" +
            item(i32, f, source_ + ":/model/triangle_object") + "</Attribute>\n";
  return text + "</Grid>\n";
}

void XdmfFile::append_frame(double time) {
  const std::string text = frame_text(time);
  write_page(frames_ + 2, hidden);
  write_page(frames_ + 1, text + ending + hidden);
  write_page(frames_, last_page_);
  write_page(frames_ + 1, text + ending + open_hidden);
  last_page_ = text;
  ++frames_;
}

void XdmfFile::write_page(std::int64_t page, const std::string& text) const {
  std::string bytes = text;
  if (bytes.size() >= page_size) throw FileError(file_.path() + ": the name of the result file is too long for XDMF");
  bytes.resize(page_size - 1, ' ');
  bytes += '\n';
  if (!write_at(file_.descriptor(), bytes.data(), bytes.size(), static_cast<off_t>(page_size) * page))
    throw FileError(file_.path() + ": cannot be written: " + std::strerror(errno));
}

}  // namespace sim
