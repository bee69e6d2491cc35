#include "output/commit_driver.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <map>
#include <tuple>
#include <utility>

#include "output/descriptor.hpp"
#include "output/lookup3.hpp"

namespace sim::hdf5 {
namespace {

using Bytes = std::vector<unsigned char>;

constexpr haddr_t hole = 16 << 20;  // bytes that the file grows ahead; a reader has this much to spare
constexpr haddr_t page = 4096;      // of the system's file cache, or a divisor of it

struct Driver {
  H5FD_t base;  // first: HDF5 sees only this
  int descriptor = -1;
  haddr_t used = 0;       // end of what HDF5 has allocated
  haddr_t committed = 0;  // the same at the last commit
  haddr_t size = 0;       // of the file
  Bytes superblock;       // as it is on disk
  std::map<haddr_t, Bytes> pending;
  std::vector<haddr_t> last;
  bool failed = false;
};

Driver& driver(H5FD_t* file) {
  return *reinterpret_cast<Driver*>(file);
}
const Driver& driver(const H5FD_t* file) {
  return *reinterpret_cast<const Driver*>(file);
}

// Also tells HDF5, as the innermost reason of the error that it will report.
bool fail(Driver& d, const char* reason) {
  d.failed = true;
  H5Epush2(H5E_DEFAULT, __FILE__, __func__, __LINE__, H5E_ERR_CLS, H5E_VFL, H5E_WRITEERROR, "%s", reason);
  return false;
}

bool write_now(Driver& d, haddr_t address, const void* data, std::size_t size) {
  return write_at(d.descriptor, data, size, static_cast<off_t>(address)) || fail(d, std::strerror(errno));
}

bool resize(Driver& d, haddr_t size) {
  if (ftruncate(d.descriptor, static_cast<off_t>(size)) != 0) return fail(d, std::strerror(errno));
  d.size = size;
  return true;
}

// Takes [begin, end) out of the pending writes; what sticks out on either side stays.
void cut(std::map<haddr_t, Bytes>& pending, haddr_t begin, haddr_t end) {
  auto it = pending.upper_bound(begin);
  if (it != pending.begin()) --it;
  while (it != pending.end() && it->first < end) {
    const haddr_t first = it->first;
    const Bytes bytes = std::move(it->second);
    const haddr_t past = first + bytes.size();
    if (past <= begin) {
      it->second = bytes;
      ++it;
      continue;
    }
    it = pending.erase(it);
    const auto offset = [&](haddr_t address) { return bytes.begin() + static_cast<std::ptrdiff_t>(address - first); };
    if (first < begin) pending.emplace(first, Bytes(bytes.begin(), offset(begin)));
    if (past > end) pending.emplace(end, Bytes(offset(end), bytes.end()));
  }
}

// Where a block stands in the order of a commit: what refers to others comes after them.
std::size_t rank(const Driver& d, haddr_t address, const Bytes& bytes) {
  static constexpr std::array<const char*, 7> bottom_up{"GCOL", "EADB", "EASB", "EAIB", "EAHD", "OCHK", "OHDR"};
  const auto last = std::find(d.last.begin(), d.last.end(), address);
  if (last != d.last.end()) return 100 + static_cast<std::size_t>(last - d.last.begin());
  for (std::size_t i = 0; i < bottom_up.size() && bytes.size() >= 4; ++i)
    if (std::memcmp(bytes.data(), bottom_up[i], 4) == 0) return 1 + i;
  return 0;
}

// The end-of-file address is bytes 28 to 35 of a superblock of version 2, the checksum bytes 44 to 47.
bool write_superblock(Driver& d, haddr_t end_of_file) {
  const auto pending = d.pending.find(0);
  Bytes block = pending != d.pending.end() ? pending->second : d.superblock;
  if (block.size() < 48 || block[8] != 2 || block[9] != 8)
    return fail(d, "the HDF5 library did not write a superblock of version 2");
  for (std::size_t i = 0; i < 8; ++i) block[28 + i] = static_cast<unsigned char>(end_of_file >> (8 * i));
  const std::uint32_t sum = lookup3(block.data(), 44);
  for (std::size_t i = 0; i < 4; ++i) block[44 + i] = static_cast<unsigned char>(sum >> (8 * i));
  d.pending.erase(0);
  if (block == d.superblock) return true;
  if (!write_now(d, 0, block.data(), block.size())) return false;
  d.superblock = std::move(block);
  return true;
}

bool commit(Driver& d, bool closing) {
  haddr_t end = std::max(d.size, d.used);
  if (closing)
    end = d.used;
  else if (d.used + hole > d.size)
    end = d.used + 2 * hole;
  if (end > d.size && !resize(d, end)) return false;
  if (!write_superblock(d, end)) return false;

  std::vector<std::tuple<std::size_t, haddr_t, const Bytes*>> order;
  for (const auto& [address, bytes] : d.pending) order.emplace_back(rank(d, address, bytes), address, &bytes);
  std::sort(order.begin(), order.end());
  for (const auto& [place, address, bytes] : order)
    if (!write_now(d, address, bytes->data(), bytes->size())) return false;
  d.pending.clear();
  d.committed = d.used;
  return end == d.size || resize(d, end);
}

H5FD_t* open_file(const char*, unsigned flags, hid_t fapl, haddr_t) {
  const auto* descriptor = static_cast<const int*>(H5Pget_driver_info(fapl));
  if (!descriptor) return nullptr;
  auto* d = new Driver{};
  d->descriptor = *descriptor;
  const off_t size = lseek(d->descriptor, 0, SEEK_END);
  if (size < 0 || ((flags & H5F_ACC_TRUNC) && ftruncate(d->descriptor, 0) != 0)) {
    delete d;
    return nullptr;
  }
  d->size = (flags & H5F_ACC_TRUNC) ? 0 : static_cast<haddr_t>(size);
  return &d->base;
}

herr_t close_file(H5FD_t* file) {
  delete &driver(file);
  return 0;
}

herr_t query(const H5FD_t*, unsigned long* flags) {
  // Nothing that glues blocks together, neither when they are allocated nor when they are written.
  if (flags) *flags = H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

haddr_t get_eoa(const H5FD_t* file, H5FD_mem_t) {
  return driver(file).used;
}

herr_t set_eoa(H5FD_t* file, H5FD_mem_t, haddr_t address) {
  driver(file).used = address;
  return 0;
}

// Metadata blocks do not cross a page, because a kill can divide a write there (unless they are longer than a page).
// The heaps of texts count as raw data for HDF5, and are of a page's size until a longer text needs one of its own.
haddr_t allocate(H5FD_t* file, H5FD_mem_t type, hid_t, hsize_t size) {
  Driver& d = driver(file);
  const bool in_one_page = type != H5FD_MEM_DRAW || size == page;
  if (in_one_page && d.used / page != (d.used + size - 1) / page) d.used = (d.used + page - 1) / page * page;
  const haddr_t address = d.used;
  d.used += size;
  return address;
}

haddr_t get_eof(const H5FD_t* file, H5FD_mem_t) {
  return std::max(driver(file).size, driver(file).used);
}

herr_t get_handle(H5FD_t* file, hid_t, void** handle) {
  *handle = &driver(file);
  return 0;
}

herr_t read_bytes(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, std::size_t size, void* buffer) {
  const Driver& d = driver(file);
  auto* out = static_cast<unsigned char*>(buffer);
  if (!read_at(d.descriptor, out, size, static_cast<off_t>(address))) return -1;
  auto it = d.pending.upper_bound(address);
  if (it != d.pending.begin()) --it;
  for (; it != d.pending.end() && it->first < address + size; ++it) {
    const haddr_t begin = std::max(address, it->first);
    const haddr_t end = std::min<haddr_t>(address + size, it->first + it->second.size());
    if (begin < end) std::memcpy(out + (begin - address), it->second.data() + (begin - it->first), end - begin);
  }
  return 0;
}

herr_t write_bytes(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, std::size_t size, const void* buffer) {
  Driver& d = driver(file);
  cut(d.pending, address, address + size);
  if (address >= d.committed && address > 0 && !d.failed) {
    if (!write_now(d, address, buffer, size)) return -1;
    d.size = std::max<haddr_t>(d.size, address + size);
    return 0;
  }
  const auto* bytes = static_cast<const unsigned char*>(buffer);
  d.pending[address] = Bytes(bytes, bytes + size);
  return 0;
}

// HDF5 calls this at the end of H5Fflush and H5Fclose. After a failure, and at the close, it reports success, because
// HDF5 cannot close a file whose last flush fails: the call that failed has reported it, and a close that comes
// after a commit only takes the hole away.
herr_t flush(H5FD_t* file, hid_t, hbool_t closing) {
  Driver& d = driver(file);
  if (d.failed) return 0;
  return commit(d, closing) || closing ? 0 : -1;
}

H5FD_class_t driver_class() {
  H5FD_class_t c{};
#ifdef H5FD_CLASS_VERSION
  c.version = H5FD_CLASS_VERSION;
  c.value = static_cast<H5FD_class_value_t>(600);  // 512 and above are for drivers outside the library
#endif
  c.name = "commit";
  c.maxaddr = static_cast<haddr_t>(INT64_MAX);
  c.fc_degree = H5F_CLOSE_WEAK;
  c.fapl_size = sizeof(int);
  c.open = open_file;
  c.close = close_file;
  c.query = query;
  c.alloc = allocate;
  c.get_eoa = get_eoa;
  c.set_eoa = set_eoa;
  c.get_eof = get_eof;
  c.get_handle = get_handle;
  c.read = read_bytes;
  c.write = write_bytes;
  c.flush = flush;
  const H5FD_mem_t map[] = H5FD_FLMAP_DICHOTOMY;
  std::copy(std::begin(map), std::end(map), c.fl_map);
  return c;
}

}  // namespace

void use_commit_driver(hid_t fapl, int descriptor) {
  static const H5FD_class_t c = driver_class();
  static const hid_t id = H5FDregister(&c);
  H5Pset_driver(fapl, id, &descriptor);
}

void commit_last(hid_t file, std::vector<haddr_t> headers) {
  void* handle = nullptr;
  if (H5Fget_vfd_handle(file, H5P_DEFAULT, &handle) >= 0) static_cast<Driver*>(handle)->last = std::move(headers);
}

void give_up(hid_t file) {
  void* handle = nullptr;
  if (H5Fget_vfd_handle(file, H5P_DEFAULT, &handle) >= 0) static_cast<Driver*>(handle)->failed = true;
}

}  // namespace sim::hdf5
