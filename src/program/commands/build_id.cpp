#include "commands/build_id.hpp"

#include <cstddef>
#include <cstring>

#include <fmt/format.h>
#include <link.h>

namespace callcost::program {
namespace {

/// Notes stand one after the other: a header, a name and a description, each padded to four bytes.
std::string id_in_notes(const unsigned char* notes, std::size_t size) {
    const auto padded = [](std::size_t length) { return (length + 3) / 4 * 4; };
    while (size >= sizeof(ElfW(Nhdr))) {
        ElfW(Nhdr) note;
        std::memcpy(&note, notes, sizeof note);
        const auto name = sizeof note;
        const auto description = name + padded(note.n_namesz);
        const auto end = description + padded(note.n_descsz);
        if (end > size) return {};
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
            std::memcmp(notes + name, "GNU", 4) == 0) {
            std::string id;
            for (std::size_t i = 0; i < note.n_descsz; ++i)
                id += fmt::format("{:02x}", notes[description + i]);
            return id;
        }
        notes += end;
        size -= end;
    }
    return {};
}

/// The first object is the program itself.
int look_at_program(dl_phdr_info* info, std::size_t, void* id) {
    for (int i = 0; i < info->dlpi_phnum && static_cast<std::string*>(id)->empty(); ++i) {
        const auto& segment = info->dlpi_phdr[i];
        if (segment.p_type != PT_NOTE) continue;
        // NOLINTNEXTLINE(performance-no-int-to-ptr): how the loader tells where a segment is
        const auto* notes = reinterpret_cast<const unsigned char*>(info->dlpi_addr + segment.p_vaddr);
        *static_cast<std::string*>(id) = id_in_notes(notes, segment.p_memsz);
    }
    return 1;
}

}  // namespace

std::string build_id() {
    std::string id;
    dl_iterate_phdr(look_at_program, &id);
    return id;
}

}  // namespace callcost::program
