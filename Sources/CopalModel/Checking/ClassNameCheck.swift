/// Checks that class names are unique, and that no class hides a type that generated code uses.
enum ClassNameCheck {
  static func run(on model: ModelDraft, _ problems: inout ProblemList) {
    var first: [String: EntityDraft] = [:]
    for entity in model.entities {
      let name = entity.description.className
      let position = entity.member.member("class")?.value.position ?? entity.member.position
      if ReservedNames.generatedTypes.contains(name), !ReservedNames.notIdentifiers.contains(name) {
        let free = [name + "Object", name + "Entity"].first {
          !ReservedNames.generatedTypes.contains($0)
        }
        problems.add(
          .hidingClass, at: position, subject: entity.name, found: name, expected: free ?? "")
      }
      // Compared in lower case: each class becomes a file, and some file systems ignore case.
      let caseless = SwiftIdentifier.caseless(name)
      guard let other = first.updateValue(first[caseless] ?? entity, forKey: caseless) else {
        continue
      }
      // Entities whose own names clash are reported as such.
      guard SwiftIdentifier.caseless(entity.name) != SwiftIdentifier.caseless(other.name) else {
        continue
      }
      problems.add(
        .duplicateClass, at: position, subject: entity.name, found: name, expected: other.name)
    }
  }
}
