#include "inlining/inline_exchange.hpp"

#include <algorithm>
#include <cstddef>

namespace callcost::program {

namespace {

void put(std::string& bytes, std::uint64_t number) {
    for (; number >= 0x80U; number >>= 7U) bytes += static_cast<char>((number & 0x7fU) | 0x80U);
    bytes += static_cast<char>(number);
}

void put(std::string& bytes, std::string_view text) {
    put(bytes, text.size());
    bytes += text;
}

void put_all(std::string& bytes, const std::vector<std::string>& texts) {
    put(bytes, texts.size());
    for (const auto& text : texts) put(bytes, text);
}

/// A row or none, which has no number of its own.
void put_row(std::string& bytes, std::uint32_t row) { put(bytes, row == InlineSite::none ? 0 : row + 1ULL); }

/// Takes values off the front. After the first one that is not there, all are 0 or empty.
class Taker {
  public:
    explicit Taker(std::string_view bytes) : rest_(bytes) {}

    [[nodiscard]] bool is_complete() const { return is_good_ && rest_.empty(); }
    [[nodiscard]] bool is_good() const { return is_good_; }
    void require(bool condition) { is_good_ = is_good_ && condition; }

    std::uint64_t number() {
        std::uint64_t number = 0;
        for (unsigned shift = 0; shift < 64 && is_good_ && !rest_.empty(); shift += 7) {
            const auto byte = static_cast<unsigned char>(rest_.front());
            rest_.remove_prefix(1);
            number |= std::uint64_t{byte & 0x7fU} << shift;
            if (byte < 0x80U) return number;
        }
        is_good_ = false;
        return 0;
    }

    /// Less than `end`.
    std::uint32_t number_below(std::uint64_t end) {
        const auto found = number();
        require(found < end);
        return is_good_ ? static_cast<std::uint32_t>(found) : 0;
    }

    /// A row less than `end`, or none.
    std::uint32_t row(std::uint64_t end) {
        const auto found = number_below(end + 1);
        return found == 0 ? InlineSite::none : found - 1;
    }

    std::string text() {
        const auto size = count(1);
        if (!is_good_) return {};
        std::string found(rest_.substr(0, size));
        rest_.remove_prefix(size);
        return found;
    }

    /// How many values follow that take at least a number of bytes each.
    std::size_t count(std::size_t least) {
        const auto found = number();
        require(found <= rest_.size() / least && found < InlineSite::none);
        return is_good_ ? static_cast<std::size_t>(found) : 0;
    }

    std::vector<std::string> texts() {
        std::vector<std::string> found(count(1));
        for (auto& one : found) one = text();
        return found;
    }

