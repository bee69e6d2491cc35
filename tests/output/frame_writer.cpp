// Writes frames until it is killed: what the kill test kills. Usage: frame_writer <file.h5> <vertices, 7 or
// more> [<milliseconds>]
//
// With traces, contacts, contact forces and stress: step s has s % 4 iterations with the residual 100 s + i, frame k
// has k % 3 contacts that lift vertex 0 by the force k + 1, and its only tetrahedron has the von Mises stress k +
// 0.5, the stress k + 1 ... k + 6 and the strain of it over 8.
//
// After every frame comes a checkpoint; the one after every fourth is a regular one. After both the number of frames
// goes, as one line, to standard output. Frame k has position(k, i) (fixture.hpp), and ten rows of /steps come before
// each frame but the first. The third argument is the pause between frames.
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <thread>

#include "output/fixture.hpp"

namespace {

sim::Trace trace_of(std::int64_t step) {
  sim::Trace trace(static_cast<std::size_t>(step % 4));
  for (std::size_t i = 0; i < trace.size(); ++i)
    trace[i].residual = static_cast<double>(100 * step) + static_cast<double>(i);
  return trace;
}

sim::TetFields fields_of(double frame) {
  sim::TetFields fields{{frame + 0.5}, {{}}, {{}}};
  for (int i = 0; i < 6; ++i) {
    fields.stress[0][i] = frame + 1 + i;
    fields.strain[0][i] = fields.stress[0][i] / 8;
  }
  return fields;
}

// A tetrahedron, and a triangle of other vertices without one.
sim::Model tet_and_points(sim::Index vertices) {
  sim::Model model = sim::testing::points(vertices);
  model.mesh.tets = {{0, 1, 2, 3}};
  model.mesh.triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}, {4, 5, 6}};
  model.objects = {{"tet", sim::ObjectType::deformable, -1, {0, 4}, {0, 1}, {0, 4}},
                   {"points", sim::ObjectType::fixed, -1, {4, vertices}, {1, 1}, {4, 5}}};
  return model;
}

}  // namespace

int main(int count, char** arguments) try {
  if (count < 3) return 1;
  const auto vertices = static_cast<sim::Index>(std::atoi(arguments[2]));
  const auto pause = std::chrono::milliseconds(count > 3 ? std::atoi(arguments[3]) : 0);
  sim::ResultHeader header = sim::testing::small_header();
  header.trace = header.contacts = header.contact_forces = true;
  header.of_tets = {true, true, true};
  header.checkpoint = 40;
  sim::ResultFile file(arguments[1], tet_and_points(vertices), header);
  for (std::int64_t k = 0;; ++k) {
    for (std::int64_t step = 10 * k - 9; k > 0 && step <= 10 * k; ++step)
      file.append_step(sim::testing::numbered_report(step), trace_of(step));
    sim::State state = sim::testing::numbered_state(vertices, k);
    state.contacts.contacts.resize(static_cast<std::size_t>(k % 3));
    for (sim::Contact& contact : state.contacts.contacts) {
      contact.lambda = static_cast<double>(k + 1);
      contact.weights[0] = 1;
    }
    file.append_frame(state, state.contacts.contacts, fields_of(static_cast<double>(k)));
    file.append_checkpoint(state);
    const std::string line = std::to_string(k + 1) + "\n";
    if (write(STDOUT_FILENO, line.data(), line.size()) < 0) return 1;
    std::this_thread::sleep_for(pause);
  }
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
