/// Text on its way to a Sink: collected and passed on in blocks.
#pragma once

#include <cstddef>
#include <string>

#include <callcost/source.hpp>

namespace callcost::engine {

class TextBlocks {
  public:
    /// Keeps a reference to the sink.
    explicit TextBlocks(const Sink& sink) : sink_(&sink) {}

    /// Append to it; it is emptied whenever a block is passed on.
    [[nodiscard]] std::string& text() { return text_; }

    /// To be called after every row. False once the sink has failed: whatever is written then is lost.
    bool end_row() {
        if (text_.size() >= block_size) pass_on();
        return state_.has_value();
    }

    /// Passes on the rest. The Error of the sink, if it had one.
    [[nodiscard]] Result<void> finish() {
        if (!text_.empty()) pass_on();
        return state_;
    }

  private:
    static constexpr std::size_t block_size = std::size_t{64} << 10U;

    void pass_on() {
        if (state_) state_ = (*sink_)(text_);
        text_.clear();
    }

    const Sink* sink_;
    std::string text_;
    Result<void> state_;
};

}  // namespace callcost::engine
