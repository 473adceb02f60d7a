/// Every import is one that Swift takes, once.
enum ImportCheck {
  static func run(on model: ModelDraft, _ problems: inout ProblemList) {
    var seen: Set<String> = []
    for name in model.imports {
      if name.name.utf8.count > NameCheck.pathLengthMax {
        problems.add(
          .modelNameTooLong, at: name.position, key: "imports", found: "\(name.name.utf8.count)",
          expected: "\(NameCheck.pathLengthMax)")
      } else if ImportText(name.name) == nil {
        problems.add(.modelInvalidImport, at: name.position, key: "imports", found: name.name)
      } else if !seen.insert(name.name).inserted {
        problems.add(.modelRepeatedName, at: name.position, key: "imports", found: name.name)
      }
    }
  }
}
