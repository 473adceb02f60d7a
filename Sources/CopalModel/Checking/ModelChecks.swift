/// The checks of a model. They are independent of each other, and each reports everything it finds.
enum ModelChecks {
  private static let all: [@Sendable (ModelDraft, inout ProblemList) -> Void] = [
    NameCheck.run, NameClashCheck.run, ClassNameCheck.run, ImportCheck.run, RenamingCheck.run,
    KeyPlacementCheck.run, TransformableCheck.run, CasesCheck.run, RangeCheck.run, PatternCheck.run,
    DefaultCheck.run, ConversionCheck.run, RemovalCheck.run, MergeCheck.run, DependencyCheck.run,
    IndexCheck.run,
    InheritanceCheck.run,
    RedeclarationCheck.run, AttributeCountCheck.run, DestinationCheck.run, InverseCheck.run,
    OrphanCheck.run, SortCheck.run, FetchRequestCheck.run,
  ]

  static func run(on model: ModelDraft, _ problems: inout ProblemList) {
    for check in all where !problems.isFull { check(model, &problems) }
  }
}
