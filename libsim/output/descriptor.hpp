// Files by descriptor: what HDF5 and the standard streams do not offer (locks, writes at a place, replacing a file
// whole).
#pragma once

#include <sys/types.h>

#include <string>

namespace sim {

// False with errno set where not all bytes could be written or read; bytes past the end of the file read as zero.
bool write_at(int descriptor, const void* data, std::size_t size, off_t offset);
bool read_at(int descriptor, void* data, std::size_t size, off_t offset);

// A file that is written under another name in the same folder until it is fit to take the place of `path`, and that
// no other NewFile can replace while this one is open. Readers are not kept out.
class NewFile {
 public:
  NewFile() = default;
  explicit NewFile(const std::string& path);  // throws FileError: where `path` cannot be (over)written
  ~NewFile();                                 // closes; removes the file if it was not published
  NewFile(NewFile&&) noexcept;
  NewFile& operator=(NewFile&&) noexcept;

  void publish();  // gives the file its name
  int descriptor() const { return descriptor_; }
  const std::string& path() const { return path_; }

 private:
  std::string path_, temporary_;  // temporary_ is empty once published
  int descriptor_ = -1;
};

}  // namespace sim
