/// A sink that compresses.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include <callcost/source.hpp>

namespace callcost::convert {

/// Compresses into another sink, in the format of gzip without a time or a name.
class Gzip {
  public:
    enum class Level : std::uint8_t { fast, usual };

    /// `sink` must outlive it.
    explicit Gzip(const Sink& sink, Level level = Level::usual);
    Gzip(const Gzip&) = delete;
    Gzip& operator=(const Gzip&) = delete;
    ~Gzip();

    [[nodiscard]] Result<void> write(std::string_view bytes);
    [[nodiscard]] Result<void> finish();

  private:
    struct Stream;
    [[nodiscard]] Result<void> compress(std::string_view bytes, int flush);

    const Sink& sink_;
    std::unique_ptr<Stream> stream_;
};

}  // namespace callcost::convert
