/// Every import names a module, once.
enum ImportCheck {
  static func run(on model: ModelDraft, _ problems: inout ProblemList) {
    var seen: Set<String> = []
    for module in model.imports {
      if !SwiftIdentifier.isValidPath(module.name) {
        problems.add(
          .modelInvalidImport, at: module.position, key: "imports", found: module.name)
      } else if !seen.insert(module.name).inserted {
        problems.add(
          .modelRepeatedName, at: module.position, key: "imports", found: module.name)
      }
    }
  }
}
