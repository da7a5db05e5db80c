/// Data embedded in the page: where the profiles come from, or the profiles themselves, as script elements
/// that no name can break out of. See docs/protocol.md.
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
    std::string packed_stacks{};   ///< recorded beside it, as JSON; empty: none
    std::string packed_code{};     ///< machine code of its functions, likewise
    std::string packed_inlined{};  ///< which of it is inlined code, likewise
};

struct SourceBlock {
    std::string name;                         ///< as recorded in the profile
    std::string path;                         ///< where it was found
    bool is_newer = false, is_guess = false;  ///< as engine::SourceFile
    std::string packed;
};

/// Contents of a page file besides the page.
struct PageData {
    std::vector<ProfileBlock> profiles;
    std::vector<SourceBlock> sources;
    std::string inlined_problem{}, inlined_hint{};  ///< as engine::Host
};

/// Total bytes that a source file takes in the page.
[[nodiscard]] std::size_t size_in_page(const SourceBlock& source);

/// A page template with a placeholder for data.
class PageTemplate {
  public:
    /// Without a placeholder, everything precedes the data.
    explicit PageTemplate(std::string page);

    /// A report: without what reads other formats.
    [[nodiscard]] Result<void> write(const PageData& data, const Sink& sink) const;
    [[nodiscard]] std::size_t size_with(const PageData& data) const;
    /// The page that queries its own server.
    [[nodiscard]] std::string for_server(std::string_view manifest) const;
    /// Its own Content-Security-Policy; empty if it has none.
    [[nodiscard]] std::string policy() const;

  private:
    std::string before_, importer_, after_;
};

}  // namespace callcost::program
