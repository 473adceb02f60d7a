/// Checks that every import is valid Swift and listed once.
enum ImportCheck {
  static func run(on model: ModelDraft, _ problems: inout ProblemList) {
    var seen: Set<String> = []
    for name in model.imports {
      if name.name.utf8.count > NameLimit.path {
        problems.add(
          .nameTooLong, at: name.position, key: "imports", found: "\(name.name.utf8.count)",
          expected: "\(NameLimit.path)")
      } else if ImportText(name.name) == nil {
        problems.add(.invalidImport, at: name.position, key: "imports", found: name.name)
      } else if !seen.insert(name.name).inserted {
        problems.add(.repeatedName, at: name.position, key: "imports", found: name.name)
      }
    }
  }
}
