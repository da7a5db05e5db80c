/// Opens a file, a pipe or standard input, compressed or not, as a callcost::Source.
#pragma once

#include <string>

#include <callcost/source.hpp>

namespace callcost::program {

struct OpenOptions {
    bool only_regular = false;         ///< neither pipes nor devices: never waits
    bool force = false;                ///< decompress without a limit
    bool decompress_on_thread = true;  ///< off: read() decompresses itself, with two megabytes less
};

/// "-" is standard input. gzip, bzip2, xz and zstd are detected by content and decompressed (F85); the Source
/// then yields everything that decodes before it fails with truncated_compression. A pipe is waited for until
/// its first bytes come. Holds a file descriptor until the last copy of the Source goes; the copies share it
/// and are one stream. Error: cannot_open, with the reason but not the path as `detail`: missing, not
/// permitted, a directory, a device. Compressed data that expand more than 1,000-fold beyond 1 GB fail with
/// too_large, without `force`.
[[nodiscard]] Result<Source> open_source(const std::string& path, const OpenOptions& options = {});

}  // namespace callcost::program
