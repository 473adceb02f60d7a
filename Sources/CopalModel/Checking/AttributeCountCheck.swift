/// Checks that the stored attributes of an entity, with the inherited ones, fit into one table.
///
/// SQLite allows 2,000 columns; ten of them are reserved for Copal's own. See
/// <https://www.sqlite.org/limits.html>.
enum AttributeCountCheck {
  static let maximumCount = 1990

  static func run(on model: ModelDraft, _ problems: inout ProblemList) {
    let counts = model.entities.map { $0.description.storedAttributes.count }
    for (index, entity) in model.entities.enumerated() {
      let inherited = (model.ancestors(of: index) ?? []).reduce(0) { $0 + counts[$1] }
      let count = counts[index] + inherited
      guard count > maximumCount else { continue }
      problems.add(
        .tooManyAttributes, at: entity.member.position, subject: entity.name,
        found: "\(count)", expected: "\(maximumCount)")
    }
  }
}
