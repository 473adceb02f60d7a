import CopalEssentials

/// Reads a model file in steps: text, tree, drafts, checks, model.
///
/// Each step continues with what the step before it could read, so that one run reports every
/// problem. What a step could not read is left out of the next one, so that no problem is reported
/// twice.
struct ModelReader {
  var problems: ProblemList
  let text: [UInt8]
  /// The names of the file's entities: a person may have written one as the type of an attribute.
  private(set) var entityNames: Set<String> = []

  init(problems: ProblemList, text: [UInt8]) {
    self.problems = problems
    self.text = text
  }

  private static let keys = [
    "$schema", "copal", "model", "version", "imports", "access", "doc", "userInfo", "removed",
    "entities",
  ]

  @inline(never)
  mutating func readModel(_ root: JSONNode, namesAreComplete: Bool) -> ModelDraft? {
    guard let fields = fields(of: root, subject: "", expected: "an object") else { return nil }
    guard readFormat(fields) else { return nil }
    checkKeys(of: fields, among: Self.keys, later: ["step"])
    _ = text("$schema", in: fields)
    requireKeys(["model", "entities"], in: fields, namesAreComplete: namesAreComplete)
    var entities: [EntityDraft] = []
    if let node = fields["entities"],
      let members = self.fields(of: node, subject: "", key: "entities", expected: "an object")?
        .members
    {
      entityNames = Set(members.map(\.key))
      entities = members.map { readEntity($0, namesAreComplete: namesAreComplete) }
    }
    return ModelDraft(
      name: name("model", in: fields), version: whole("version", in: fields, 1...Int.max) ?? 1,
      imports: names("imports", in: fields, of: "modules"),
      access: word("access", in: fields) ?? .internal, documentation: text("doc", in: fields),
      userInfo: userInfo(in: fields), removed: names("removed", in: fields, of: "former entities"),
      entities: entities, text: self.text,
      namesAreComplete: namesAreComplete)
  }

  /// The version of the format that this reader reads.
  static let format = 1

  /// Reads the key `copal`.
  ///
  /// - Returns: whether reading can continue. It cannot for a newer format.
  @inline(never)
  private mutating func readFormat(_ fields: Fields) -> Bool {
    guard let node = fields["copal"] else {
      requireKeys(["copal"], in: fields, namesAreComplete: true)
      return true
    }
    if case .number(let text) = node.kind, let number = DecimalLiteral(text)?.decimal,
      NumberOrder.compare(.decimal(number), .integer(Int64(Self.format))) == 1
    {
      problems.add(
        .newerFormat, at: node.position, found: text, expected: "\(Self.format)")
      return false
    }
    _ = whole("copal", in: fields, Self.format...Self.format)
    return true
  }
}
