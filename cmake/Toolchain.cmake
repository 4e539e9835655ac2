# Language, warnings, optimisation and sanitizers, the same for every target.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})

find_program(CCACHE_EXECUTABLE ccache)
if(CCACHE_EXECUTABLE)
  # Precompiled headers are cached only when ccache is told not to mind their defines and time stamps. Paths are taken from
  # the sources' folder, so that another clone finds what this one has compiled.
  set(launcher ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${CCACHE_EXECUTABLE})
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
endif()

add_library(rebound_flags INTERFACE)
# No contraction of a*b+c: the same source gives the same bytes whatever instruction set a kernel was built for.
target_compile_options(rebound_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -ffp-contract=off)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(rebound_flags INTERFACE -fpch-preprocess)
  if(CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # GCC 12 warns of texts that are put together (its bug 105651).
    target_compile_options(rebound_flags INTERFACE -Wno-restrict)
  endif()
  if(REBOUND_UNITY)
    # It takes a file that is compiled with others for a header.
    target_compile_options(rebound_flags INTERFACE -Wno-subobject-linkage)
  endif()
elseif(REBOUND_UNITY)
  # A local name that another file of the same unit has at its head.
  target_compile_options(rebound_flags INTERFACE -Wno-shadow)
endif()
if(REBOUND_SANITIZE)
  target_compile_definitions(rebound_flags INTERFACE REBOUND_SANITIZED)
  target_compile_options(rebound_flags INTERFACE -fsanitize=${REBOUND_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
  # What a crash or the address sanitizer shows anyway is a quarter of all that there would be to compile.
  target_compile_options(rebound_flags INTERFACE -fno-sanitize=null,alignment,object-size,vptr)
  target_link_options(rebound_flags INTERFACE -fsanitize=${REBOUND_SANITIZE})
endif()
if(REBOUND_FUZZ)
  target_compile_options(rebound_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
