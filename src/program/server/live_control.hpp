/// The page's questions about a Callgrind that is still running: what it does, and that it do something.
#pragma once

#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "recording/running_callgrind.hpp"
#include "session/question.hpp"
#include <callcost/error.hpp>

namespace callcost::program {

class LiveControl {
  public:
    explicit LiveControl(RunningCallgrind callgrind) : callgrind_(std::move(callgrind)) {}

    /// The files that it has written so far.
    [[nodiscard]] std::vector<std::string> dumps() const;
    /// They have got other names, or others have joined them: from now on it is these.
    void set_dumps(std::vector<std::string> files) { final_dumps_ = std::move(files); }
    /// Locked by whoever reads the dumps, and exclusively by whoever moves them.
    [[nodiscard]] std::shared_mutex& files_mutex() { return files_mutex_; }

    /// `{"process", "program", "running"}`
    [[nodiscard]] std::string state() const;
    [[nodiscard]] static bool is_asked(std::string_view ask) { return ask == "control" || ask == "stacks"; }
    struct Problem {
        std::string id, message, hint;
    };
    /// Answers these (docs/protocol.md), one at a time. Thread-safe.
    [[nodiscard]] tl::expected<std::string, Problem> answer(engine::Question& question);

  private:
    const RunningCallgrind callgrind_;
    std::shared_mutex files_mutex_;
    std::optional<std::vector<std::string>> final_dumps_;
    std::mutex mutex_;
};

}  // namespace callcost::program
