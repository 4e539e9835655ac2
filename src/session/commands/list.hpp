// The names of all commands. Each stands with all that is known of it in one of the files beside this one.
#pragma once

#include <variant>

namespace rebound::session {

// hand.hpp
struct Grab;
struct MoveGrab;
struct Release;
// pins.hpp
struct Pin;
struct Unpin;
struct UnpinAll;
struct SetPins;
// method.hpp
struct SetIntegrator;
struct SetBlend;
struct SetUnresolved;
struct SetAlpha;
struct SetRho;
struct SetModes;
struct SetEnergy;
struct SetSolver;
struct SetTimeStep;
struct SetSubsteps;
struct SetDamping;
// world.hpp
struct SetMaterial;
struct SetRegions;
struct SetGravity;
struct SetWind;
struct SetContact;
struct PushApart;
struct Reset;
// obstacles.hpp
struct AddObstacle;
struct RemoveObstacle;
struct SetObstacle;
struct MoveObstacle;

using Command = std::variant<Grab, MoveGrab, Release, Pin, Unpin, UnpinAll, SetPins, SetIntegrator, SetBlend,
                             SetUnresolved, SetAlpha, SetRho, SetModes, SetEnergy, SetSolver, SetTimeStep, SetSubsteps,
                             SetMaterial, SetDamping, SetGravity, SetWind, SetContact, AddObstacle, RemoveObstacle,
                             SetObstacle, MoveObstacle, PushApart, Reset, SetRegions>;

}  // namespace rebound::session
