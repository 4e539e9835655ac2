// The system matrices of a model, M + coefficient L, factored once each, with grabs, the latest pins and
// the contacts on top.
//
// A step that finds its matrix missing waits until it is factored. Nobody has to wait: missing() says what will be
// wanted, its run() makes it on any thread while the cache serves, and adopt() takes it over between two steps.
#pragma once

#include <atomic>
#include <map>
#include <memory>

#include "sim/base/workers.hpp"
#include "sim/step/low_rank.hpp"
#include "sim/step/system_matrix.hpp"

namespace rebound::sim {

/// System: SystemMatrix or FloatSystem.
template <class System>
class SystemCache {
 public:
  using Analysis = typename System::Analysis;
  /// Other coefficients come from other time steps; a slider that is dragged must not pile them up.
  static constexpr std::size_t kMostSystems = 6;

  /// Systems that are made apart from their cache.
  class Missing {
   public:
    /// Any thread. Ends early, with nothing of use, once *cancel is true.
    void run(Workers& workers, const std::atomic<bool>* cancel, FactorCache* cache) {
      for (const double coefficient : coefficients_) {
        if (cancel != nullptr && *cancel) return;
        const SparseMatrix A = system_matrix(model_.M, factored_, *L_, coefficient);
        workers.pause();
        System& system = systems_.try_emplace(coefficient, *analysis_, A, coefficient, workers, cache).first->second;
        if (system.ok()) system.set_held(model_, factored_, workers);
      }
    }

   private:
    friend class SystemCache;
    Model model_;
    std::shared_ptr<const Analysis> analysis_;
    std::shared_ptr<const SparseMatrix> L_;
    std::vector<std::uint8_t> factored_;
    std::vector<double> wanted_, coefficients_;  ///< all, and those that the cache has not
    std::map<double, System> systems_;
  };

  /// Analyses the model's pattern unless `analysis` is of it. L: of the model; null: it is worked out. The model must
  /// outlive this; its masses and elements must stay as they are.
  SystemCache(const Model& model, std::shared_ptr<const Analysis> analysis,
              std::shared_ptr<const SparseMatrix> L = nullptr, FactorCache* cache = nullptr)
      : model_(model),
        L_(L ? std::move(L) : std::make_shared<const SparseMatrix>(model.laplacian())),
        analysis_(analysis && analysis->is_of(*L_) ? std::move(analysis) : System::analyse(*L_, cache)),
        factored_(model.fixed) {}

  const std::shared_ptr<const Analysis>& analysis() const { return analysis_; }
  /// L, lower triangle.
  const std::shared_ptr<const SparseMatrix>& laplacian() const { return L_; }

  /// The matrix for `coefficient` = c gamma^2 h^2 (s^2), factored on first use; null if it cannot be factored.
  System* find(double coefficient, Workers& workers) {
    auto it = systems_.find(coefficient);
    if (it == systems_.end()) {
      if (systems_.size() >= kMostSystems) systems_.clear();
      const SparseMatrix A = system_matrix(model_.M, factored_, *L_, coefficient);
      it = systems_.try_emplace(coefficient, *analysis_, A, coefficient, workers).first;
      if (it->second.ok()) {
        it->second.set_held(model_, factored_, workers);
        recall(coefficient, it->second);
      }
    }
    if (!it->second.ok()) return nullptr;
    it->second.set_laplacian(*L_);
    // Else contacts are another system's business.
    if (!model_.contacts.crowded()) it->second.set_contacts(model_, workers);
    return &it->second;
  }

  /// The model's grabs or pins are others. Beyond what low rank can do, the factors are forgotten.
  void held_changed(Workers& workers) {
    if (!LowRank::can_reach(factored_, model_.fixed)) {
      factored_ = model_.fixed;
      systems_.clear();
    }
    for (auto& [coefficient, system] : systems_)
      if (system.ok()) system.set_held(model_, factored_, workers);
  }

  /// The fixed vertices that the factors have; pins that came later lie on top.
  const std::vector<std::uint8_t>& factored() const { return factored_; }
  /// The model's grabs and pins are others, and the factors have to have these fixed vertices, from which the model's
  /// can be reached: the ones that they had when the model was like this before.
  void restore_rounding(const std::vector<std::uint8_t>& factored, Workers& workers) {
    if (factored != factored_) {
      factored_ = factored;
      systems_.clear();
    }
    held_changed(workers);
  }

  /// What a step with these coefficients would have to factor if the model's pins were those of `next`, which may
  /// differ in nothing else; null if nothing.
  std::unique_ptr<Missing> missing(const Model& next, std::span<const double> coefficients) const {
    auto found = std::make_unique<Missing>();
    const bool anew = !LowRank::can_reach(factored_, next.fixed);
    for (const double coefficient : coefficients)
      if (anew || !systems_.contains(coefficient)) found->coefficients_.push_back(coefficient);
    if (found->coefficients_.empty()) return nullptr;
    found->model_ = next;
    found->wanted_.assign(coefficients.begin(), coefficients.end());
    found->analysis_ = analysis_;
    found->L_ = L_;
    found->factored_ = anew ? next.fixed : factored_;
    return found;
  }

  /// Takes over what was made; the model must have the pins that it was made for, and no other may have been adopted
  /// since it was asked for. What is left behind is what is not needed any more.
  void adopt(Missing& made, Workers& workers) {
    if (made.factored_ == factored_) made.systems_.merge(systems_);
    factored_.swap(made.factored_);
    systems_.swap(made.systems_);
    if (systems_.size() > kMostSystems) {
      made.systems_.swap(systems_);
      for (const double coefficient : made.wanted_) systems_.insert(made.systems_.extract(coefficient));
    }
    held_changed(workers);
  }

  void let_go() {
    systems_.clear();
    recalled_.clear();
  }

  ContactKnowledge contact_knowledge() const {
    ContactKnowledge knowledge = recalled_;
    for (const auto& [coefficient, system] : systems_)
      if (system.ok() && !system.known_contacts().empty()) knowledge[coefficient] = system.known_contacts();
    return knowledge;
  }
  void recall(const ContactKnowledge& knowledge) {
    recalled_ = knowledge;
    for (auto& [coefficient, system] : systems_)
      if (system.ok()) recall(coefficient, system);
  }

  double nonzeros() const {
    double total = 0;
    for (const auto& [coefficient, system] : systems_) total += system.nonzeros();
    return total;
  }

 private:
  void recall(double coefficient, System& system) {
    auto knowledge = recalled_.extract(coefficient);
    system.know_contacts(knowledge.empty() ? std::vector<int>() : std::move(knowledge.mapped()));
  }

  const Model& model_;
  std::shared_ptr<const SparseMatrix> L_;
  std::shared_ptr<const Analysis> analysis_;
  std::vector<std::uint8_t> factored_;  ///< the fixed vertices that the factors have
  std::map<double, System> systems_;
  ContactKnowledge recalled_;  ///< of matrices that are not made yet
};

}  // namespace rebound::sim
