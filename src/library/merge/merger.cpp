// Many profiles, one after the other, into one.
#include <algorithm>
#include <optional>
#include <utility>

#include "callcost/writer.hpp"
#include "merge/rebuild.hpp"
#include "merge/united_events.hpp"

namespace callcost {

/// A few sums, each more than twice as heavy as the one behind it. Profiles of one program are added up at
/// once, as their sum weighs what each does; each of many that have nothing in common is rebuilt only as
/// often as the number of profiles has bits. A profile stays as it is until it is added to another one.
struct ProfileMerger::State {
    struct Sum {
        Profile profile;
        std::uint64_t weight = 0;   // records
        bool is_as_added = false;   // no sum yet: not renamed, and of all parts
        std::vector<bool> parts{};  // then: those that count, empty: all
    };
    Renaming renaming;
    std::vector<Sum> sums;
    std::optional<Error> broken;
    std::size_t added = 0;

    [[nodiscard]] RebuildInput input_of_sum(const Sum& sum) const;
    [[nodiscard]] Result<Profile> sum_of(const Sum& a, const Sum& b) const;
};

namespace {

std::uint64_t weight_of(const Profile& profile, const std::vector<bool>& parts = {}) {
    std::uint64_t weight = 0;
    for (std::size_t i = 0; i < profile.parts().size(); ++i) {
        const Part& part = profile.parts()[i];
        if (parts.empty() || parts[i]) weight += part.cost_lines + part.call_records + part.jumps;
    }
    return weight;
}

std::string renamed(const std::function<std::string(std::string_view)>& rename, std::string_view name) {
    return rename ? rename(name) : std::string(name);
}

RebuildInput input_of(const Profile& profile) {
    RebuildInput input;
    input.profile = &profile;
    return input;
}

RebuildInput renamed_input(const Profile& profile, const Renaming& renaming) {
    RebuildInput input = input_of(profile);
    if (renaming.file)
        input.file = [&profile, &renaming](FileId file) { return renaming.file(profile.name(file)); };
    if (renaming.file || renaming.function)
        input.function = [&profile, &renaming](FunctionId function) {
            return FunctionKey{std::string(profile.name(profile.object(function))),
                               renamed(renaming.file, profile.name(profile.file(function))),
                               renamed(renaming.function, profile.name(function))};
        };
    return input;
}

Result<Profile> without_odd_columns(Profile sum) {
    const auto events = sum.events();
    if (std::all_of(events.begin(), events.end(), can_be_combined)) return sum;
    if (std::none_of(events.begin(), events.end(), can_be_combined))
        return tl::unexpected(
            Error{.code = ErrorCode::bad_argument, .detail = "no event type that can be combined"});
    const RebuildInput inputs[] = {input_of(sum)};
    return rebuild(inputs, OddColumns::leave_out);
}

}  // namespace

ProfileMerger::ProfileMerger(Renaming renaming) : state_(std::make_unique<State>()) {
    state_->renaming = std::move(renaming);
}
ProfileMerger::ProfileMerger(ProfileMerger&&) noexcept = default;
ProfileMerger& ProfileMerger::operator=(ProfileMerger&&) noexcept = default;
ProfileMerger::~ProfileMerger() = default;

RebuildInput ProfileMerger::State::input_of_sum(const Sum& sum) const {
    if (!sum.is_as_added) return input_of(sum.profile);
    RebuildInput input = renamed_input(sum.profile, renaming);
    input.parts = sum.parts;
    return input;
}
Result<Profile> ProfileMerger::State::sum_of(const Sum& a, const Sum& b) const {
    const RebuildInput inputs[] = {input_of_sum(a), input_of_sum(b)};
    return rebuild(inputs);
}

Result<void> ProfileMerger::add(const Profile& profile, std::span<const PartId> parts) {
    if (state_->broken) return tl::unexpected(*state_->broken);
    if (profile.detail() != Detail::full)
        return tl::unexpected(Error{.code = ErrorCode::needs_detail, .detail = {}});
    const Profile* const profiles[] = {&profile};
    if (auto united = unite_events(profiles, OddColumns::keep); !united)
        return tl::unexpected(united.error());
    State::Sum sum{profile, 0, true, choice_of(parts, profile)};
    sum.weight = weight_of(sum.profile, sum.parts);
    while (!state_->sums.empty() && state_->sums.back().weight <= 2 * sum.weight) {
        Result<Profile> both = state_->sum_of(state_->sums.back(), sum);
        if (!both) {  // what was added is not to be had apart again
            state_->broken = both.error();
            return tl::unexpected(both.error());
        }
        sum = {*std::move(both)};
        sum.weight = weight_of(sum.profile);
        state_->sums.pop_back();
    }
    state_->sums.push_back(std::move(sum));
    ++state_->added;
    return {};
}

Result<Profile> ProfileMerger::finish() && {
    if (state_->broken) return tl::unexpected(*state_->broken);
    if (state_->sums.empty())
        return tl::unexpected(Error{.code = ErrorCode::bad_argument, .detail = "no profile to merge"});
    auto& sums = state_->sums;
    while (sums.size() > 1) {
        const State::Sum last = std::move(sums.back());
        sums.pop_back();
        Result<Profile> both = state_->sum_of(sums.back(), last);
        if (!both) return both;
        sums.back() = {*std::move(both)};
    }
    if (state_->added == 1) {
        const RebuildInput inputs[] = {state_->input_of_sum(sums.back())};
        return rebuild(inputs);
    }
    Profile sum = std::move(sums.back().profile);
    sums.clear();
    return without_odd_columns(std::move(sum));
}

Result<Profile> without_functions(const Profile& profile, const std::function<bool(FunctionId)>& dropped,
                                  std::span<const PartId> parts) {
    RebuildInput input = input_of(profile);
    input.parts = choice_of(parts, profile);
    input.without_places = dropped;
    input.function = [&](FunctionId function) {
        if (dropped(function)) return FunctionKey{{}, {}, std::string(filtered_name)};
        return FunctionKey{std::string(profile.name(profile.object(function))),
                           std::string(profile.name(profile.file(function))),
                           std::string(profile.name(function))};
    };
    const RebuildInput inputs[] = {std::move(input)};
    return rebuild(inputs);
}

}  // namespace callcost
