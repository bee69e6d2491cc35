#include "output/descriptor.hpp"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

#include "math/error.hpp"

namespace sim {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& path, const std::string& reason) {
  throw FileError(path + ": cannot be written: " + reason);
}

// A record lock far behind the data: HDF5 locks with flock(), so readers do not meet it. On NFS flock() becomes a
// record lock of the whole file and readers would be kept out, so there we go without.
bool lock(int descriptor) {
  struct statfs system {};
  if (fstatfs(descriptor, &system) != 0 || system.f_type == NFS_SUPER_MAGIC) return true;
  struct flock record {};
  record.l_type = F_WRLCK;
  record.l_whence = SEEK_SET;
  record.l_start = INT64_MAX - 1;
  record.l_len = 1;
  return fcntl(descriptor, F_OFD_SETLK, &record) == 0 || (errno != EAGAIN && errno != EACCES);
}

// False where the other run gave its file the final name before we had the lock.
bool same_file(int descriptor, const std::string& name) {
  struct stat ours {
  }, named{};
  return fstat(descriptor, &ours) == 0 && stat(name.c_str(), &named) == 0 && ours.st_ino == named.st_ino;
}

constexpr const char* in_use = "another run is writing it; choose another file, or wait for that run to end";

// The file that is there must be one that we may replace, and that no other run is writing.
void check_replaceable(const std::string& path, const std::string& shown) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return;
  if (S_ISDIR(status.st_mode)) fail(shown, "it is a directory");
  if (!S_ISREG(status.st_mode)) fail(shown, "it is not a regular file");
  const int descriptor = open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (descriptor < 0) fail(shown, std::strerror(errno));
  const bool free = lock(descriptor);
  close(descriptor);
  if (!free) fail(shown, in_use);
}

}  // namespace

bool write_at(int descriptor, const void* data, std::size_t size, off_t offset) {
  const auto* bytes = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t done = pwrite(descriptor, bytes, size, offset);
    if (done < 0 && errno == EINTR) continue;
    if (done == 0) errno = EIO;
    if (done <= 0) return false;
    bytes += done;
    offset += done;
    size -= static_cast<std::size_t>(done);
  }
  return true;
}

bool read_at(int descriptor, void* data, std::size_t size, off_t offset) {
  auto* bytes = static_cast<char*>(data);
  while (size > 0) {
    const ssize_t done = pread(descriptor, bytes, size, offset);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return false;
    if (done == 0) {
      std::memset(bytes, 0, size);
      return true;
    }
    bytes += done;
    offset += done;
    size -= static_cast<std::size_t>(done);
  }
  return true;
}

NewFile::NewFile(const std::string& path) {
  std::error_code error;
  const fs::path real = fs::weakly_canonical(path, error);  // a link stays a link: what it points to is replaced
  path_ = error ? path : real.string();
  check_replaceable(path_, path);
  const std::string name = path_ + ".new";
  descriptor_ = open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail(path, std::strerror(errno));
  if (!lock(descriptor_) || !same_file(descriptor_, name)) {
    close(descriptor_);
    fail(path, in_use);
  }
  if (ftruncate(descriptor_, 0) != 0) {
    const int reason = errno;
    close(descriptor_);
    fail(path, std::strerror(reason));
  }
  temporary_ = name;
}

NewFile::~NewFile() {
  if (descriptor_ >= 0) close(descriptor_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

NewFile::NewFile(NewFile&& other) noexcept
    : path_(std::move(other.path_)),
      temporary_(std::exchange(other.temporary_, {})),
      descriptor_(std::exchange(other.descriptor_, -1)) {}

NewFile& NewFile::operator=(NewFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(temporary_, other.temporary_);
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

void NewFile::publish() {
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) fail(path_, std::strerror(errno));
  temporary_.clear();
}

}  // namespace sim
