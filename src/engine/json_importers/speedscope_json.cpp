#include "json_importers/speedscope_json.hpp"

#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "encodings/import_input.hpp"
#include "import_model/stack_rows.hpp"

namespace callcost::engine {
namespace {

enum class SpeedscopePart : std::uint8_t {
    outside,
    file,
    shared,
    frames,
    frame,
    profiles,
    profile,
    own,  // what callcost says of a profile
    samples,
    sample,
    weights,
    events,
    event,
    other
};

SpeedscopePart part_of(SpeedscopePart parent, std::string_view key, bool is_array) {
    using enum SpeedscopePart;
    switch (parent) {
        case outside:
            return is_array ? other : file;
        case file:
            if (is_array) return key == "profiles" ? profiles : other;
            return key == "shared" ? shared : other;
        case shared:
            return is_array && key == "frames" ? frames : other;
        case frames:
            return is_array ? other : frame;
        case profiles:
            return is_array ? other : profile;
        case profile:
            if (!is_array) return key == "callcost" ? own : other;
            if (key == "samples") return samples;
            if (key == "weights") return weights;
            return key == "events" ? events : other;
        case samples:
            return is_array ? sample : other;
        case events:
            return is_array ? other : event;
        default:
            return other;
    }
}

std::uint32_t frame_number(JsonNumber number) {
    return number.whole < 0 || number.whole >= no_row ? no_row : static_cast<std::uint32_t>(number.whole);
}

/// The stacks of a profile, one step at a time.
class SpeedscopeStacks {
  public:
    explicit SpeedscopeStacks(SpeedscopeProfile& profile) : rows_(profile.callers, profile.frames) {}

    [[nodiscard]] std::uint32_t row() const { return open_.empty() ? no_row : open_.back().row; }
    [[nodiscard]] std::uint32_t frame() const { return open_.back().frame; }
    void open(std::uint32_t frame) { open_.push_back({frame, rows_.row(row(), frame)}); }
    void close() { open_.pop_back(); }
    [[nodiscard]] bool empty() const { return open_.empty(); }

    void begin_sample() { sample_size_ = 0; }
    void sample_frame(std::uint32_t frame) {
        if (sample_size_ == sample_.size()) sample_.resize(2 * sample_size_ + 64);
        sample_[sample_size_++] = frame;
    }
    /// The row of the sample, which is most often that of one before.
    [[nodiscard]] std::uint32_t end_sample() {
        const std::span<const std::uint32_t> sample(sample_.data(), sample_size_);
        const std::uint32_t place = places_.row(key_of_sample(sample));
        if (place < samples_.size() && is_known(samples_[place], sample)) return samples_[place].row;
        std::uint32_t row = no_row;
        for (const std::uint32_t frame : sample) row = rows_.row(row, frame);
        if (place < samples_.size()) return row;
        samples_.push_back({.row = row, .first = sample_frames_.size(), .frames = sample.size()});
        sample_frames_.insert(sample_frames_.end(), sample.begin(), sample.end());
        return row;
    }

  private:
    struct Step {
        std::uint32_t frame = 0, row = 0;
    };
    struct Sample {
        std::uint32_t row = 0;
        std::size_t first = 0, frames = 0;  // in sample_frames_
    };

    [[nodiscard]] static std::uint64_t key_of_sample(std::span<const std::uint32_t> sample) {
        std::uint64_t key = 0;
        for (const std::uint32_t frame : sample) {
            key = (key ^ frame) * 0x9e3779b97f4a7c15U;
            key ^= key >> 29U;
        }
        return key;
    }

    [[nodiscard]] bool is_known(const Sample& known, std::span<const std::uint32_t> sample) const {
        return known.frames == sample.size() &&
               std::equal(sample.begin(), sample.end(),
                          sample_frames_.begin() + static_cast<std::ptrdiff_t>(known.first));
    }

    StackRows rows_;
    std::vector<Step> open_;
    std::vector<std::uint32_t> sample_;  // the frames of the one at hand
    std::size_t sample_size_ = 0;
    KeyRows places_;                            // of the keys of samples
    std::vector<Sample> samples_;               // the first that had the key
    std::vector<std::uint32_t> sample_frames_;  // theirs
};

/// Takes what the parser finds. The containers that are open are a stack: the depth is the input's to choose.
class SpeedscopeHandler : public JsonHandler<SpeedscopeHandler, JsonNesting::bounded> {
  public:
    explicit SpeedscopeHandler(SpeedscopeJson& json) : json_(json) {}

    [[nodiscard]] bool has_profiles() const { return has_profiles_; }

    void begin(bool is_array) {
        open_.push_back(part_);
        part_ = part_of(part_, key_, is_array);
        switch (part_) {
            case SpeedscopePart::frame:
                json_.frames.emplace_back();
                break;
            case SpeedscopePart::profiles:
                has_profiles_ = true;
                break;
            case SpeedscopePart::profile:
                profile_ = {};
                stacks_.emplace(profile_);
                samples_.clear();
                weights_.clear();
                taken_ = 0;
                last_.reset();
                break;
            case SpeedscopePart::sample:
                stacks_->begin_sample();
                break;
            case SpeedscopePart::event:
                event_ = {};
                break;
            default:
                break;
        }
    }

    void end() {
        switch (part_) {
            case SpeedscopePart::sample:
                samples_.push_back(stacks_->end_sample());
                break;
            case SpeedscopePart::event:
                end_event();
                break;
            case SpeedscopePart::profile:
                end_profile();
                break;
            default:
                break;
        }
        part_ = open_.back();
        open_.pop_back();
    }

