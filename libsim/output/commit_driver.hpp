// An HDF5 file driver that changes a file only in whole commits, and in an order that keeps it readable throughout.
//
// HDF5 in the library's ordinary way writes its metadata in no order that a reader could rely on, so a program that
// is killed, or a reader that opens the file, in the middle of a flush finds a broken file. This driver
//   - writes at once only what lies beyond the end of the last commit: nothing that is on disk refers to it;
//   - keeps every other write in memory until H5Fflush, and then writes, bottom up: raw data and strings, the chunk
//     indices from their leaves to their headers, and the object headers (which hold the lengths of the datasets)
//     last;
//   - before that, lets the file and the end-of-file address in its superblock grow ahead of need by a hole, so that
//     somebody who has opened the file can read what is committed after that. Closing takes the hole away again.
// Every write of the second kind is one pwrite() of one checksummed block that lies within a page of the file cache,
// so that a kill comes before or after it; each state in between is a valid file that holds all of the last commit.
// Only the index of a dataset of more than 8180 chunks has blocks longer than a page (chunks.hpp). After a write that
// failed nothing is written any more: the file stays as it is. Why not HDF5's own SWMR mode:
// docs/decisions/result-file-crash-safety.md.
//
// Source: HDF5 File Format Specification 3.0 (superblock version 2, signatures of the metadata blocks).
#pragma once

#include <hdf5.h>

#include <vector>

namespace sim::hdf5 {

// Files created through the access list `fapl` are `descriptor`, which must be open for reading and writing and stay
// open; the name given to HDF5 only serves messages. The file must have a superblock of version 2 and no management
// of free space (see create_file).
void use_commit_driver(hid_t fapl, int descriptor);

// The object headers to be written last in every commit, in this order.
void commit_last(hid_t file, std::vector<haddr_t> headers);

// Writes nothing any more, as after a write that failed: the file stays what it was at the last commit, and can be
// closed.
void give_up(hid_t file);

}  // namespace sim::hdf5
