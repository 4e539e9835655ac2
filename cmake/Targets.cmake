# rebound_library(NAME SOURCES ... LINK ...): one layer of src/. Headers are included as "layer/file.hpp".
function(rebound_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_include_directories(${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src> $<INSTALL_INTERFACE:include/rebound>)
  target_compile_features(${name} PUBLIC cxx_std_20)
  target_link_libraries(${name} PUBLIC ${ARG_LINK} PRIVATE $<BUILD_INTERFACE:rebound_flags>)
  rebound_compile_as_one(${name} 48)
  # -O3 pays where the arithmetic is; elsewhere it only makes the compiler slow.
  if(name STREQUAL "rebound_render")  # normals of all that is drawn
    target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O2>)
  elseif(NOT name MATCHES "rebound_(sim|mesh|bench)")
    rebound_compile_quickly(${name})
    rebound_layer_headers(${name})
  endif()
endfunction()

# A third less to compile than with -O2, for what has no loops that anybody waits for.
function(rebound_compile_quickly name)
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# The headers that every layer above the physics reads, compiled once for all that is compiled quickly. Without unity each
# file stands for itself, and what it forgot to include is found.
function(rebound_layer_headers name)
  if(NOT REBOUND_UNITY)
    return()
  endif()
  if(NOT TARGET rebound_layer_headers)
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/layer_headers.cpp CONTENT "")
    add_library(rebound_layer_headers OBJECT ${PROJECT_BINARY_DIR}/layer_headers.cpp)
    target_link_libraries(rebound_layer_headers PRIVATE Eigen3::Eigen nlohmann_json::nlohmann_json rebound_flags)
    rebound_compile_quickly(rebound_layer_headers)
    target_precompile_headers(rebound_layer_headers PRIVATE
      <Eigen/Dense> <Eigen/Sparse> <nlohmann/json.hpp>
      <algorithm> <filesystem> <fstream> <functional> <map> <memory> <optional> <sstream> <string> <variant> <vector>)
  endif()
  target_precompile_headers(${name} REUSE_FROM rebound_layer_headers)
endfunction()

# Most of what a file costs to compile is the headers that it reads and the templates that it fills in: a first build does that
# once for up to `files` of them.
function(rebound_compile_as_one name files)
  set_target_properties(${name} PROPERTIES UNITY_BUILD ${REBOUND_UNITY} UNITY_BUILD_BATCH_SIZE ${files})
endfunction()

# The headers that every test reads, compiled once for all of them.
function(rebound_test_headers)
  if(TARGET rebound_test_headers)
    return()
  endif()
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/test_headers.cpp CONTENT "")
  add_library(rebound_test_headers OBJECT ${PROJECT_BINARY_DIR}/test_headers.cpp)
  target_link_libraries(rebound_test_headers PRIVATE GTest::gtest Eigen3::Eigen Threads::Threads rebound_flags)
  rebound_compile_quickly(rebound_test_headers)
  target_precompile_headers(rebound_test_headers PRIVATE <gtest/gtest.h> <Eigen/Dense> <string> <vector>)
endfunction()

# rebound_tests(NAME SOURCES ... LINK ... LABELS ... [SANITIZED | SANITIZED_LONG]): one GoogleTest program, each of its cases a
# ctest of its own. Under a sanitizer those that are SANITIZED are built (target sanitized_tests) and run, in eighths: to start
# a program takes it seconds. What takes minutes to compile there is SANITIZED_LONG: target sanitized_long_tests, label long.
function(rebound_tests name)
  cmake_parse_arguments(ARG "SANITIZED;SANITIZED_LONG" "" "SOURCES;LINK;LABELS" ${ARGN})
  if(REBOUND_SANITIZE AND NOT ARG_SANITIZED AND NOT ARG_SANITIZED_LONG)
    return()
  endif()
  add_executable(${name} ${ARG_SOURCES})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(${name} PRIVATE ${ARG_LINK} GTest::gtest_main rebound_flags)
  rebound_compile_as_one(${name} 10)
  target_compile_definitions(${name} PRIVATE REBOUND_SOURCE_DIR="${PROJECT_SOURCE_DIR}" REBOUND_BINARY_DIR="${PROJECT_BINARY_DIR}")
  rebound_test_headers()
  rebound_compile_quickly(${name})
  target_precompile_headers(${name} REUSE_FROM rebound_test_headers)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  if(NOT REBOUND_SANITIZE)
    gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 300 LABELS "${ARG_LABELS}")
    return()
  endif()
  set(group sanitized_tests)
  if(ARG_SANITIZED_LONG)
    set(group sanitized_long_tests)
    set(ARG_LABELS long)
  endif()
  if(NOT TARGET ${group})
    add_custom_target(${group})
  endif()
  add_dependencies(${group} ${name})
  foreach(shard RANGE 7)
    add_test(NAME ${name}.${shard} COMMAND ${name} --gtest_brief=1)
    set_tests_properties(${name}.${shard} PROPERTIES TIMEOUT 900 LABELS "${ARG_LABELS}"
      ENVIRONMENT "GTEST_TOTAL_SHARDS=8;GTEST_SHARD_INDEX=${shard}")
  endforeach()
endfunction()
