# simrun_room(<name> SOURCES <files...> [NEEDS <rooms...>] [LIBRARIES <targets...>] [PRIVATE_LIBRARIES <targets...>])
#
# A room is a folder of libsim/ and one static library, sim_<name>. Its headers are reached as "<name>/file.hpp", and
# only by targets that link the room: every room has an include folder of its own in the build tree that holds one
# symbolic link to its sources. An include that goes against the order of the rooms therefore does not compile.
function(simrun_room name)
  cmake_parse_arguments(ROOM "" "" "SOURCES;NEEDS;LIBRARIES;PRIVATE_LIBRARIES" ${ARGN})
  set(include_dir ${CMAKE_BINARY_DIR}/rooms/${name})
  file(MAKE_DIRECTORY ${include_dir})
  file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR}/${name} ${include_dir}/${name} SYMBOLIC)

  list(TRANSFORM ROOM_SOURCES PREPEND ${name}/)
  add_library(sim_${name} STATIC ${ROOM_SOURCES})
  target_include_directories(sim_${name} PUBLIC ${include_dir})
  list(TRANSFORM ROOM_NEEDS PREPEND sim_)
  target_link_libraries(sim_${name}
    PUBLIC ${ROOM_NEEDS} ${ROOM_LIBRARIES}
    PRIVATE sim_settings ${ROOM_PRIVATE_LIBRARIES})
  simrun_precompiled(sim_${name} sim_precompiled)
endfunction()
