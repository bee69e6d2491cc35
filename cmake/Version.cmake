# Writes the source that holds program_version(). Included by libsim/CMakeLists.txt, which gets the target; run as a script
# at every build, so that the version follows the checkout. The file changes, and is compiled, only when its text does.
if(CMAKE_SCRIPT_MODE_FILE)
  set(PROGRAM_VERSION ${VERSION})
  execute_process(COMMAND git rev-parse --show-toplevel WORKING_DIRECTORY ${SOURCE_DIR}
                  OUTPUT_VARIABLE top OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  file(REAL_PATH ${SOURCE_DIR} source)
  if(top STREQUAL source)  # not where the sources lie inside some other project's checkout
    execute_process(COMMAND git describe --always --dirty WORKING_DIRECTORY ${SOURCE_DIR}
                    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    if(commit)
      set(PROGRAM_VERSION "${VERSION} (${commit})")
    endif()
  endif()
  configure_file(${SOURCE_DIR}/libsim/output/version.cpp.in ${OUTPUT} @ONLY)
  return()
endif()

set(version_source ${CMAKE_BINARY_DIR}/generated/version.cpp)
add_custom_target(sim_version
  COMMAND ${CMAKE_COMMAND} -DSOURCE_DIR=${CMAKE_SOURCE_DIR} -DVERSION=${PROJECT_VERSION} -DOUTPUT=${version_source}
          -P ${CMAKE_CURRENT_LIST_FILE}
  BYPRODUCTS ${version_source}
  COMMENT "Looking up the version")
