# What makes errors in memory end the program rather than be of use to somebody, in optimized builds of our own checkout:
# guards on stacks, bounds of the C library's functions, targets of indirect jumps (x86), tables of addresses that are
# read-only once the program starts, a position that differs from run to run. tests/install/run.py looks whether it is there.
include(CheckCXXCompilerFlag)
include(CheckCXXSourceCompiles)
set(optimized "$<CONFIG:Release,RelWithDebInfo,MinSizeRel>")
set(CMAKE_REQUIRED_FLAGS -Werror)
foreach(option stack-protector-strong stack-clash-protection cf-protection no-plt)  # the last as all addresses are known at the start
    string(MAKE_C_IDENTIFIER CALLCOST_HAS_${option} has_option)
    check_cxx_compiler_flag(-f${option} ${has_option})
    if(${has_option})
        add_compile_options("$<${optimized}:-f${option}>")
    endif()
endforeach()

set(CMAKE_REQUIRED_FLAGS "-Werror -O2 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3")
check_cxx_source_compiles("#include <cstdlib>
#if __USE_FORTIFY_LEVEL != 3
#error
#endif
int main() {}" CALLCOST_HAS_FORTIFY_3)
unset(CMAKE_REQUIRED_FLAGS)
if(CALLCOST_HAS_FORTIFY_3)
    set(level 3)
else()
    set(level 2)
endif()
add_compile_options("$<${optimized}:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=${level}>")

# What is for shared libraries is position-independent already.
add_compile_options("$<$<AND:${optimized},$<NOT:$<BOOL:$<TARGET_PROPERTY:POSITION_INDEPENDENT_CODE>>>>:-fPIE>")
set(is_program "$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>")
add_link_options("$<${optimized}:LINKER:-z,relro,-z,now>")
if(NOT CALLCOST_STATIC)  # whose command is linked by -static-pie
    add_link_options("$<$<AND:${optimized},${is_program}>:-pie>")
endif()
