/// Checks the lists of what was removed: a name is in a list once, and the model has nothing of
/// that name. A transient attribute may have the name of a stored one that was removed.
enum RemovalCheck {
  @inline(never)
  static func run(on model: ModelDraft, _ problems: inout ProblemList) {
    check(model.removed, subject: "", &problems) { name in
      model.index(of: name) == nil ? nil : "an entity of this name"
    }
    for (index, entity) in model.entities.enumerated() {
      let family = model.family(of: index)
      check(entity.removed, subject: entity.name, &problems) { name in
        family.lazy.compactMap { owner(of: name, $0, isItself: $0.name == entity.name) }.first
      }
    }
  }

  private static func owner(of name: String, _ entity: EntityDraft, isItself: Bool) -> String? {
    if let attribute = entity.attribute(name), attribute.description.isTransient { return nil }
    guard entity.properties.contains(where: { $0.key == name }) else { return nil }
    return isItself ? "a property of this name" : "a property of this name in \(entity.name)"
  }

  @inline(never)
  private static func check(
    _ names: [LocatedName], subject: String, _ problems: inout ProblemList,
    isKept: (String) -> String?
  ) {
    var known: Set<String> = []
    for name in names {
      if !known.insert(name.name).inserted {
        problems.add(
          .repeatedName, at: name.position, subject: subject, key: "removed", found: name.name)
      } else if let kept = isKept(name.name) {
        problems.add(
          .invalidRemoval, at: name.position, subject: subject, found: name.name, expected: kept)
      }
    }
  }
}
