#include "session/tables.hpp"

#include "session/output_file.hpp"

namespace rebound::session {

std::string ledger_header() {
  return "frame,time,kinetic,elastic,gravity,attachment,contact,total,target,added,dissipated,blend,px,py,pz,lx,ly,lz,"
         "iterations,step_ms,added_user,added_motion,added_edit,added_guard,dissipated_damping,dissipated_friction,"
         "dissipated_unresolved,scale,converged,wish,alpha,visible_kinetic,shiver,added_left,residual,added_wind,"
         "constraint_force,constraint_drift,constraint_work,last_correction,in_ripples\n";
}

std::string ledger_row(const FrameRecord& r) {
  std::string row;
  append_number(row, r.frame);
  const auto column = [&row](auto value) {
    row += ',';
    append_number(row, value);
  };
  const auto& m = r.measured;
  for (const double value : {r.time, m.kinetic, m.elastic, m.gravity, m.attachment, m.contact, m.total(), r.target,
                             r.added_total(), r.dissipated_total()})
    column(value);
  row += ',';
  if (r.blend) append_number(row, *r.blend);
  for (const double value : {m.p.x(), m.p.y(), m.p.z(), m.l.x(), m.l.y(), m.l.z()}) column(value);
  column(static_cast<std::int64_t>(r.iterations));
  column(r.step_ms);
  for (const auto cause : {sim::Added::user, sim::Added::motion, sim::Added::edit, sim::Added::guard})
    column(r.added[static_cast<std::size_t>(cause)]);
  for (const double value : r.dissipated) column(value);
  column(r.scale);
  column(static_cast<std::int64_t>(r.converged));
  column(r.added[static_cast<std::size_t>(sim::Added::wish)]);
  row += ',';
  if (r.alpha) append_number(row, *r.alpha);
  row += ',';
  if (r.seen) append_number(row, r.seen->kinetic);
  row += ',';
  if (r.seen) append_number(row, r.seen->shiver);
  column(r.left);
  row += ',';
  if (r.residual) append_number(row, *r.residual);
  column(r.added[static_cast<std::size_t>(sim::Added::wind)]);
  for (const double value : {r.constraint_force.value_or(0), r.constraint_drift, r.constraint_work}) {
    row += ',';
    if (r.constraint_force) append_number(row, value);
  }
  row += ',';
  if (r.last_correction) append_number(row, *r.last_correction);
  column(r.in_ripples);
  row += '\n';
  return row;
}

std::string states_header() { return "frame,body,vertex,x,y,z,vx,vy,vz\n"; }

std::string solves_header() { return "frame,solve,iteration,objective,gradient,alpha,cg\n"; }

std::string solves_rows(const Session& session) {
  std::string rows;
  const std::string frame = std::to_string(session.frame());
  for (const sim::SolveIterate& iterate : session.solves()) {
    rows += frame + ',' + std::to_string(iterate.solve) + ',' + std::to_string(iterate.iteration);
    for (const double value : {iterate.objective, iterate.gradient, iterate.alpha}) append_number(rows += ',', value);
    rows += ',' + std::to_string(iterate.cg) + '\n';
  }
  return rows;
}

std::string constraints_header() { return "frame,constraint,kind,body,vertex,other,force,drift\n"; }

std::string constraints_rows(const Session& session) {
  std::string rows;
  const sim::Model& model = session.model();
  const std::string frame = std::to_string(session.frame());
  const auto forces = session.constraint_forces();
  for (std::size_t c = 0; c < forces.size(); ++c) {
    const sim::Constraint& constraint = *model.constraints[c];
    const auto vertices = constraint.vertices();
    std::size_t body = 0;
    while (vertices[0] >= model.bodies[body].first + model.bodies[body].count) ++body;
    rows += frame + ',' + std::to_string(c) + ',' + std::string(constraint.kind()) + ',' + std::to_string(body);
    rows += ',' + std::to_string(vertices[0] - model.bodies[body].first) + ',';
    if (vertices.size() > 1) rows += std::to_string(vertices[1] - model.bodies[body].first);
    for (const double value : {forces[c].force, forces[c].error}) append_number(rows += ',', value);
    rows += '\n';
  }
  return rows;
}

std::string states_rows(const Session& session) {
  std::string rows;
  const std::string frame = std::to_string(session.frame());
  for (std::size_t body = 0; body < session.model().bodies.size(); ++body) {
    const auto [first, count] = session.model().bodies[body];
    const scene::BodyGeometry& geometry = session.world().bodies[body];
    const sim::Points x = geometry.numbered_at(session.state().x.middleRows(first, count));
    const sim::Points v = geometry.numbered_at(session.state().v.middleRows(first, count));
    for (Eigen::Index i = 0; i < x.rows(); ++i) {
      rows += frame + ',' + std::to_string(body) + ',' + std::to_string(i);
      for (int c = 0; c < 3; ++c) append_number(rows += ',', x(i, c));
      for (int c = 0; c < 3; ++c) append_number(rows += ',', v(i, c));
      rows += '\n';
    }
  }
  return rows;
}

}  // namespace rebound::session
