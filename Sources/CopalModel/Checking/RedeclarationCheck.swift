/// Checks that an entity does not declare a property that an ancestor has. Names are
/// case-insensitive.
enum RedeclarationCheck {
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
