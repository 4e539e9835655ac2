# `cmake --install build/release --prefix P`: the program with its scenes, and the libraries for find_package(rebound).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# The program looks for these beside itself, as ../libexec/rebound and ../share/rebound.
if(REBOUND_PROGRAM)
  install(TARGETS rebound RUNTIME DESTINATION bin COMPONENT program)
  install(DIRECTORY assets/scenes assets/meshes assets/papers assets/pictures DESTINATION share/rebound COMPONENT program)
  install(FILES assets/scene.schema.json assets/gallery.json DESTINATION share/rebound COMPONENT program)
  # The manual page and the completions, made by the program when it was linked.
  install(DIRECTORY ${PROJECT_BINARY_DIR}/documents/ DESTINATION share COMPONENT program)
  if(REBOUND_WINDOW)
    install(FILES packaging/rebound.desktop DESTINATION share/applications COMPONENT program)
    install(FILES packaging/rebound.svg DESTINATION share/icons/hicolor/scalable/apps COMPONENT program)
    install(FILES packaging/rebound-mime.xml DESTINATION share/mime/packages RENAME rebound.xml COMPONENT program)
  endif()
endif()
if(REBOUND_TETGEN)
  install(TARGETS rebound-tetgen RUNTIME DESTINATION libexec/rebound COMPONENT program)
endif()
install(FILES packaging/copyright THIRD_PARTY.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
install(FILES CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME changelog COMPONENT program)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT development)

# Headers include one another as "sim/...", so include/rebound is what is searched.
foreach(layer mesh sim scene session)
  set_target_properties(rebound_${layer} PROPERTIES EXPORT_NAME ${layer})
  install(TARGETS rebound_${layer} EXPORT rebound-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    COMPONENT development)
  install(DIRECTORY src/${layer} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/rebound COMPONENT development FILES_MATCHING
    PATTERN "*.hpp" PATTERN tets.inl PATTERN tetgen_worker EXCLUDE)
endforeach()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/rebound)
install(EXPORT rebound-targets NAMESPACE rebound:: DESTINATION ${package_dir} COMPONENT development)
configure_package_config_file(cmake/rebound-config.cmake.in ${PROJECT_BINARY_DIR}/rebound-config.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/rebound-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/rebound-config.cmake ${PROJECT_BINARY_DIR}/rebound-config-version.cmake
  cmake/FindCHOLMOD.cmake cmake/FindxxHash.cmake DESTINATION ${package_dir} COMPONENT development)