  private:
    std::string_view rest_;
    bool is_good_ = true;
};

}  // namespace

std::string encoded(const InlineRequest& request) {
    std::string bytes;
    put(bytes, request.path);
    put(bytes, request.debug_path);
    put(bytes, request.shared_path);
    put(bytes, request.build_id);
    put(bytes, request.is_same ? 1 : 0);
    put_all(bytes, request.functions);
    put_all(bytes, request.files);
    put(bytes, request.records.size());
    std::uint64_t address = 0;
    for (const auto& record : request.records) {
        put(bytes, record.address - address);
        address = record.address;
        put(bytes, record.function);
        put(bytes, record.file);
        put(bytes, record.line);
    }
    put(bytes, request.unnamed.size());
    for (const auto unnamed : request.unnamed) put(bytes, unnamed);
    put(bytes, request.mapped.size());
    for (const auto& mapped : request.mapped) {
        put(bytes, mapped.offset);
        put(bytes, mapped.size);
    }
    return bytes;
}

std::optional<InlineRequest> decode_request(std::string_view bytes) {
    Taker taker(bytes);
    InlineRequest request;
    request.path = taker.text();
    request.debug_path = taker.text();
    request.shared_path = taker.text();
    request.build_id = taker.text();
    request.is_same = taker.number_below(2) == 1;
    request.functions = taker.texts();
    request.files = taker.texts();
    request.records.resize(taker.count(4));
    std::uint64_t address = 0;
    for (auto& record : request.records) {
        const auto distance = taker.number();
        taker.require(distance <= UINT64_MAX - address);
        address += distance;
        record.address = address;
        record.function = taker.number_below(request.functions.size());
        record.file = taker.number_below(request.files.size());
        record.line = taker.number();
        if (!taker.is_good()) break;
    }
    request.unnamed.resize(taker.count(1));
    for (auto& unnamed : request.unnamed) unnamed = taker.number();
    request.mapped.resize(taker.count(2));
    for (auto& mapped : request.mapped) {
        mapped.offset = taker.number();
        mapped.size = taker.number();
    }
    if (!taker.is_complete()) return std::nullopt;
    return request;
}

std::string encoded(const InlineReply& reply) {
    std::string bytes;
    put(bytes, static_cast<std::uint64_t>(reply.problem));
    put(bytes, reply.detail);
    put(bytes, reply.compared);
    put(bytes, reply.stale.size());
    for (const auto row : reply.stale) put(bytes, row);
    put_all(bytes, reply.map.files);
    put(bytes, reply.map.functions.size());
    for (const auto& function : reply.map.functions) {
        put(bytes, function.name);
        put(bytes, function.file);
        put(bytes, function.line);
    }
    put(bytes, reply.map.sites.size());
    for (const auto& site : reply.map.sites) {
        put_row(bytes, site.parent);
        put(bytes, site.function);
        put_row(bytes, site.file);
        put(bytes, site.line);
        put(bytes, site.entry);
    }
    put(bytes, reply.map.runs.size());
    std::uint64_t address = 0;
    for (const auto& run : reply.map.runs) {
        put(bytes, run.address - address);
        address = run.address;
        put_row(bytes, run.site);
    }
    put(bytes, reply.map.lines.size());
    address = 0;
    for (const auto& line : reply.map.lines) {
        put(bytes, line.address - address);
        address = line.address;
        put_row(bytes, line.file);
        put(bytes, line.line);
    }
    put_all(bytes, reply.names);
    put(bytes, reply.rows_of_names.size());
    for (const auto row : reply.rows_of_names) put_row(bytes, row);
    return bytes;
}

std::optional<InlineReply> decode_reply(std::string_view bytes, const ReplyBounds& bounds) {
    Taker taker(bytes);
    InlineReply reply;
    reply.problem = static_cast<InlineProblem>(
        taker.number_below(static_cast<std::uint64_t>(InlineProblem::other_build) + 1));
    reply.detail = taker.text();
    reply.compared = taker.number_below(bounds.functions + 1);
    reply.stale.resize(taker.count(1));
    for (std::size_t i = 0; i < reply.stale.size() && taker.is_good(); ++i) {
        reply.stale[i] = taker.number_below(bounds.functions);
        taker.require(i == 0 || reply.stale[i - 1] < reply.stale[i]);
    }
    reply.map.files = taker.texts();
    reply.map.functions.resize(taker.count(3));
    for (auto& function : reply.map.functions) {
        function.name = taker.text();
        function.file = taker.text();
        function.line = taker.number();
        taker.require(!function.name.empty());
        if (!taker.is_good()) break;
    }
    reply.map.sites.resize(taker.count(5));
    for (std::size_t i = 0; i < reply.map.sites.size() && taker.is_good(); ++i) {
        auto& site = reply.map.sites[i];
        site.parent = taker.row(i);
        site.function = taker.number_below(reply.map.functions.size());
        site.file = taker.row(reply.map.files.size());
        site.line = taker.number();
        site.entry = taker.number();
    }
    reply.map.runs.resize(taker.count(2));
    std::uint64_t address = 0;
    for (auto& run : reply.map.runs) {
        const auto distance = taker.number();
        taker.require(distance <= UINT64_MAX - address && (distance > 0 || &run == &reply.map.runs.front()));
        if (!taker.is_good()) break;
        address += distance;
        run.address = address;
        run.site = taker.row(reply.map.sites.size());
    }
    reply.map.lines.resize(taker.count(3));
    address = 0;
    for (auto& line : reply.map.lines) {
        const auto distance = taker.number();
        taker.require(distance <= UINT64_MAX - address &&
                      (distance > 0 || &line == &reply.map.lines.front()));
        if (!taker.is_good()) break;
        address += distance;
        line.address = address;
        line.file = taker.row(reply.map.files.size());
        line.line = taker.number();
    }
    reply.names = taker.texts();
    reply.rows_of_names.resize(taker.count(1));
    for (auto& row : reply.rows_of_names) row = taker.row(reply.names.size());
    taker.require(reply.rows_of_names.empty() || reply.rows_of_names.size() == bounds.unnamed);
    if (!taker.is_complete()) return std::nullopt;
    return reply;
}

std::optional<InlineReply> decode_reply(std::string_view bytes, const InlineRequest& request) {
    auto reply = decode_reply(bytes, ReplyBounds{request.functions.size(), request.unnamed.size()});
    if (!reply) return std::nullopt;
    const auto are_asked_for = [&](const auto& places) {
        auto record = request.records.begin();
        return std::all_of(places.begin(), places.end(), [&](const auto& place) {
            record = std::find_if(record, request.records.end(), [&](const InlineRequest::Record& one) {
                return one.address >= place.address;
            });
            return record != request.records.end() && record->address == place.address;
        });
    };
    return are_asked_for(reply->map.runs) && are_asked_for(reply->map.lines) ? reply : std::nullopt;
}

void append_message(std::string& all, std::string_view message) { put(all, message); }

std::optional<std::string_view> take_message(std::string_view& all) {
    std::uint64_t size = 0;
    for (std::size_t i = 0; i < 10 && i < all.size(); ++i) {
        const auto byte = static_cast<unsigned char>(all[i]);
        size |= std::uint64_t{byte & 0x7fU} << (7 * i);
        if (byte >= 0x80U) continue;
        if (size > all.size() - i - 1) return std::nullopt;
        const auto message = all.substr(i + 1, static_cast<std::size_t>(size));
        all.remove_prefix(i + 1 + message.size());
        return message;
    }
    return std::nullopt;
}

}  // namespace callcost::program
