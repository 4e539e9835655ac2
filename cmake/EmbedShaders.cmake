# cmake -DOUTPUT=FILE.cpp -DFILES=a.glsl,b.glsl -P EmbedShaders.cmake: writes shader texts into a source file, so that
# the program finds them wherever it is installed.
string(REPLACE "," ";" files "${FILES}")
set(table "")
foreach(file IN LISTS files)
  get_filename_component(name ${file} NAME)
  file(READ ${file} text)
  string(APPEND table "    {\"${name}\", R\"glsl(${text})glsl\"},\n")
endforeach()
file(WRITE ${OUTPUT} "// Written by cmake/EmbedShaders.cmake.
#include \"render/shader.hpp\"

namespace rebound::render {

std::string_view embedded_shader(std::string_view name) {
  struct File {
    std::string_view name;
    std::string_view text;
  };
  static constexpr File files[] = {
${table}  };
  for (const File& file : files) {
    if (file.name == name) return file.text;
  }
  return {};
}

}  // namespace rebound::render
")
