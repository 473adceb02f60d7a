import CopalPatterns

/// Checks that a transformable has a class, and a transformer unless it is transient.
enum TransformableCheck {
  @inline(never)
  static func run(on model: ModelDraft, _ problems: inout ProblemList) {
    for entity in model.entities {
      for attribute in entity.attributes where attribute.description.type == .transformable {
        let position = attribute.member.position(of: "type")
        if attribute.member.member("class") == nil, model.namesAreComplete {
          problems.add(.missingClass, at: position, subject: attribute.subject)
        }
        if attribute.member.member("transformer") == nil, model.namesAreComplete,
          !attribute.description.isTransient
        {
          problems.add(.missingTransformer, at: position, subject: attribute.subject)
        }
      }
    }
  }
}

/// Checks that every pattern can be compiled.
enum PatternCheck {
  @inline(never)
  static func run(on model: ModelDraft, _ problems: inout ProblemList) {
    var positions = JSONStringPositions(model.text)
    for entity in model.entities {
      for attribute in entity.attributes {
        guard let pattern = attribute.description.rules.pattern,
          let problem = TextPattern.problem(in: pattern)
        else { continue }
        let start = attribute.member.position(of: "pattern")
        problems.add(
          .invalidPattern, at: positions.position(ofByte: problem.offset, inStringAt: start),
          subject: attribute.subject, found: problem.found, expected: problem.expected)
      }
    }
  }
}

/// Checks that the stored attributes of an entity and of all its subentities, with the forms of
/// their `search` and the projections of `project`, fit into one table, which has the name of the
/// entity without a parent.
///
/// A table can have 2,000 columns; ten of them are reserved for Copal's own. See
/// <https://www.sqlite.org/limits.html>.
enum AttributeCountCheck {
  static let maximumCount = 1990

  @inline(never)
  static func run(on model: ModelDraft, _ problems: inout ProblemList) {
    var counts = [Int](repeating: 0, count: model.entities.count)
    for (index, entity) in model.entities.enumerated() {
      // An unknown parent and a cycle are reported by another check.
      guard let ancestors = model.ancestors(of: index) else { continue }
      counts[ancestors.last ?? index] += entity.description.storedAttributes.reduce(0) {
        $0 + 1 + $1.search.count + $1.projections.count
      }
    }
    for (index, count) in counts.enumerated() where count > maximumCount {
      let entity = model.entities[index]
      problems.add(
        .tooManyAttributes, at: entity.member.position, subject: entity.name,
        found: "\(count)", expected: "\(maximumCount)")
    }
  }
}
