/// Profiles in the tables of the store in one file, each packed by itself or against another one, its base.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "history/database.hpp"
#include "history/packed_profile.hpp"
#include "history/store.hpp"

namespace callcost::program {

/// What SQLite refuses throws DatabaseFailure.
class ProfileRows {
  public:
    /// The database must outlive it.
    explicit ProfileRows(const Database& database) : database_(database) {}

    struct Pack {
        std::int64_t base = 0;   ///< 0: none
        std::string_view bytes;  ///< valid until the next call
    };
    /// Takes the longest, so it comes before others are kept from writing. `series`: 0 if it is a new one.
    [[nodiscard]] Stored<Pack> pack(std::int64_t series, std::string_view profile);
    /// In a transaction: what pack() gave. The row that it is stored in.
    [[nodiscard]] Stored<std::int64_t> add(std::int64_t series, std::string_view profile, Pack pack);
    [[nodiscard]] Stored<std::string> read(std::int64_t row) const;

    /// To be called when somebody else may have changed the rows.
    void forget() { bases_.clear(); }

  private:
    /// What the profiles of a series are packed against.
    struct Base {
        std::int64_t row = 0;  ///< 0: there is none
        std::string bytes;
        double ratio = 0;  ///< of its packed to its own size
    };
    static Base base_of(std::int64_t row, std::string bytes, std::size_t packed);
    [[nodiscard]] Base load(std::int64_t series) const;

    const Database& database_;
    std::map<std::int64_t, Base> bases_;  // by series
    Packer packer_;
};

}  // namespace callcost::program
