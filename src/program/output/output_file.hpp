/// Atomic output: data are written to an unnamed temporary file in the same directory, which replaces the
/// target on commit().
#pragma once

#include <span>
#include <string>

#include <callcost/error.hpp>
#include <callcost/source.hpp>

namespace callcost::program {

class OutputFile {
  public:
    /// "-" is standard output; devices and pipes are written to as they are. Error: cannot_open with the
    /// system's reason, bad_argument if the path is one of the inputs.
    [[nodiscard]] static Result<OutputFile> open(const std::string& path,
                                                 std::span<const std::string> inputs);

    OutputFile(OutputFile&& other) noexcept;
    OutputFile& operator=(OutputFile&&) = delete;
    ~OutputFile();  ///< without commit() the target is unchanged

    /// Valid as long as this. Error: cannot_open with the system's reason ("No space left on device").
    [[nodiscard]] Sink sink();
    /// Replaces the target.
    [[nodiscard]] Result<void> commit();

  private:
    explicit OutputFile(std::string path) : path_(std::move(path)) {}
    [[nodiscard]] Result<void> write(std::string_view bytes);

    std::string path_;       // where links lead
    std::string temporary_;  // empty: it has no name
    int descriptor_ = -1;
    bool is_atomic_ = false;
};

}  // namespace callcost::program
