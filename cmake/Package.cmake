# `cpack --config build/release/CPackConfig.cmake -G DEB`: the program for Debian; the libraries are for who builds.
set(CPACK_PACKAGE_NAME rebound)
set(CPACK_PACKAGE_VENDOR "the Rebound developers")
set(CPACK_PACKAGE_CONTACT "The Rebound developers <developers@rebound.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "real-time sandbox for deformable bodies and their integrators")
set(CPACK_PACKAGE_DESCRIPTION
"Pull an elastic body by the ear, flip between time integrators while it
swings, and watch what each does to the energy. Up to six integrators run
side by side; runs can be saved, replayed to the last bit, measured and
filmed, with a window or without any display.")
set(CPACK_COMPONENTS_ALL program)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_STRIP_FILES ON)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/packaging/finish_deb.cmake)

set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# What no linker knows of: OpenGL is opened by name, fonts are read, and the reference BLAS is ten times slower.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libgl1, fonts-inter | fonts-dejavu-core, libopenblas0-pthread | libopenblas0")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "ffmpeg, libgl1-mesa-dri")
include(CPack)
