#include "browse/curses_library.hpp"

#include <dlfcn.h>

namespace callcost::program {

void* curses_symbol(const char* name) {
#ifdef CALLCOST_STATIC
    (void)name;
    return nullptr;
#else
    static void* const library = dlopen("libncursesw.so.6", RTLD_NOW | RTLD_LOCAL);
    return library != nullptr ? dlsym(library, name) : nullptr;
#endif
}

}  // namespace callcost::program
