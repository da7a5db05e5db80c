// Many profiles, one after the other, into one.
#include <algorithm>
#include <optional>
#include <utility>

#include "callcost/writer.hpp"
#include "merge/rebuild.hpp"

namespace callcost {

/// A few sums, each more than twice as heavy as the one behind it. Profiles of one program are added up at
/// once, as their sum weighs what each does; each of many that have nothing in common is rebuilt only as
/// often as the number of profiles has bits.
struct ProfileMerger::State {
    struct Sum {
        Profile profile;
        std::size_t weight = 0;  // records
    };
    Renaming renaming;
    std::vector<Sum> sums;
    std::optional<Error> broken;
    std::size_t added = 0;
};

namespace {

std::size_t weight_of(const Profile& profile) {
    std::size_t weight = 0;
    for (const Part& part : profile.parts()) weight += part.cost_lines + part.call_records + part.jumps;
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

Result<Profile> sum_of(const Profile& a, const Profile& b) {
    const RebuildInput inputs[] = {input_of(a), input_of(b)};
    return rebuild(inputs);
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

Result<void> ProfileMerger::add(const Profile& profile, std::span<const PartId> parts) {
    if (state_->broken) return tl::unexpected(*state_->broken);
    RebuildInput input = renamed_input(profile, state_->renaming);
    input.parts = choice_of(parts, profile);
    const RebuildInput inputs[] = {std::move(input)};
    Result<Profile> next = rebuild(inputs);
    if (!next) return tl::unexpected(next.error());
    State::Sum sum{*std::move(next), 0};
    sum.weight = weight_of(sum.profile);
    while (!state_->sums.empty() && state_->sums.back().weight <= 2 * sum.weight) {
        Result<Profile> both = sum_of(state_->sums.back().profile, sum.profile);
        if (!both) {  // what was added is not to be had apart again
            state_->broken = both.error();
            return tl::unexpected(both.error());
        }
        sum = {*std::move(both), 0};
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
    while (state_->sums.size() > 1) {
        const Profile last = std::move(state_->sums.back().profile);
        state_->sums.pop_back();
        Result<Profile> both = sum_of(state_->sums.back().profile, last);
        if (!both) return both;
        state_->sums.back().profile = *std::move(both);
    }
    Profile sum = std::move(state_->sums.back().profile);
    state_->sums.clear();
    return state_->added > 1 ? without_odd_columns(std::move(sum)) : std::move(sum);
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
