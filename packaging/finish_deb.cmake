# What Debian wants of an installed tree before it is packed; CPack runs it.
if(NOT CPACK_GENERATOR STREQUAL DEB)
  return()
endif()
file(GLOB_RECURSE files ${CPACK_TEMPORARY_DIRECTORY}/*)
foreach(file IN LISTS files)
  if(file MATCHES "/share/doc/rebound/changelog$")
    # Ours is the program's; Debian's is about the package.
    string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
    file(WRITE ${file}.Debian "rebound (${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=medium\n\n"
      "  * As in changelog.gz.\n\n -- ${CPACK_PACKAGE_CONTACT}  ${date}\n")
    execute_process(COMMAND gzip -9n ${file} ${file}.Debian COMMAND_ERROR_IS_FATAL ANY)
  elseif(file MATCHES "/share/man/man1/[^/]+\\.1$")
    execute_process(COMMAND gzip -9n ${file} COMMAND_ERROR_IS_FATAL ANY)
  elseif(file MATCHES "^(.*/share/zsh)/site-functions/_rebound$")
    # Debian's zsh reads completions of packages there.
    file(RENAME ${CMAKE_MATCH_1}/site-functions ${CMAKE_MATCH_1}/vendor-completions)
  endif()
endforeach()
