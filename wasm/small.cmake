# The engine is in every report, so it is made for size; what each of these is worth stands in
# docs/decisions/0010-webassembly.md.
set(CMAKE_CXX_FLAGS_MINSIZEREL "-DNDEBUG")  # clang would run wasm-opt by itself if it saw -Oz while linking
add_compile_options(-Oz -flto -fno-exceptions -fno-rtti -mllvm -inline-threshold=0)
add_compile_options(-mbulk-memory -mnontrapping-fptoint -msign-ext)  # in all browsers since 2021
include_directories(BEFORE SYSTEM ${PROJECT_SOURCE_DIR}/wasm/libcxx)
