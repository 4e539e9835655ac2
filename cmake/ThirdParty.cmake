# Every library comes as a Debian package (tools/install_packages.sh lists them), and only what is built looks for its
# own. Nothing is copied or downloaded.
find_package(Threads REQUIRED)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(tinyobjloader REQUIRED)
find_package(CHOLMOD REQUIRED)
find_package(xxHash REQUIRED)
find_package(embree 3 REQUIRED CONFIG)
if(REBOUND_TETGEN)
  find_package(TetGen REQUIRED)
endif()
if(REBOUND_TESTS)
  find_package(GTest REQUIRED)
  include(GoogleTest)
  # Debian's own Python, as the modules that the tests import are installed for that one.
  find_program(REBOUND_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH REQUIRED)
endif()
if(REBOUND_BENCHMARKS)
  find_package(benchmark REQUIRED)  # libbenchmark-dev
endif()
if(NOT REBOUND_PROGRAM)
  return()
endif()

find_package(PkgConfig REQUIRED)
find_package(CLI11 REQUIRED)
find_package(TinyGLTF REQUIRED)
pkg_check_modules(STB REQUIRED IMPORTED_TARGET stb)
set(OpenGL_GL_PREFERENCE GLVND)
find_package(OpenGL REQUIRED COMPONENTS OpenGL EGL)
if(REBOUND_WINDOW)
  pkg_check_modules(IMGUI REQUIRED IMPORTED_TARGET imgui)  # the archive holds the GLFW and OpenGL 3 back ends
  find_package(Freetype REQUIRED)                          # with which that archive may draw its fonts
  find_package(glfw3 3.3 REQUIRED)
endif()

# The OpenGL loader is generated: core 3.3 and the debug callback, nothing else.
find_program(GLAD_EXECUTABLE glad REQUIRED)
set(glad_dir ${PROJECT_BINARY_DIR}/glad)
add_custom_command(
  OUTPUT ${glad_dir}/src/gl.c ${glad_dir}/include/glad/gl.h
  COMMAND ${GLAD_EXECUTABLE} --quiet --reproducible --api gl:core=3.3 --extensions GL_KHR_debug --out-path ${glad_dir} c
  COMMENT "Generating the OpenGL loader")
add_library(glad STATIC ${glad_dir}/src/gl.c ${glad_dir}/include/glad/gl.h)
target_include_directories(glad SYSTEM PUBLIC ${glad_dir}/include)
target_link_libraries(glad PUBLIC ${CMAKE_DL_LIBS})
