#include "output/gzip.hpp"

#include <array>
#include <limits>
#include <memory>
#include <new>

#include <zlib.h>

namespace callcost::program {
namespace {

class Compressor {
  public:
    Compressor(const Sink& sink, int level) : sink_(sink) {
        constexpr int gzip = 16;  // added to the size of the window
        if (deflateInit2(&z_, level, Z_DEFLATED, MAX_WBITS + gzip, 8, Z_DEFAULT_STRATEGY) != Z_OK)
            throw std::bad_alloc();
    }
    Compressor(const Compressor&) = delete;
    Compressor& operator=(const Compressor&) = delete;
    ~Compressor() { deflateEnd(&z_); }

    Result<void> compress(std::string_view bytes, int flush) {
        do {
            const auto some = bytes.substr(0, std::numeric_limits<uInt>::max());
            z_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(some.data()));  // zlib only reads there
            z_.avail_in = static_cast<uInt>(some.size());
            bytes.remove_prefix(some.size());
            do {
                z_.next_out = reinterpret_cast<Bytef*>(buffer_.data());
                z_.avail_out = static_cast<uInt>(buffer_.size());
                deflate(&z_, flush);
                const auto size = buffer_.size() - z_.avail_out;
                if (size == 0) continue;
                if (auto written = sink_({buffer_.data(), size}); !written) return written;
            } while (z_.avail_out == 0);
        } while (!bytes.empty());
        return {};
    }

  private:
    const Sink& sink_;
    z_stream z_{};
    std::array<char, 65'536> buffer_{};
};

}  // namespace

Result<void> gzip(const Sink& sink, const std::function<Result<void>(const Sink&)>& write, GzipLevel level) {
    const auto compressor =
        std::make_unique<Compressor>(sink, level == GzipLevel::fast ? Z_BEST_SPEED : Z_DEFAULT_COMPRESSION);
    const auto done = write([&](std::string_view bytes) { return compressor->compress(bytes, Z_NO_FLUSH); });
    return done ? compressor->compress({}, Z_FINISH) : done;
}

}  // namespace callcost::program
