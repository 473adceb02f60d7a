import CopalPatterns

/// Checks that every pattern can be compiled.
enum PatternCheck {
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
