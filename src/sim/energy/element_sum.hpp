// A sum over elements on all workers, and what is like it, in an order that does not depend on their number.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "sim/base/workspace.hpp"
#include "sim/energy/element_field.hpp"

namespace rebound::sim {

inline int element_tasks(std::size_t elements, int a_task) {
  return (static_cast<int>(elements) + a_task - 1) / a_task;
}

/// The sum of visit(task) over task = 0 ... tasks - 1.
template <class Visit>
double sum_tasks(int tasks, Workspace& work, const Visit& visit) {
  const auto sums = work.partial_sums(static_cast<std::size_t>(tasks));
  work.workers.run(tasks, [&](int task) { sums[static_cast<std::size_t>(task)] = visit(task); });
  return std::accumulate(sums.begin(), sums.end(), 0.0);
}

/// The sum of visit(e) over e = 0 ... elements - 1, `a_task` of them one after the other.
template <class Visit>
double sum_elements(std::size_t elements, int a_task, Workspace& work, const Visit& visit) {
  return sum_tasks(element_tasks(elements, a_task), work, [&](int task) {
    const std::size_t first = static_cast<std::size_t>(task) * static_cast<std::size_t>(a_task);
    const std::size_t end = std::min(elements, first + static_cast<std::size_t>(a_task));
    double total = 0;
    for (std::size_t e = first; e < end; ++e) total += visit(e);
    return total;
  });
}

/// The least of `most` and of what visit(e, least so far) returns for e = 0 ... elements - 1.
template <class Visit>
double least_of_elements(std::size_t elements, int a_task, double most, Workspace& work, const Visit& visit) {
  const int tasks = element_tasks(elements, a_task);
  const auto by_task = work.partial_sums(static_cast<std::size_t>(tasks));
  work.workers.run(tasks, [&](int task) {
    const std::size_t first = static_cast<std::size_t>(task) * static_cast<std::size_t>(a_task);
    const std::size_t end = std::min(elements, first + static_cast<std::size_t>(a_task));
    double least = most;
    for (std::size_t e = first; e < end; ++e) least = std::min(least, visit(e, least));
    by_task[static_cast<std::size_t>(task)] = least;
  });
  return std::accumulate(by_task.begin(), by_task.end(), most, [](double a, double b) { return std::min(a, b); });
}

/// Appends as many fields as elements, those that field(e) makes.
template <class Field>
void append_fields(std::size_t elements, std::vector<ElementField>& fields, Workspace& work, const Field& field) {
  constexpr std::size_t kATask = 256;
  const std::size_t before = fields.size();
  fields.resize(before + elements);
  work.workers.run(element_tasks(elements, kATask), [&](int task) {
    const std::size_t first = static_cast<std::size_t>(task) * kATask, end = std::min(elements, first + kATask);
    for (std::size_t e = first; e < end; ++e) fields[before + e] = field(e);
  });
}

}  // namespace rebound::sim
