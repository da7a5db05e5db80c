/// Atomic output: data are written to a temporary file in the same directory, unnamed where the system can,
/// which becomes the target on commit().
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "tables/budget.hpp"
#include <callcost/error.hpp>
#include <callcost/source.hpp>

namespace callcost::program {

/// Detail of the error where a file is there that may not be replaced.
constexpr std::string_view already_exists = "it already exists";

struct OutputFileOptions {
    bool replaces = true;    ///< an existing file; else commit() fails, and of several writers one succeeds
    bool is_packed = false;  ///< what is written is compressed, whatever the name of the file is
    std::string open_files = "/proc/self/fd";  ///< where the system gives open files names, if it does
};

class OutputFile {
  public:
    /// "-" is standard output; devices and pipes are written to as they are. Error: cannot_open with the
    /// system's reason, bad_argument if the path is one of the inputs.
    [[nodiscard]] static Result<OutputFile> open(const std::string& path, std::span<const std::string> inputs,
                                                 OutputFileOptions options = {});

    OutputFile(OutputFile&& other) noexcept;
    OutputFile& operator=(OutputFile&&) = delete;
    ~OutputFile();  ///< without commit() the target is unchanged

    /// Valid as long as this. Error: cannot_open with the system's reason ("No space left on device").
    [[nodiscard]] Sink sink();
    /// Makes it the target, on the disk: also after a power failure. Error: also bad_argument with
    /// `already_exists`.
    [[nodiscard]] Result<void> commit();

  private:
    OutputFile(std::string path, OutputFileOptions options)
        : options_(std::move(options)), path_(std::move(path)) {}
    [[nodiscard]] Result<void> write(std::string_view bytes);
    [[nodiscard]] bool open_unnamed(const std::string& directory, unsigned mode);
    [[nodiscard]] bool open_named();
    [[nodiscard]] std::string name_of_open_file() const;
    [[nodiscard]] bool link_as(const std::string& name) const;
    [[nodiscard]] bool give_name();
    [[nodiscard]] bool take_place() const;

    OutputFileOptions options_;
    std::string path_;       // where links lead
    std::string temporary_;  // empty: it has no name
    int descriptor_ = -1;
    bool is_atomic_ = false;
};

/// Fails once more comes than the limit covers.
[[nodiscard]] Sink within(const engine::OutputLimit& limit, Sink sink);

}  // namespace callcost::program
