# TetGen::TetGen, the library form (TETLIBRARY). Only the worker program of its own links it.
find_path(TetGen_INCLUDE_DIR tetgen.h)
find_library(TetGen_LIBRARY tet)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(TetGen REQUIRED_VARS TetGen_LIBRARY TetGen_INCLUDE_DIR)
if(TetGen_FOUND AND NOT TARGET TetGen::TetGen)
  add_library(TetGen::TetGen UNKNOWN IMPORTED)
  set_target_properties(TetGen::TetGen PROPERTIES
    IMPORTED_LOCATION ${TetGen_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${TetGen_INCLUDE_DIR}
    INTERFACE_COMPILE_DEFINITIONS TETLIBRARY)
endif()
