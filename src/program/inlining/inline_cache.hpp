/// What was read from debug information, kept in files: by build ID, and what was asked.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "inlining/fingerprint.hpp"
#include "inlining/inline_exchange.hpp"

namespace callcost::program {

/// callcost's directory for what can be made again ($XDG_CACHE_HOME, ~/.cache); empty: there is none.
[[nodiscard]] std::string user_cache_directory();

/// What is asked about an object besides its files: functions and records, or functions without name.
struct AskedOfObject {
    Fingerprint fingerprint;
    ReplyBounds bounds;
};

/// Nothing is ever wrong: what cannot be read, or is not what was written, is not there.
class InlineCache {
  public:
    static constexpr std::uint64_t default_size = 64U << 20U;

    /// Files are in `directory`/inlined, `max_size` bytes at most: the oldest ones go. Only a directory of
    /// this user that nobody else can write to is used; it is made when there is something to keep. An empty
    /// name: no cache.
    explicit InlineCache(std::string directory, std::uint64_t max_size = default_size);
    InlineCache(const InlineCache&) = delete;
    InlineCache& operator=(const InlineCache&) = delete;
    ~InlineCache();

    /// Of the request, only what it says about files is looked at.
    [[nodiscard]] std::optional<InlineReply> find(const InlineRequest& request,
                                                  const AskedOfObject& asked) const;
    void keep(const InlineRequest& request, const AskedOfObject& asked, const InlineReply& reply);

  private:
    void open(bool makes_it);
    void make_room(std::uint64_t bytes) const;

    std::string name_;
    int directory_ = -1;
    std::uint64_t max_size_;
};

}  // namespace callcost::program
