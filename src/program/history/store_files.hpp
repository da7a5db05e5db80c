/// The files that SQLite may touch. Whose store it is, is not known: a journal beside it may name any file of
/// the reader as another one to be deleted, and a log may be a link to any.
#pragma once

#include <string>

struct sqlite3_vfs;

namespace callcost::program {

inline constexpr const char* store_files_name = "callcost";

/// SQLite's files of the system, but only the stores that are opened, and `-journal`, `-wal` and `-shm` of
/// each as files of their own, not links. Others are not there, and are neither opened nor deleted. To be
/// registered by this name; valid as long as the program.
[[nodiscard]] sqlite3_vfs* store_files(sqlite3_vfs* of_system);

/// Why a store cannot be opened, in the system's words, which SQLite does not repeat: "Permission denied".
/// Empty: it can, or it is not there.
[[nodiscard]] std::string why_not_opened(const std::string& store, bool writes);

}  // namespace callcost::program