    void key(std::string_view text) { key_ = text; }

    void text(std::string_view text) {
        switch (part()) {
            case SpeedscopePart::file:
                if (is_key(key_, "exporter")) json_.exporter = json_.names.row(text);
                break;
            case SpeedscopePart::frame:
                if (is_key(key_, "name")) json_.frames.back().name = json_.names.row(text);
                if (is_key(key_, "file")) json_.frames.back().file = json_.names.row(text);
                break;
            case SpeedscopePart::profile:
                if (is_key(key_, "name")) profile_.name = json_.names.row(text);
                if (is_key(key_, "unit")) profile_.unit = json_.names.row(text);
                break;
            case SpeedscopePart::own:
                if (is_key(key_, "event")) profile_.event = json_.names.row(text);
                break;
            case SpeedscopePart::event:
                if (is_key(key_, "type")) event_.type = text.size() == 1 ? text[0] : '?';
                break;
            default:
                break;
        }
    }

    void number(JsonNumber number) {
        switch (part()) {
            case SpeedscopePart::sample:
                stacks_->sample_frame(frame_number(number));
                break;
            case SpeedscopePart::weights:
                take_decimals(number);
                weight(number);
                break;
            case SpeedscopePart::event:
                if (is_key(key_, "at")) event_.at = number;
                if (is_key(key_, "frame")) event_.frame = frame_number(number);
                break;
            case SpeedscopePart::frame:
                if (is_key(key_, "line")) json_.frames.back().line = number.whole;
                break;
            case SpeedscopePart::file:
                if (is_key(key_, "activeProfileIndex")) json_.active = number.whole;
                break;
            default:
                break;
        }
    }

    void boolean(bool value) {
        if (part() == SpeedscopePart::own && is_key(key_, "estimated")) profile_.is_estimate = value;
    }

  private:
    struct Event {
        char type = '?';
        std::uint32_t frame = no_row;
        JsonNumber at{};
    };

    [[nodiscard]] SpeedscopePart part() const { return part_; }

    void take_decimals(JsonNumber number) {
        if (number.fraction == 0 || nanoseconds_of(json_.names[profile_.unit]) != 0) return;
        profile_.decimals = std::max(profile_.decimals, decimals_of(number));
    }

    void add(std::uint32_t stack, JsonNumber cost) {
        if (profile_.costs.size() <= stack) profile_.costs.resize(stack + std::size_t{1});
        profile_.costs[stack] += cost;
        profile_.magnitude += std::abs(cost.value());
        ++profile_.samples;
    }

    /// Of the samples in their order; in some files the weights come first.
    void weight(JsonNumber weight) {
        if (taken_ < samples_.size())
            take(samples_[taken_++], weight);
        else
            weights_.push_back(weight);
    }

    void take(std::uint32_t stack, JsonNumber weight) {
        if (stack == no_row)
            ++profile_.without_stack;
        else
            add(stack, weight);
    }

    void end_event() {
        take_decimals(event_.at);
        const JsonNumber passed = last_ ? event_.at - *last_ : JsonNumber();
        if (passed.whole < 0)
            ++profile_.reversed;
        else if (!stacks_->empty() && passed != JsonNumber())
            add(stacks_->row(), passed);
        if (passed.whole >= 0) last_ = event_.at;
        if (event_.type == 'O') return stacks_->open(event_.frame);
        if (stacks_->empty() || stacks_->frame() != event_.frame) ++profile_.unmatched;
        if (!stacks_->empty()) stacks_->close();
    }

    void end_profile() {
        std::size_t weight = 0;
        for (; taken_ < samples_.size() && weight < weights_.size(); ++weight)
            take(samples_[taken_++], weights_[weight]);
        profile_.without_weight = samples_.size() - taken_ + weights_.size() - weight;
        stacks_.reset();
        json_.profiles.push_back(std::move(profile_));
        profile_ = {};
    }

    SpeedscopeJson& json_;
    SpeedscopePart part_ = SpeedscopePart::outside;
    std::vector<SpeedscopePart> open_;  // those around it
    std::string key_;
    bool has_profiles_ = false;

    // The profile at hand
    SpeedscopeProfile profile_;
    std::optional<SpeedscopeStacks> stacks_;
    std::vector<std::uint32_t> samples_;  // stacks; no_row: no frames
    std::vector<JsonNumber> weights_;     // that come before their samples
    std::size_t taken_ = 0;               // of samples_, which have their weight
    Event event_;
    std::optional<JsonNumber> last_;  // time of the event before
};

}  // namespace

std::int64_t nanoseconds_of(std::string_view unit) {
    constexpr std::array<std::pair<std::string_view, std::int64_t>, 4> units{{{"nanoseconds", 1},
                                                                              {"microseconds", 1'000},
                                                                              {"milliseconds", 1'000'000},
                                                                              {"seconds", 1'000'000'000}}};
    for (const auto& [name, factor] : units)
        if (name == unit) return factor;
    return 0;
}

Result<SpeedscopeJson> read_speedscope_json(const Source& source) {
    SpeedscopeJson json;
    SpeedscopeHandler handler(json);
    JsonStream stream(source);
    if (auto done = read_json(stream, handler); !done) return tl::unexpected(done.error());
    json.bytes = stream.bytes();
    if (!handler.has_profiles())
        return tl::unexpected(not_in_format("it has no \"profiles\": no file of speedscope"));
    return json;
}

}  // namespace callcost::engine
