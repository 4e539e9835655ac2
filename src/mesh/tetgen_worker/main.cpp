// SPDX-License-Identifier: AGPL-3.0-or-later
//
// rebound-tetgen: fills one closed surface with tetrahedra, and exits. It alone links TetGen (AGPL-3.0-or-later), and
// it is a program of its own because TetGen 1.5 ends in a segmentation fault on most surfaces that it cannot fill.
// Reads a request from standard input and writes an answer to standard output, as tetgen_protocol.hpp says.
#include <sys/prctl.h>
#include <sys/resource.h>
#include <tetgen.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstring>
#include <new>
#include <string>
#include <vector>

#include "mesh/tetgen_protocol.hpp"

namespace {

namespace protocol = rebound::mesh::protocol;

void limit(int resource, rlim_t value) {
  const rlimit both{value, value};
  setrlimit(static_cast<__rlimit_resource>(resource), &both);
}

void set_limits() {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  limit(RLIMIT_CORE, 0);
#if !defined(REBOUND_SANITIZED)
  limit(RLIMIT_AS, rlim_t{4} << 30);  // sanitizers reserve far more than they use
#endif
}

bool read_all(void* into, std::size_t bytes) { return std::fread(into, 1, bytes, stdin) == bytes; }

bool write_all(int fd, const void* from, std::size_t bytes) {
  const char* next = static_cast<const char*>(from);
  while (bytes > 0) {
    const ssize_t written = write(fd, next, bytes);
    if (written <= 0) return false;
    next += written;
    bytes -= static_cast<std::size_t>(written);
  }
  return true;
}

/// The surface and switches of a request, or false.
bool read_request(std::string& switches, std::vector<double>& points, std::vector<int>& triangles) {
  protocol::Request request;
  if (!read_all(&request, sizeof request) || request.magic != protocol::kRequestMagic ||
      request.switches > protocol::kMostSwitches || request.vertices > protocol::kMostVertices ||
      request.triangles > protocol::kMostElements)
    return false;
  switches.resize(request.switches);
  points.resize(3 * request.vertices);
  triangles.resize(3 * request.triangles);
  return read_all(switches.data(), switches.size()) && read_all(points.data(), points.size() * sizeof(double)) &&
         read_all(triangles.data(), triangles.size() * sizeof(int));
}

/// TetGen frees these arrays itself.
void fill_input(tetgenio& input, const std::vector<double>& points, const std::vector<int>& triangles) {
  input.firstnumber = 0;
  input.numberofpoints = static_cast<int>(points.size() / 3);
  input.pointlist = new double[points.size()];
  std::memcpy(input.pointlist, points.data(), points.size() * sizeof(double));
  input.numberoffacets = static_cast<int>(triangles.size() / 3);
  input.facetlist = new tetgenio::facet[static_cast<std::size_t>(input.numberoffacets)];
  for (int f = 0; f < input.numberoffacets; ++f) {
    tetgenio::facet& facet = input.facetlist[f];
    tetgenio::init(&facet);
    facet.numberofpolygons = 1;
    facet.polygonlist = new tetgenio::polygon[1];
    facet.polygonlist[0].numberofvertices = 3;
    facet.polygonlist[0].vertexlist = new int[3];
    std::memcpy(facet.polygonlist[0].vertexlist, &triangles[3 * static_cast<std::size_t>(f)], 3 * sizeof(int));
  }
}

bool write_answer(int fd, const tetgenio& output) {
  if (output.numberofcorners != 4) return false;
  protocol::Answer answer;
  answer.vertices = static_cast<std::uint64_t>(output.numberofpoints);
  answer.tetrahedra = static_cast<std::uint64_t>(output.numberoftetrahedra);
  return write_all(fd, &answer, sizeof answer) &&
         write_all(fd, output.pointlist, answer.vertices * 3 * sizeof(double)) &&
         write_all(fd, output.tetrahedronlist, answer.tetrahedra * 4 * sizeof(int)) &&
         write_all(fd, &protocol::kEndMagic, sizeof protocol::kEndMagic);
}

int run(int answer_fd) {
  std::string switches;
  std::vector<double> points;
  std::vector<int> triangles;
  if (!read_request(switches, points, triangles)) {
    std::fputs("the request is broken\n", stderr);
    return protocol::kExitBadRequest;
  }
  // Never destroyed: TetGen's own clean-up is where it crashes.
  tetgenio& input = *new tetgenio;
  tetgenio& output = *new tetgenio;
  fill_input(input, points, triangles);
  tetrahedralize(switches.data(), &input, &output);
  return write_answer(answer_fd, output) ? protocol::kExitOk : protocol::kExitRefused;
}

}  // namespace

int main() {
  set_limits();
  // TetGen prints to standard output when it is unhappy; that must not land in the answer.
  const int answer_fd = dup(STDOUT_FILENO);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  int status = protocol::kExitRefused;
  try {
    status = run(answer_fd);
  } catch (const std::bad_alloc&) {
    status = protocol::kExitOutOfMemory;
  } catch (...) {
    status = protocol::kExitRefused;
  }
  std::fflush(nullptr);
  _exit(status);
}
