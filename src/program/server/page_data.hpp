/// What is put into the page: where its profiles come from, and the data themselves as blocks of text that no
/// name in them can break out of. docs/protocol.md has the form.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "session/session.hpp"
#include <callcost/error.hpp>
#include <callcost/source.hpp>

namespace callcost::program {

/// Bytes as the page holds them: base64 of gzip.
[[nodiscard]] Result<std::string> packed(const std::function<Result<void>(const Sink&)>& write);
[[nodiscard]] std::string packed(std::string_view bytes);

struct ProfileBlock {
    std::string name;
    engine::Build side = engine::Build::after;
    engine::Origin origin;
    std::string packed;
};

struct SourceBlock {
    std::string name;                         ///< as the profile has it
    std::string path;                         ///< where it was found
    bool is_newer = false, is_guess = false;  ///< as engine::SourceFile
    std::string packed;
};

/// What a file of a page holds besides the page.
struct PageData {
    std::vector<ProfileBlock> profiles;
    std::vector<SourceBlock> sources;
};

/// Bytes that a source file takes in the page, all in all.
[[nodiscard]] std::size_t size_in_page(const SourceBlock& source);

/// A page around a place for data.
class PageTemplate {
  public:
    /// Without that place it all comes before the data.
    explicit PageTemplate(std::string page);

    [[nodiscard]] Result<void> write(const PageData& data, const Sink& sink) const;
    [[nodiscard]] std::size_t size_with(const PageData& data) const;
    /// The page that asks the server it came from.
    [[nodiscard]] std::string for_server() const;
    /// What it says itself that it may do: its Content-Security-Policy; empty: nothing.
    [[nodiscard]] std::string policy() const;

  private:
    std::string before_, after_;
};

}  // namespace callcost::program
