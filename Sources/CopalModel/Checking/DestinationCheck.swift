/// Checks that the destination of every relationship is an entity of the model.
enum DestinationCheck {
  static func run(on model: ModelDraft, _ problems: inout ProblemList) {
    guard model.namesAreComplete else { return }
    for entity in model.entities {
      for relationship in entity.relationships where relationship.typeIsKnown {
        let destination = relationship.description.destination
        guard model.index(of: destination) == nil else { continue }
        let suggestion = problems.nearest(to: destination, among: model.entityNames)
        problems.add(
          .unknownDestination, at: relationship.member.position(of: "type"),
          subject: relationship.subject, found: destination, suggestion: suggestion)
      }
    }
  }
}
