import BenchKit

// Workloads whose cost must grow only with their result and changes; see `GrowthWorkload`.
growthProgram(fill: fill) { workload, size, file, budget in
  switch workload {
  case .countPending: try countPending(size, file, budget)
  case .idsPending: try idsPending(size, file, budget)
  case .limitPending: try limitPending(file, budget)
  case .findOrCreate: try findOrCreate(size, file, budget)
  case .besidePending: try besidePending(size, file, budget)
  case .limitBesideChanges: try limitBesideChanges(file, budget)
  case .countBesideChanges: try countBesideChanges(file, budget)
  case .batchBesideObjects: try batchBesideObjects(file, budget)
  case .undoBesideObjects: try undoBesideObjects(file, budget)
  case .becoming: try becoming(size, file, budget)
  case .idAfterTurns: try idAfterTurns(pairs: size, file, budget)
  case .range: try range(size, file, budget)
  case .openModel: try openModel(size, file, budget)
  case .conditionTexts: try conditionTexts(size, budget)
  case .memoryUnsaved: try memoryUnsaved(size, file, budget)
  case .memorySaved: try memorySaved(size, file, budget)
  case .memoryTurns: try memoryTurns(size, file, budget)
  }
}
