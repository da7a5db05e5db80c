# Cross compilers of Debian 12 for the processor that CALLCOST_FOREIGN names as Debian does, with the files that
# packaging/cross/sysroot has unpacked. What is built runs under qemu-user.
set(CALLCOST_FOREIGN "" CACHE STRING "arm64, armhf or s390x")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES CALLCOST_FOREIGN)
set(processor_arm64 aarch64)
set(processor_armhf arm)
set(processor_s390x s390x)
set(abi_armhf eabihf)
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${processor_${CALLCOST_FOREIGN}})
if(NOT CMAKE_SYSTEM_PROCESSOR)
    message(FATAL_ERROR "CALLCOST_FOREIGN is '${CALLCOST_FOREIGN}'; expected arm64, armhf or s390x")
endif()

cmake_path(SET CMAKE_SYSROOT NORMALIZE ${CMAKE_CURRENT_LIST_DIR}/../../build/sysroot/${CALLCOST_FOREIGN})
set(CMAKE_LIBRARY_ARCHITECTURE ${CMAKE_SYSTEM_PROCESSOR}-linux-gnu${abi_${CALLCOST_FOREIGN}})
set(CMAKE_CXX_COMPILER ${CMAKE_LIBRARY_ARCHITECTURE}-g++)
set(CMAKE_C_COMPILER ${CMAKE_LIBRARY_ARCHITECTURE}-gcc)
# Before the C library that the cross compiler brings, which gets no security updates.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-B${CMAKE_SYSROOT}/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE} -L${CMAKE_SYSROOT}/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}")
set(CMAKE_CROSSCOMPILING_EMULATOR "qemu-${CMAKE_SYSTEM_PROCESSOR}-static;-L;${CMAKE_SYSROOT}")

if(CALLCOST_FOREIGN STREQUAL armhf)
    add_compile_options(-Wno-psabi)  # notes on how GCC passed parameters before version 7
endif()

set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${CMAKE_SYSROOT})
set(ENV{PKG_CONFIG_LIBDIR} ${CMAKE_SYSROOT}/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/pkgconfig:${CMAKE_SYSROOT}/usr/share/pkgconfig)
