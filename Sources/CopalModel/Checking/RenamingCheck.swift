/// Checks that each old name (`renamedFrom`) is used once, and differs from the new name.
enum RenamingCheck {
  static func run(on model: ModelDraft, _ problems: inout ProblemList) {
    check(model.entities.map(\.member), subject: "", &problems)
    for entity in model.entities { check(entity.properties, subject: entity.name, &problems) }
  }

  private static func check(
    _ members: [JSONMember], subject: String, _ problems: inout ProblemList
  ) {
    var first: [String: String] = [:]
    for member in members {
      guard let node = member.value["renamedFrom"], case .string(let oldName) = node.kind else {
        continue
      }
      let full = subject.isEmpty ? member.key : subject.asSubject + "." + member.key
      if oldName == member.key {
        problems.add(
          .invalidRenaming, at: node.position, subject: full, found: oldName,
          expected: "an old name that differs from the new one")
      } else if let other = first[oldName] {
        problems.add(
          .invalidRenaming, at: node.position, subject: full, found: oldName,
          expected: "an old name that is used once, and '\(other)' uses it too")
      } else {
        first[oldName] = member.key
      }
    }
  }
}
