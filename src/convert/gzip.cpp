#include "convert/gzip.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <new>

#include <zlib.h>

namespace callcost::convert {

struct Gzip::Stream {
    z_stream z{};
    std::array<char, 65'536> buffer{};

    explicit Stream(int level) {
        constexpr int gzip = 16;  // added to the size of the window
        if (deflateInit2(&z, level, Z_DEFLATED, MAX_WBITS + gzip, 8, Z_DEFAULT_STRATEGY) != Z_OK)
            throw std::bad_alloc();
    }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    ~Stream() { deflateEnd(&z); }
};

Gzip::Gzip(const Sink& sink, Level level)
    : sink_(sink),
      stream_(std::make_unique<Stream>(level == Level::fast ? Z_BEST_SPEED : Z_DEFAULT_COMPRESSION)) {}
Gzip::~Gzip() = default;

Result<void> Gzip::write(std::string_view bytes) { return compress(bytes, Z_NO_FLUSH); }
Result<void> Gzip::finish() { return compress({}, Z_FINISH); }

Result<void> Gzip::compress(std::string_view bytes, int flush) {
    z_stream& z = stream_->z;
    auto& buffer = stream_->buffer;
    do {
        const auto some = bytes.substr(0, std::numeric_limits<uInt>::max());
        z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(some.data()));  // zlib only reads there
        z.avail_in = static_cast<uInt>(some.size());
        bytes.remove_prefix(some.size());
        do {
            z.next_out = reinterpret_cast<Bytef*>(buffer.data());
            z.avail_out = static_cast<uInt>(buffer.size());
            deflate(&z, flush);
            const auto size = buffer.size() - z.avail_out;
            if (size == 0) continue;
            if (auto written = sink_({buffer.data(), size}); !written) return written;
        } while (z.avail_out == 0);
    } while (!bytes.empty());
    return {};
}

}  // namespace callcost::convert
