// What the readers say about files that are wrong: the place, what was expected, what was found.
#include <gtest/gtest.h>

#include "mesh/read_files.hpp"

namespace sim {
namespace read_error_test {

std::string message_of(const std::string& path) {
  try {
    read_mesh(path);
  } catch (const InputError& error) {
    return error.what();
  } catch (const FileError& error) {
    return std::string("FileError ") + error.what();
  }
  return "";
}

// --- any format
// -----------------------------------------------------------------------------------------------------

TEST(ReadMeshError, UnknownEndingListsTheKnownOnes) {
  EXPECT_EQ(message_of("body.step"),
            "body.step: expected a mesh file with one of the endings .msh .node .ele .vtk .obj .off .ply .stl, found "
            "\".step\"");
  EXPECT_EQ(message_of("noending").substr(0, 38), "noending: expected a mesh file with on");
  EXPECT_FALSE(is_surface_file("body.step"));
}

TEST(ReadMeshError, FilesThatCannotBeOpenedAreFileErrors) {
  const TemporaryFolder folder;
  EXPECT_EQ(message_of(folder / "none.off"), "FileError " + (folder / "none.off") + ": there is no such file");
  std::filesystem::create_directory(folder / "folder.msh");
  EXPECT_EQ(message_of(folder / "folder.msh"),
            "FileError " + (folder / "folder.msh") + ": expected a mesh file, found a directory");
}

TEST(ReadMeshError, FilesWithoutElementsAreRefused) {
  EXPECT_EQ(complaint("x.obj", "v 0 0 0\n"), "x.obj: expected faces, found none in the file");
  EXPECT_EQ(complaint("x.off", "OFF 0 0 0\n"), "x.off: expected faces, found none in the file");
  EXPECT_EQ(complaint("x.stl", "solid x\nendsolid x\n"), "x.stl: expected faces, found none in the file");
  EXPECT_EQ(complaint("x.msh",
                      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n1\n1 0 0 0\n$EndNodes\n$Elements\n1\n"
                      "1 15 2 0 1 1\n$EndElements\n"),
            "x.msh: expected tets, found none in the file");
}

TEST(ReadMeshError, LongAndUnprintableTextIsShownShortAndPrintable) {
  EXPECT_EQ(complaint("x.off", "\x01\xff" + std::string(60, 'x') + "\n"),
            "x.off, line 1: expected OFF, or STCNOFF without some of the letters before OFF, found \"??" +
                std::string(38, 'x') + "...\"");
}

TEST(ReadMeshError, NumbersMustBeFiniteAndWhole) {
  const auto of = [](const std::string& number) { return complaint("x.obj", "# comment\nv 0 " + number + " 0\n"); };
  for (const char* number : {"nan", "-inf", "1e999", "0x10", "1,5", "+-1", "1.5.2", "--1", "1e", "."}) {
    EXPECT_EQ(of(number), "x.obj, line 2: expected the y coordinate of a vertex (a finite number), found \"" +
                              std::string(number) + "\"");
  }
  EXPECT_EQ(complaint("x.off", "OFF\n3.5 1 0\n"),
            "x.off, line 2: expected the number of vertices (a whole number), found \"3.5\"");
  EXPECT_EQ(complaint("x.off", "OFF\n99999999999999999999 1 0\n"),
            "x.off, line 2: expected the number of vertices (a whole number), found \"99999999999999999999\"");
}

// --- surfaces
// -------------------------------------------------------------------------------------------------------

TEST(ReadObjError, NamesLineAndValue) {
  const std::string points = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  EXPECT_EQ(complaint("x.obj", points + "f 1 2 4/1/1\n"),
            "x.obj, line 4: expected the index of a vertex given before, from 1 to 3 or from -1 to -3, found "
            "\"4/1/1\"");
  EXPECT_NE(complaint("x.obj", points + "f 1 2 0\n"), "");
  EXPECT_NE(complaint("x.obj", points + "f 1 2 -4\n"), "");
  EXPECT_EQ(complaint("x.obj", points + "f 1 /2 3\n"),
            "x.obj, line 4: expected the index of a vertex (a whole number), found \"/2\"");
  EXPECT_EQ(complaint("x.obj", points + "f 1 2\n"),
            "x.obj, line 4: expected three or more corners of a face, found 2");
  EXPECT_EQ(complaint("x.obj", "v 0 0\n"),
            "x.obj, line 1: expected the z coordinate of a vertex (a finite number), found the end of the line");
}

TEST(ReadOffError, NamesLineAndValue) {
  const std::string cube = contents(fixture("cube.off"));
  EXPECT_EQ(complaint("x.off", with(cube, "OFF", "4OFF")),
            "x.off, line 1: expected OFF, or STCNOFF without some of the letters before OFF, found \"4OFF\"");
  EXPECT_EQ(complaint("x.off", with(cube, "8 12", "800 12")),
            "x.off, line 3: expected a number of vertices from 0 to 43 (the file has no room for more), found 800");
  EXPECT_EQ(complaint("x.off", with(cube, "8 12", "8 -1")),
            "x.off, line 3: expected the number of faces from 0 to 2147483647, found -1");
  EXPECT_EQ(complaint("x.off", with(cube, "8 12", "8 13")),
            "x.off, line 25: expected the number of corners of a face (a whole number), found the end of the file");
  EXPECT_EQ(complaint("x.off", with(cube, "8 12", "8 11")),
            "x.off, line 24: expected the end of the file after 11 faces, found \"3\"");
  EXPECT_EQ(complaint("x.off", with(cube, "8 12", "7 12")),
            "x.off, line 12: expected the number of corners of a face (a whole number), found \"-0.625\"");
  EXPECT_EQ(complaint("x.off", with(cube, "3 4 5 6", "3 4 8 6")),
            "x.off, line 15: expected the index of a vertex from 0 to 7, found 8");
  EXPECT_EQ(complaint("x.off", with(cube, "3 4 5 6", "2 4 5 6")),
            "x.off, line 15: expected the number of corners of a face from 3 to 2147483647, found 2");
  EXPECT_EQ(complaint("x.off", with(cube, "3 4 5 6", "3 4 5")),
            "x.off, line 15: expected the index of a vertex (a whole number), found the end of the line");
  EXPECT_EQ(
      complaint("x.off", with(cube, "3 4 5 6", "999999 4 5 6")),
      "x.off, line 15: expected a number of corners from 0 to 39 (the file has no room for more), found 999999");
  EXPECT_EQ(
      complaint("x.off", with(cube, "1.375 1.375 1.375", "1.375 1.375 1.375 255 0 0")),
      "x.off, line 11: expected the end of the line after three coordinates (COFF instead of OFF says that more "
      "follows), found \"255\"");
}

TEST(ReadPlyError, NamesLineAndValueInTheHead) {
  const std::string cube = contents(fixture("cube.ply"));
  const auto of = [&](const char* from, const char* to) { return complaint("x.ply", with(cube, from, to)); };
  EXPECT_EQ(of("ply", "15"), "x.ply, line 1: expected \"ply\" on the first line, found \"15\"");
  EXPECT_EQ(of("ascii", "binary"),
            "x.ply, line 2: expected ascii, binary_little_endian or binary_big_endian, found \"binary\"");
  EXPECT_EQ(of("1.0", "2.0"), "x.ply, line 2: expected version 1.0 of PLY, found \"2.0\"");
  EXPECT_EQ(of("format", "element"), "x.ply, line 2: expected \"format\", found \"element\"");
  EXPECT_EQ(of("vertex 8", "vertex -8"),
            "x.ply, line 4: expected the number of elements from 0 to 2147483647, found -8");
  EXPECT_EQ(of("double x", "complex x"),
            "x.ply, line 5: expected the type of a property (char, uchar, short, ushort, int, uint, float, double or "
            "int8 to float64), found \"complex\"");
  EXPECT_EQ(of("list uchar short", "list float short"),
            "x.ply, line 9: expected a whole-number type for the length of a list, found \"float\"");
  EXPECT_EQ(of("double x", "double"), "x.ply, line 5: expected the name of a property, found the end of the line");
  EXPECT_EQ(of("double x", "double x y"), "x.ply, line 5: expected the end of the line, found \"y\"");
  EXPECT_EQ(of("property uchar red", "colour uchar red"),
            "x.ply, line 7: expected element, property, comment, obj_info or end_header, found \"colour\"");
  EXPECT_EQ(of("double x", "double y"),
            "x.ply, line 16: expected the properties x, y and z of element vertex, each once, found others");
  EXPECT_EQ(of("vertex_indices", "corners"),
            "x.ply, line 16: expected one list vertex_indices of element face, found 0");
  EXPECT_EQ(of("element face", "element side"),
            "x.ply, line 16: expected one element vertex and one element face, found 1 and 0");
  EXPECT_EQ(of("element edge", "element none 1\nelement edge"),
            "x.ply, line 17: expected at least one property of element none, found none");
  EXPECT_EQ(of("vertex 8", "vertex 2000000000").substr(0, 62),
            "x.ply, line 16: expected a number for element vertex from 0 to");
  EXPECT_EQ(complaint("x.ply", cube.substr(0, cube.find("end_header"))),
            "x.ply, line 16: expected element, property, comment, obj_info or end_header, found the end of the file");
}

TEST(ReadPlyError, NamesLineAndValueInText) {
  const std::string cube = contents(fixture("cube.ply"));
  const auto of = [&](const char* from, const char* to) { return complaint("x.ply", with(cube, from, to)); };
  EXPECT_EQ(of("nan 4 4 5 6 7", "nan 4 4 5 6 8"),
            "x.ply, line 26: expected the index of a vertex from 0 to 7, found 8");
  EXPECT_EQ(of("nan 4 4 5 6 7", "nan 4 4 5 6 6.5"),
            "x.ply, line 26: expected the index of a vertex (a whole number), found 6.500000");
  EXPECT_EQ(of("nan 4 4 5 6 7", "nan 2 4 5"), "x.ply, line 26: expected three or more corners of a face, found 2");
  EXPECT_EQ(of("nan 4 4 5 6 7", "nan 4 4 5 6"),
            "x.ply, line 26: expected the index of a vertex (a finite number), found the end of the line");
  EXPECT_EQ(of("nan 4 4 5 6 7", "nan 4 4 5 6 7 9"),
            "x.ply, line 26: expected the end of the line after the last property, found \"9\"");
  EXPECT_EQ(of("1 0.5", "1"), "x.ply, line 31: expected property length, found the end of the line");
  EXPECT_EQ(of("1 0.5", "1 0.5\n2 0.5"),
            "x.ply, line 32: expected the end of the file after the last element, found \"2\"");
}

TEST(ReadPlyError, NamesByteAndValueInBinary) {
  const std::string cube = contents(fixture("cube_big_endian.ply"));
  const std::size_t data = cube.find("end_header") + 11;
  ASSERT_EQ(cube.size(), data + 8 * 30 + 12 * 17 + 10);  // two doubles, byte, double, byte, two shorts; faces; edge
  const auto of = [&](std::size_t place, const std::string& bytes) {
    std::string text = cube;
    return complaint("x.ply", text.replace(data + place, bytes.size(), bytes));
  };
  const auto at = [&](std::size_t place) { return "x.ply, byte " + std::to_string(data + place) + ": expected "; };
  EXPECT_EQ(of(30, "\x7f\xf8"), at(30) + "a coordinate of a vertex (a finite number), found nan");
  EXPECT_EQ(of(240 + 4, "\xff"), at(240 + 4) +
                                     "the length of a list from 0 to 52 (the file has no room for more), "
                                     "found 255");
  EXPECT_EQ(of(240 + 4, "\x02"), at(240 + 4) + "three or more corners of a face, found 2");
  EXPECT_EQ(of(240 + 9, std::string("\0\0\0\x08", 4)), at(240 + 9) + "the index of a vertex from 0 to 7, found 8");
  EXPECT_EQ(complaint("x.ply", cube.substr(0, cube.size() - 3)),
            at(240 + 12 * 17 + 2) + "8 bytes for a property, found the end of the file after 5");
  EXPECT_EQ(complaint("x.ply", cube + "more"),
            at(240 + 12 * 17 + 10) + "the end of the file after the last element, found 4 more bytes");
}

TEST(ReadStlError, NamesLineAndValueInText) {
  const std::string cube = contents(fixture("cube.stl"));
  const auto of = [&](const char* from, const char* to) { return complaint("x.stl", with(cube, from, to)); };
  EXPECT_EQ(of("outer loop", "outer lop"), "x.stl, line 3: expected \"loop\", found \"lop\"");
  EXPECT_EQ(of("facet", "face"), "x.stl, line 2: expected \"facet\" or \"endsolid\", found \"face\"");
  EXPECT_EQ(of("vertex -0.625 -0.625", "vertex -0.625 nan"),
            "x.stl, line 4: expected a coordinate of a corner (a finite number), found \"nan\"");
  EXPECT_EQ(of("    endloop", "    vertex 0 0 0\n    endloop"),
            "x.stl, line 7: expected \"endloop\", found \"vertex\"");
  EXPECT_EQ(complaint("x.stl", cube.substr(0, cube.find("endsolid"))),
            "x.stl, line 86: expected \"facet\" or \"endsolid\", found the end of the file");
}

TEST(ReadStlError, NamesByteAndValueInBinary) {
  const std::string cube = contents(fixture("cube_binary.stl"));  // begins with "solid"
  constexpr const char* size_message =
      "x.stl, byte 80: expected a number of facets that agrees with the size of the file (84 + 50 for each, here ";
  std::string other_head = cube;
  other_head[0] = 'x';
  EXPECT_EQ(complaint("x.stl", other_head), "");
  EXPECT_EQ(complaint("x.stl", other_head.substr(0, 683)),
            size_message + std::string("683 bytes), or text that begins with \"solid\", found 12"));
  EXPECT_EQ(complaint("x.stl", cube + "\n"),
            size_message + std::string("685 bytes), or text that begins with \"solid\", found 12"));
  std::string nan = cube;
  nan.replace(84 + 12, 4, std::string("\0\0\xc0\x7f", 4));
  EXPECT_EQ(complaint("x.stl", nan),
            "x.stl, byte 96: expected a coordinate of a corner (a finite number), found nan");
  EXPECT_EQ(complaint("x.stl", "so"),
            "x.stl, byte 0: expected 80 bytes for the head of a binary STL file (text files begin with \"solid\"), "
            "found the end of the file after 2");
}

// --- tets
// -----------------------------------------------------------------------------------------------------------

TEST(ReadGmshError, NamesLineAndValueInVersion2) {
  const std::string cube = contents(fixture("cube_22.msh"));
  const auto of = [&](const char* from, const char* to) { return complaint("x.msh", with(cube, from, to)); };
  EXPECT_EQ(of("2.2 0 8", "4 0 8"),
            "x.msh, line 2: expected version 2.2 or 4.1 of the MSH format (gmsh mesh.msh -save -format msh41 -o "
            "new.msh converts others), found \"4\"");
  EXPECT_EQ(of("2.2 0 8", "2.2 2 8"),
            "x.msh, line 2: expected the file type (0 text, 1 binary) from 0 to 1, found 2");
  EXPECT_EQ(of("2.2 0 8", "2.2 0 4"), "x.msh, line 2: expected the data size 8, found 4");
  EXPECT_EQ(of("$MeshFormat", "$NOD"), "x.msh, line 32: expected \"$EndNOD\", found the end of the file");
  EXPECT_EQ(of("$MeshFormat", "solid"),
            "x.msh, line 1: expected the name of a section, like $Nodes, found \"solid\"");
  EXPECT_EQ(of("$EndNodes", "$EndNode"), "x.msh, line 19: expected \"$EndNodes\", found \"$EndNode\"");
  EXPECT_EQ(of("$Nodes\n9", "$Nodes\n8"), "x.msh, line 18: expected \"$EndNodes\", found \"1000\"");
  EXPECT_EQ(of("$Nodes\n9", "$Nodes\n10"),
            "x.msh, line 19: expected the number of a node (a whole number), found \"$EndNodes\"");
  EXPECT_EQ(
      of("$Nodes\n9", "$Nodes\n999999999"),
      "x.msh, line 9: expected a number of nodes from 0 to 49 (the file has no room for more), found 999999999");
  EXPECT_EQ(of("7 -0.625 -0.625 -0.625", "7 -0.625 -0.625"),
            "x.msh, line 11: expected a coordinate of a node (a finite number), found the end of the line");
  EXPECT_EQ(of("3 -0.625", "7 -0.625"),
            "x.msh, line 18: expected a different number for every node, found the number 7 twice");
  EXPECT_EQ(of("4 4 2 1 1 7 4 10 2", "4 4 2 1 1 7 4 10 5"),
            "x.msh, line 25: expected the number of a node of $Nodes, found 5");
  EXPECT_EQ(
      of("4 4 2 1 1 7 4 10 2", "4 4 2 1 1 7 4 10"),
      "x.msh, line 25: expected the number of a node of an element (a whole number), found the end of the line");
  EXPECT_EQ(of("4 4 2 1 1 7 4 10 2", "4 4 2 1 1 7 4 10 2 2"),
            "x.msh, line 25: expected the end of the line after the four nodes of a tet, found \"2\"");
  EXPECT_EQ(of("2 1 2 0 1", "2 11 2 0 1"),
            "x.msh, line 23: expected tets of four nodes (export a mesh of tets only, of first order), found element "
            "type 11");
  EXPECT_EQ(of("2 1 2 0 1", "2 5 2 0 1"),  // a hexahedron
            "x.msh, line 23: expected tets of four nodes (export a mesh of tets only, of first order), found element "
            "type 5");
  EXPECT_EQ(complaint("x.msh", cube.substr(0, cube.find("$Elements"))),
            "x.msh, line 20: expected a section $Elements, found the end of the file");
  EXPECT_EQ(of("$Nodes", "$Elements"),
            "x.msh, line 8: expected one section $Elements, after $Nodes, found "
            "\"$Elements\"");
}

TEST(ReadGmshError, NamesLineAndValueInVersion4) {
  const std::string cube = contents(fixture("cube_41.msh"));
  const auto of = [&](const char* from, const char* to) { return complaint("x.msh", with(cube, from, to)); };
  EXPECT_EQ(of("4 9 11 120", "4 10 11 120"), "x.msh, line 30: expected 10 nodes as the head of $Nodes says, found 9");
  EXPECT_EQ(of("4 9 11 120", "4 8 11 120"),
            "x.msh, line 20: expected the number of nodes of a block from 0 to 4, found 5");
  EXPECT_EQ(of("2 3 1 3", "2 3 0 3"),
            "x.msh, line 17: expected the end of the line after the coordinates of a node, found \"0.25\"");
  EXPECT_EQ(of("2 3 1 3", "2 3 2 3"), "x.msh, line 13: expected the flag of parametric nodes from 0 to 1, found 2");
  EXPECT_EQ(of("2 3 1 3", "4 3 1 3"),
            "x.msh, line 13: expected the dimension of the entity of a node block from 0 to 3, found 4");
  EXPECT_EQ(of("3 8 1 8", "3 9 1 8"), "x.msh, line 44: expected 9 elements as the head of $Elements says, found 8");
  EXPECT_EQ(of("3 1 4 6", "3 1 4 7"),
            "x.msh, line 38: expected the number of elements of a block from 0 to 6, found 7");
  EXPECT_EQ(of("3 1 4 6", "3 1 11 6"),
            "x.msh, line 38: expected tets of four nodes (export a mesh of tets only, of first order), found element "
            "type 11");
  EXPECT_EQ(of("3 8 1 8", "3 99999999 1 8").substr(0, 58),
            "x.msh, line 33: expected a number of elements from 0 to 46");
}

TEST(ReadGmshError, NamesByteAndValueInBinary) {
  const std::string cube = contents(fixture("cube_41_binary.msh"));
  const auto of = [&](std::size_t place, const std::string& bytes) {
    std::string text = cube;
    return complaint("x.msh", text.replace(place, bytes.size(), bytes));
  };
  const auto at = [](std::size_t place) { return "x.msh, byte " + std::to_string(place) + ": expected "; };
  const std::size_t one = cube.find("4.1 1 8\n") + 8;
  EXPECT_EQ(of(one, std::string("\x02\0\0\0", 4)), at(one) + "the number one that tells the byte order, found 2");
  const std::size_t nodes = cube.find("$Nodes\n") + 7;
  EXPECT_EQ(of(nodes + 8, "\xff\xff\xff\x0f"), at(nodes + 8) + "a number of nodes from 0 to " +
                                                   std::to_string((cube.size() - nodes - 16) / 28) +
                                                   " (the file has no room for more), found 268435455");
  const std::size_t x = nodes + 32 + 20 + 8;  // four counts, head of the first block, its one tag
  EXPECT_EQ(of(x + 6, "\xf0\x7f"), at(x) + "a coordinate of a node (a finite number), found inf");
  const std::size_t elements = cube.find("$Elements\n") + 10;
  const std::size_t type = elements + 32 + 8;  // four counts, dimension and tag of the first block
  EXPECT_EQ(of(type, "\x63"),
            at(type) + "tets of four nodes (export a mesh of tets only, of first order), found element type 99");
  EXPECT_EQ(complaint("x.msh", cube.substr(0, elements + 12)),
            at(elements + 8) + "8 bytes for the number of elements, found the end of the file after 4");
}

TEST(ReadTetgenError, BothFilesAreNeeded) {
  const TemporaryFolder folder;
  write_file(folder / "x.node", contents(fixture("cube_0.node")));
  EXPECT_EQ(message_of(folder / "x.node"),
            "FileError " + (folder / "x.ele") +
                ": there is no such file, but TetGen meshes are the two files .node and .ele");
  EXPECT_EQ(message_of(folder / "y.ele"), "FileError " + (folder / "y.node") + ": there is no such file");
}

TEST(ReadTetgenError, NamesLineAndValue) {
  const std::string nodes = contents(fixture("cube_1.node")), tets = contents(fixture("cube_1.ele"));
  const auto of = [](const std::string& node_text, const std::string& tet_text) {
    const TemporaryFolder folder;
    write_file(folder / "x.node", node_text);
    write_file(folder / "x.ele", tet_text);
    const std::string message = message_of(folder / "x.ele");
    return message.empty() ? message : message.substr((folder / "").size());
  };
  const auto of_nodes = [&](const char* from, const char* to) { return of(with(nodes, from, to), tets); };
  const auto of_tets = [&](const char* from, const char* to) { return of(nodes, with(tets, from, to)); };
  EXPECT_EQ(of(nodes, tets), "");
  EXPECT_EQ(of_nodes("8 3 2 1", "8 2 2 1"), "x.node, line 2: expected the dimension 3, found 2");
  EXPECT_EQ(of_nodes("8 3 2 1", "8000 3 2 1"),
            "x.node, line 2: expected a number of nodes from 0 to 36 (the file has no room for more), found 8000");
  EXPECT_EQ(of_nodes("8 3 2 1", "8 3 1 1"),
            "x.node, line 4: expected the end of the line, by the number of columns in the head of the file, found "
            "\"-1\"");
  EXPECT_EQ(of_nodes("8 3 2 1", "8 3 3 1"),
            "x.node, line 4: expected the attributes and the boundary marker of a node, found the end of the line");
  EXPECT_EQ(of_nodes("8 3 2 1", "7 3 2 1"),
            "x.node, line 11: expected the end of the file after 7 nodes, found \"8\"");
  EXPECT_EQ(of_nodes("8 3 2 1", "9 3 2 1"),
            "x.node, line 13: expected the number of the next node (a whole number), found the end of the file");
  EXPECT_EQ(of_nodes("\n1 -0.625", "\n2 -0.625"),
            "x.node, line 4: expected the number of the first node from 0 to 1, found 2");
  EXPECT_EQ(of_nodes("\n3 1.375", "\n4 1.375"), "x.node, line 6: expected the number of the next node 3, found 4");
  EXPECT_EQ(of_nodes("3 1.375", "3 nan"),
            "x.node, line 6: expected the x coordinate of a node (a finite number), found \"nan\"");
  EXPECT_EQ(of_tets("6 4 1", "6 10 1"),
            "x.ele, line 1: expected tets of four nodes (export a mesh of tets only, of first order), found \"10\"");
  EXPECT_EQ(of_tets("1 1 4 3 7", "1 1 4 3 0"),
            "x.ele, line 2: expected the number of a node of the .node file from 1 to 8, found 0");
  EXPECT_EQ(of_tets("1 1 4 3 7", "1 1 4 3 9"),
            "x.ele, line 2: expected the number of a node of the .node file from 1 to 8, found 9");
  EXPECT_EQ(of_tets("6 4 1", "5 4 1"), "x.ele, line 7: expected the end of the file after 5 tets, found \"6\"");
  EXPECT_EQ(of_tets("6 4 1", "7 4 1"),
            "x.ele, line 8: expected the number of the next tet (a whole number), found the end of the file");
}

TEST(ReadVtkError, NamesLineAndValueInVersion3) {
  const std::string cube = contents(fixture("cube_30.vtk"));
  const auto of = [&](const char* from, const char* to) { return complaint("x.vtk", with(cube, from, to)); };
  EXPECT_EQ(
      of("# vtk", "<VTKFile"),
      "x.vtk, line 1: expected \"# vtk DataFile Version\" and a version, found \"<VTKFile DataFile Version 3.0\"");
  EXPECT_EQ(of("3.0", "5.2"),
            "x.vtk, line 1: expected a version of legacy VTK from 1.0 to 5.1, found \"# vtk DataFile "
            "Version 5.2\"");
  EXPECT_EQ(of("ASCII", "ascii"), "x.vtk, line 3: expected ASCII or BINARY, found \"ascii\"");
  EXPECT_EQ(of("UNSTRUCTURED_GRID", "POLYDATA"), "x.vtk, line 4: expected \"UNSTRUCTURED_GRID\", found \"POLYDATA\"");
  EXPECT_EQ(of("POINTS 8 double", "POINTS 8 int"),
            "x.vtk, line 8: expected float or double for the type of the points, found \"int\"");
  EXPECT_EQ(of("POINTS 8", "POINTS 888").substr(0, 54), "x.vtk, line 8: expected the number of points from 0 to");
  EXPECT_EQ(of("POINTS 8", "POINTS 9"),
            "x.vtk, line 12: expected a coordinate of a point (a finite number), found \"METADATA\"");
  EXPECT_EQ(of("POINTS 8", "POINTS 7"),
            "x.vtk, line 11: expected POINTS, then CELLS, then CELL_TYPES, found \"-0.625\"");
  EXPECT_EQ(of("4 0 3 2 6", "4 0 3 2 8"), "x.vtk, line 17: expected the index of a point from 0 to 7, found 8");
  EXPECT_EQ(of("CELLS 8 36", "CELLS 8 37"),
            "x.vtk, line 23: expected 37 numbers in the list of cells as its head says, found 36");
  EXPECT_EQ(of("CELLS 8 36", "CELLS 8 35"), "x.vtk, line 23: expected the number of points of a cell 0, found 1");
  EXPECT_EQ(of("CELL_TYPES 8", "CELL_TYPES 7"), "x.vtk, line 24: expected the number of cells 8, found 7");
  EXPECT_EQ(of("\n5 10", "\n10 10"), "x.vtk, line 25: expected four points for cell 0, which is a tet, found 3");
  EXPECT_EQ(of("\n5 10", "\n24 10"),
            "x.vtk, line 25: expected tets of four nodes (export a mesh of tets only, of first order), found cell "
            "type 24");
  EXPECT_EQ(of("\n5 10", "\n13 10"),  // a wedge
            "x.vtk, line 25: expected tets of four nodes (export a mesh of tets only, of first order), found cell "
            "type 13");
  EXPECT_EQ(of("TIME 1 1 double", "TIME 1 1 string"),
            "x.vtk, line 6: expected the type of a field of numbers, found \"string\"");
}

TEST(ReadVtkError, NamesPlaceAndValueInVersion5) {
  const std::string cube = contents(fixture("cube_51.vtk"));
  const auto of = [&](const char* from, const char* to) { return complaint("x.vtk", with(cube, from, to)); };
  EXPECT_EQ(of("OFFSETS vtktypeint64", "OFFSETS float"),
            "x.vtk, line 15: expected vtktypeint64 or vtktypeint32, found \"float\"");
  EXPECT_EQ(of("\n0 3 7", "\n1 3 7"), "x.vtk, line 16: expected an offset into the points of the cells 0, found 1");
  EXPECT_EQ(of("\n0 3 7", "\n0 3 2"),
            "x.vtk, line 16: expected an offset into the points of the cells from 3 to 28, found 2");
  EXPECT_EQ(of("27 28\n", "27 27\n"), "x.vtk, line 16: expected an offset into the points of the cells 28, found 27");
  const std::string binary = contents(fixture("cube_51_binary.vtk"));
  const std::size_t points = binary.find("CONNECTIVITY vtktypeint64\n") + 26;
  std::string wrong = binary;
  wrong[points + 8] = '\x80';
  EXPECT_EQ(complaint("x.vtk", wrong), "x.vtk, byte " + std::to_string(points + 8) +
                                           ": expected the index of a point from 0 to 7, found -9223372036854775807");
}

}  // namespace read_error_test
}  // namespace sim
