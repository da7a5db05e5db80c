# The command as WebAssembly: Debian's clang with the C and C++ libraries of its emscripten, which have exceptions
# (docs/decisions/0022-command-for-nodejs.md). Nothing else of emscripten is used.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32-emscripten)
set(EMSCRIPTEN ON)
set(CMAKE_SYSROOT /usr/share/emscripten/cache/sysroot)
foreach(language C CXX)
    set(CMAKE_${language}_COMPILER_TARGET wasm32-unknown-emscripten)
    set(CMAKE_${language}_FLAGS_INIT "-fwasm-exceptions -mbulk-memory -mnontrapping-fptoint -msign-ext")
endforeach()
set(CMAKE_C_COMPILER clang-14)
set(CMAKE_CXX_COMPILER clang++-14)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
# Debian's packages of headers only: CLI11, fmt, tl::expected, RapidJSON, toml++, protozero.
string(APPEND CMAKE_CXX_FLAGS_INIT " -D_LIBCPP_ABI_VERSION=2 -isystem ${CMAKE_SYSROOT}/include/c++/v1 -isystem ${CMAKE_SYSROOT}/include/compat -idirafter /usr/include")
