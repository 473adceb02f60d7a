/// Checks the former names (`renamedFrom`): each is in one list of the entities, or of the
/// properties of an entity and its ancestors; none is the name itself; and no two things have each
/// other's name.
enum RenamingCheck {
  static func run(on model: ModelDraft, _ problems: inout ProblemList) {
    check(model.entities.map(\.member), subject: "", beside: [], &problems)
    for (index, entity) in model.entities.enumerated() {
      let inherited = model.family(of: index).dropFirst().flatMap(\.properties)
      check(entity.properties, subject: entity.name, beside: inherited, &problems)
    }
  }

  /// - Parameter others: members of ancestors, which were checked themselves.
  @inline(never)
  private static func check(
    _ members: [JSONMember], subject: String, beside others: [JSONMember],
    _ problems: inout ProblemList
  ) {
    var owners: [String: String] = [:]
    for member in others {
      for name in member.formerNames { owners[name.name] = member.key }
    }
    let cycles = namesInCycles(of: members + others)
    for member in members {
      let full = subject.isEmpty ? member.key : subject.asSubject + "." + member.key
      func report(_ name: LocatedName, expected: String) {
        problems.add(
          .invalidRenaming, at: name.position, subject: full, found: name.name, expected: expected)
      }
      for name in member.formerNames {
        if name.name == member.key {
          report(name, expected: "an old name that differs from the new one")
        } else if let other = owners.updateValue(member.key, forKey: name.name) {
          report(
            name,
            expected: other == member.key
              ? "each old name once"
              : "an old name that is used once, and '\(other)' uses it too")
        } else if cycles.contains(member.key), cycles.contains(name.name) {
          report(
            name,
            expected:
              "no exchange of names: rename one of them to a third name in a version between")
        }
      }
    }
  }

  /// The names that lead back to themselves: `a`, renamed from `b`, which is renamed from `a`.
  @inline(never)
  private static func namesInCycles(of members: [JSONMember]) -> Set<String> {
    let former = Dictionary(
      members.map { ($0.key, $0.formerNames.map(\.name)) }, uniquingKeysWith: { first, _ in first })
    return Set(
      former.keys.filter { start in
        var seen: Set<String> = []
        var next = former[start] ?? []
        while let name = next.popLast() {
          if name == start { return true }
          if seen.insert(name).inserted { next += former[name] ?? [] }
        }
        return false
      })
  }
}

extension JSONMember {
  /// The names of `renamedFrom`, with their positions.
  var formerNames: [LocatedName] {
    guard let node = value["renamedFrom"] else { return [] }
    let names: [JSONNode]
    if case .array(let elements) = node.kind { names = elements } else { names = [node] }
    return names.compactMap { node in
      guard case .string(let name) = node.kind else { return nil }
      return LocatedName(name: name, position: node.position)
    }
  }
}
