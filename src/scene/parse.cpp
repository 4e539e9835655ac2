#include "scene/parse.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "mesh/error.hpp"
#include "scene/constraints.hpp"
#include "scene/files.hpp"
#include "scene/parse_body.hpp"
#include "scene/part_text.hpp"
#include "scene/wording.hpp"
#include "sim/registry.hpp"

namespace rebound::scene {
namespace {

constexpr int kFormat = 1;
constexpr std::size_t kMostEnergyPieces = 10'000;

void check_format(Reader& scene) {
  const Value version = scene.required("rebound", "a scene begins with \"rebound\": 1, the version of the format");
  if (!version.is_number()) version.fail_type("the number 1, the version of the format");
  const auto number = version.plain_number();
  if (number == kFormat) return;
  const std::string remedy = number > kFormat ? "; a newer version of the program may read it" : "";
  version.fail("is format " + number_text(number) + ", and this version reads format 1" + remedy);
}

Integrator parse_integrator(Reader& reader, const Known& known) {
  Integrator integrator;
  if (const auto type = reader.find("type")) {
    integrator.type = identifier(*type, "integrator", known.integrators, named().integrators);
  }
  reader.number("tolerance", "integrator.tolerance", integrator.tolerance);
  reader.truth("forwardBlend", integrator.forwardBlend);
  reader.choice("unresolved", {"heat", "moving", "held"}, integrator.unresolved);
  reader.number("alphaMin", "integrator.alphaMin", integrator.alphaMin);
  reader.number("alphaMax", "integrator.alphaMax", integrator.alphaMax);
  if (integrator.alphaMin > integrator.alphaMax)
    reader.fail("has alphaMin above alphaMax; the search goes from alphaMin to alphaMax");
  reader.integer("every", "integrator.every", integrator.every);
  reader.choice("base", {"backward-euler", "sdirk2"}, integrator.base);
  reader.number("rho", "integrator.rho", integrator.rho);
  reader.integer("modes", "integrator.modes", integrator.modes);
  return integrator;
}

Solver parse_solver(Reader& reader, const Known& known) {
  Solver solver;
  if (const auto type = reader.find("type")) {
    solver.type = identifier(*type, "solver", known.solvers, named().solvers);
  }
  reader.integer_or("iterations", "auto", "solver.iterations", solver.iterations, solver.iterationsByNeed);
  reader.truth("acceleration", solver.acceleration);
  reader.number("tolerance", "solver.tolerance", solver.tolerance);
  reader.choice("projection", projections(), solver.projection);
  bool adaptive = true;
  reader.integer_or("stabilizerIterations", "adaptive", "solver.stabilizerIterations", solver.stabilizerIterations,
                    adaptive);
  return solver;
}

Wind parse_wind(Reader& reader) {
  Wind wind;
  reader.vector("velocity", "wind.velocity", wind.velocity);
  reader.number("gusts", "wind.gusts", wind.gusts);
  reader.integer("seed", "wind.seed", wind.seed);
  reader.number("from", "wind.from", wind.from);
  reader.number("until", "wind.until", wind.until);
  reader.number("density", "wind.density", wind.density);
  if (wind.until < wind.from) reader.fail("ends before it begins; 'until' is a later time than 'from'");
  return wind;
}

Damping parse_damping(Reader& reader, const Known& known) {
  Damping damping;
  if (const auto type = reader.find("type")) {
    damping.type = identifier(*type, "damping", known.dampings, named().dampings);
    if (const auto* info = sim::find_damping(damping.type)) damping.per = info->usual_rate;
  }
  reader.number("coefficient", damping_range(damping.type), damping.coefficient);
  reader.number("mass", "damping.mass", damping.mass);
  if (damping.mass > 0 && damping.type != "rayleigh")
    reader.fail(
        "'mass' is of type 'rayleigh', whose damping is 'mass' times the masses and 'coefficient' times the stiffness");
  reader.choice("per", {"frame", "second"}, damping.per);
  return damping;
}

EnergyPiece parse_piece(const Value& value) {
  EnergyPiece piece;
  value.object([&](Reader& reader) {
    reader.number("from", "energy.from", piece.from);
    reader.number("factor", "energy.factor", piece.factor);
    reader.number("foldTime", "energy.foldTime", piece.foldTime);
    reader.number("target", "energy.target", piece.target);
    if (const auto ground = reader.find("ground")) {
      if (!ground->is_text())
        piece.ground = ground->number(range("energy.ground"));
      else if (ground->text() != "rest")
        ground->fail("is a number of joules, or \"rest\": the energy of what lies or hangs still");
    }
    for (const char* key : {"factor", "foldTime", "ground"})
      if (const auto idle = piece.target ? reader.find(key) : std::nullopt)
        idle->fail("does nothing beside 'target', which says what the energy is");
  });
  return piece;
}

void parse_obstacles(const Value& obstacles, Description& scene) {
  constexpr std::size_t kMostObstacles = 10'000;
  if (obstacles.size() > kMostObstacles) obstacles.fail("has more than 10000 obstacles, the most a scene may have");
  obstacles.each([&](const Value& value) { scene.obstacles.push_back(parse_obstacle(value)); });
}

void check_obstacles(const Value& obstacles, const Description& scene) {
  std::size_t next = 0;
  obstacles.each([&](const Value& value) {
    const Obstacle& obstacle = scene.obstacles[next++];
    if (const auto fault = constraint_fault(obstacle, scene.integrator.type, scene.solver.type))
      value.fail("cannot be met as " + std::string(obstacle.is_cubic() ? "\"cubic\": " : "a constraint: ") + *fault);
  });
}

BodyContact parse_contact(Reader& reader) {
  BodyContact contact;
  reader.choice("type", {"springs", "barrier", "cubic"}, contact.type);
  reader.truth("bodies", contact.bodies);
  reader.truth("self", contact.self);
  if (contact.is_barrier())
    reader.number("stiffness", "contact.firmness", contact.firmness);
  else
    reader.number("stiffness", "contact.stiffness", contact.stiffness);
  // Those of another type are kept for when there is one.
  reader.number("cubicStiffness", "contact.cubicStiffness", contact.cubicStiffness);
  reader.number("distance", "contact.distance", contact.distance);
  reader.number("slip", "contact.slip", contact.slip);
  reader.integer("frictionSolves", "contact.frictionSolves", contact.frictionSolves);
  reader.number("friction", "contact.friction", contact.friction);
  reader.number("thickness", "contact.thickness", contact.thickness);
  return contact;
}

void parse_bodies(const Value& bodies, const Known& known, Description& scene) {
  const auto check_count = [&](std::size_t count) {
    if (count > kMostBodies) bodies.fail("has more than 10000 bodies, the most a scene may have");
  };
  if (bodies.is_array() && bodies.size() == 0) bodies.fail("a scene needs at least one body");
  check_count(bodies.size());
  bodies.each([&](const Value& value) {
    for (Body& body : parse_body(value, scene.solver, known)) scene.bodies.push_back(std::move(body));
    check_count(scene.bodies.size());
  });
}

}  // namespace

std::string identifier(const Value& value, const std::string& kind, const std::vector<std::string>& built_ones,
                       const std::vector<std::string>& named_ones) {
  const auto holds = [](const std::vector<std::string>& list, const std::string& name) {
    return std::find(list.begin(), list.end(), name) != list.end();
  };
  const std::string name = value.text();
  if (holds(built_ones, name)) return name;
  if (holds(named_ones, name)) {
    value.fail(in_quotes(name) + " is not in this version, which has " + either(built_ones));
  }
  value.fail(
      "unknown " + kind + " " + in_quotes(name) +
      (nearest(name, built_ones).empty() ? "; known are " + either(built_ones) : did_you_mean(name, built_ones)));
}

std::vector<EnergyPiece> parse_energy(const Value& wish) {
  std::vector<EnergyPiece> pieces;
  wish.each([&](const Value& value) {
    if (pieces.size() >= kMostEnergyPieces) value.fail("is one too many; a wish has at most 10000 pieces");
    const EnergyPiece piece = parse_piece(value);
    if (!pieces.empty() && piece.from <= pieces.back().from)
      value.fail("begins no later than the piece before it; pieces stand in the order of time");
    pieces.push_back(piece);
  });
  return pieces;
}

void check_energy(const std::vector<EnergyPiece>& pieces) {
  Document document;
  document.root = owned(to_json(pieces));
  document.name = "energy";
  (void)parse_energy(Value(document, *document.root));
}

Description parse(const Document& document, const Known& known) {
  Description description;
  const Value root(document, *document.root);
  if (!root.is_object()) root.fail_type("an object, as in { \"rebound\": 1, \"bodies\": [ ... ] }");
  root.object([&](Reader& scene) {
    check_format(scene);
    if (const auto schema = scene.find("$schema")) schema->text();  // for editors
    scene.text("name", description.name);
    scene.text("summary", description.summary);
    scene.number("timeStep", "timeStep", description.timeStep);
    scene.integer("substeps", "substeps", description.substeps);
    scene.number("runaway", "runaway", description.runaway);
    scene.integer("frames", "frames", description.frames);
    scene.vector("gravity", "gravity", description.gravity);
    scene.object("wind", [&](Reader& reader) { description.wind = parse_wind(reader); });
    scene.object("integrator", [&](Reader& reader) { description.integrator = parse_integrator(reader, known); });
    bool names_solver = false;
    scene.object("solver", [&](Reader& reader) {
      names_solver = reader.find("type").has_value();
      description.solver = parse_solver(reader, known);
    });
    scene.object("damping", [&](Reader& reader) { description.damping = parse_damping(reader, known); });
    const auto obstacles = scene.find("obstacles");
    if (obstacles) parse_obstacles(*obstacles, description);
    if (const auto energy = scene.find("energy")) description.energy = parse_energy(*energy);
    scene.object("contact", [&](Reader& reader) { description.contact = parse_contact(reader); });
    // A barrier, and contacts that are cubic, want Hessians; where nobody has asked for another solver, they have one
    // that takes them.
    const bool is_cubic =
        description.contact.is_cubic() || std::any_of(description.obstacles.begin(), description.obstacles.end(),
                                                      [](const Obstacle& obstacle) { return obstacle.is_cubic(); });
    if ((description.contact.is_barrier() || is_cubic) && !names_solver) description.solver.type = "newton";
    // So do rods and wires.
    const auto bodies = scene.find("bodies");
    if (!names_solver && bodies && bodies->is_array())
      bodies->each([&](const Value& body) {
        if (body.is_object() && body.find("constraints")) description.solver.type = "newton";
      });
    if (obstacles) check_obstacles(*obstacles, description);
    parse_bodies(scene.required("bodies", "a list of what moves"), known, description);
    if (const auto fault = hard_constraint_fault(description, description.integrator.type, description.solver.type))
      bodies->fail(*fault);
  });
  return description;
}

Description read_scene(const std::filesystem::path& file, const Known& known) {
  Description description = parse(load_document(file), known);
  description.file = file;
  name_after_file(description);
  return description;
}

void check(const Description& description) {
  const std::string name = description.name.empty() ? "scene" : one_line(description.name, 200);
  (void)parse({owned(to_json(description)), "", name, {}, {}, 1});
}

void name_after_file(Description& description) {
  if (description.name.empty()) description.name = readable(description.file.stem().string());
}

Description parse_scene(std::string_view text, const std::string& name_for_messages,
                        const std::filesystem::path& base_folder, const Known& known) {
  return parse(parse_document(std::string(text), name_for_messages, base_folder), known);
}

}  // namespace rebound::scene
