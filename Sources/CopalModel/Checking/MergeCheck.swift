/// Checks the lists `merges`: the model has no entity of the name, which is in one list once, and
/// in no list of former or removed names.
enum MergeCheck {
  @inline(never)
  static func run(on model: ModelDraft, _ problems: inout ProblemList) {
    let former = Dictionary(
      model.entities.flatMap { entity in
        entity.member.formerNames.map { ($0.name, entity.name) }
      }, uniquingKeysWith: { first, _ in first })
    let removed = Set(model.removed.map(\.name))
    var owners: [String: String] = [:]
    for entity in model.entities {
      for name in entity.merges {
        if owners[name.name] == entity.name {
          problems.add(
            .repeatedName, at: name.position, subject: entity.name, key: "merges", found: name.name)
          continue
        }
        let reason: String? =
          if model.index(of: name.name) != nil {
            "the model has an entity of this name"
          } else if let other = owners.updateValue(entity.name, forKey: name.name) {
            "\(other) merges it, too"
          } else if let other = former[name.name] {
            "\(other) is renamed from it"
          } else if removed.contains(name.name) {
            "the model lists it as removed"
          } else {
            nil
          }
        if let reason {
          problems.add(
            .invalidMerge, at: name.position, subject: entity.name, found: name.name,
            expected: reason)
        }
      }
    }
  }
}
