/// Checks that a transformable has a class, and a transformer unless it is transient.
enum TransformableCheck {
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
