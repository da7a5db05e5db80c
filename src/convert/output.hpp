/// What all writers of other formats write through.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <callcost/source.hpp>

namespace callcost::convert {

/// Collects text and hands it to a sink some tens of kilobytes at a time. After an error of the sink the rest
/// is dropped, and finish() has the error.
class Output {
  public:
    /// `sink` must outlive it.
    explicit Output(const Sink& sink) : sink_(sink) {}

    /// Append to it, and call flush_some() now and then.
    std::string& text() { return text_; }
    void flush_some() {
        if (text_.size() >= enough) flush();
    }
    [[nodiscard]] Result<void> finish() {
        flush();
        return result_;
    }

  private:
    void flush() {
        if (result_ && !text_.empty()) result_ = sink_(text_);
        text_.clear();
    }

    static constexpr std::size_t enough = 65'536;

    const Sink& sink_;
    std::string text_;
    Result<void> result_;
};

/// The bytes as valid UTF-8: unchanged if they are, otherwise every byte is read as Latin-1 (F2).
[[nodiscard]] std::string utf8_of(std::string_view bytes);

}  // namespace callcost::convert
