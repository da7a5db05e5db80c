/// Bytes that are written whole and then read once, such as an import: memory is given back as they are read.
#pragma once

#include <deque>
#include <memory>
#include <string>

#include <callcost/source.hpp>

namespace callcost::program {

class ByteQueue {
  public:
    /// What it is given is held until it is read.
    [[nodiscard]] Sink sink();
    /// Yields what has been written until now; copies share the place that they have come to. Both hold the
    /// bytes themselves.
    [[nodiscard]] Source source(std::string name);

  private:
    struct Blocks {
        std::deque<std::string> waiting;
        std::size_t done = 0;  ///< bytes read of the first
    };
    std::shared_ptr<Blocks> blocks_ = std::make_shared<Blocks>();
};

}  // namespace callcost::program
