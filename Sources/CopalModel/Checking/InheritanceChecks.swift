import CopalEssentials

/// Checks that every parent exists, that no entity inherits from itself, and that no entity has too
/// many ancestors.
enum InheritanceCheck {
  @inline(never)
  static func run(on model: ModelDraft, _ problems: inout ProblemList) {
    for entity in model.entities {
      guard let parent = entity.description.parent, model.index(of: parent) == nil,
        model.namesAreComplete
      else { continue }
      let suggestion = problems.nearest(to: parent, among: model.entityNames)
      problems.add(
        .unknownParent, at: entity.member.position(of: "parent"), subject: entity.name,
        found: parent, suggestion: suggestion)
    }
    let parents = model.entities.map { $0.description.parent.flatMap { model.index(of: $0) } }
    let cycles = Cycles.find(count: parents.count) { parents[$0].map { [$0] } ?? [] }
    for cycle in cycles {
      guard let first = cycle.first.map({ model.entities[$0] }) else { continue }
      let names = (cycle + cycle.prefix(1)).lazy.map { model.entities[$0].name }
      problems.add(
        .inheritanceCycle, at: first.member.position(of: "parent"), subject: first.name,
        found: Cycles.text(names))
    }
    checkDepth(of: model, parents: parents, &problems)
  }

  /// Reports the first entity of each line of inheritance that has one ancestor too many.
  @inline(never)
  private static func checkDepth(
    of model: ModelDraft, parents: [Int?], _ problems: inout ProblemList
  ) {
    // From the roots down. A cycle has no root, so it is skipped; another check reports it.
    var children = [[Int]](repeating: [], count: parents.count)
    for (child, parent) in parents.enumerated() {
      if let parent { children[parent].append(child) }
    }
    var generation = parents.indices.filter { parents[$0] == nil }
    for _ in 0..<ModelDraft.maximumAncestorCount {
      generation = generation.flatMap { children[$0] }
    }
    for index in generation.flatMap({ children[$0] }).inOrder() {
      let entity = model.entities[index]
      problems.add(
        .inheritanceTooDeep, at: entity.member.position(of: "parent"), subject: entity.name,
        expected: "\(ModelDraft.maximumAncestorCount)")
    }
  }
}

/// Checks that an entity does not declare a property that an ancestor has. Names are
/// case-insensitive.
enum RedeclarationCheck {
  @inline(never)
  static func run(on model: ModelDraft, _ problems: inout ProblemList) {
    let names = model.entities.map { entity in
      Dictionary(
        entity.properties.map { (SwiftIdentifier.caseless($0.key), $0) },
        uniquingKeysWith: { first, _ in first })
    }
    for (index, entity) in model.entities.enumerated() {
      guard let ancestors = model.ancestors(of: index), !ancestors.isEmpty else { continue }
      for property in entity.properties {
        let caseless = SwiftIdentifier.caseless(property.key)
        guard let ancestor = ancestors.first(where: { names[$0][caseless] != nil }),
          let first = names[ancestor][caseless]
        else { continue }
        problems.add(
          .redeclaredProperty, at: property.position, subject: entity.name,
          found: property.key,
          expected: "\(model.entities[ancestor].name.asSubject) (line \(first.position.line))")
      }
    }
  }
}
