import CopalEssentials

/// The members of one object of a model file, and the subject they belong to.
struct Fields {
  let node: JSONNode
  let members: [JSONMember]
  /// Such as `Pigment.price`; empty for the model.
  let subject: String

  subscript(key: String) -> JSONNode? { members.first { $0.key == key }?.value }
}

/// A name and its position.
struct LocatedName {
  let name: String
  let position: TextPosition
  /// Whether an index has the values in descending order.
  var isDescending = false
  /// What a unique constraint ignores in the values.
  var ignored: Set<UniqueConstraintDescription.Difference> = []

  /// The name with its direction, or with what is ignored.
  var text: String {
    isDescending
      ? IndexDirection.desc.behind(name)
      : UniqueConstraintDescription.Difference.text(of: ignored, behind: name)
  }
}

/// A list of names, such as the attributes of an index, and its position.
struct NameList {
  let position: TextPosition
  let names: [LocatedName]
}

/// Reads one key. Each function reports problems, and returns `nil` when the key is missing or
/// invalid.
extension ModelReader {
  /// The members of an object; `nil` if the node is something else.
  @inline(never)
  mutating func fields(
    of node: JSONNode, subject: String, key: String = "", expected: String
  ) -> Fields? {
    guard case .object(let members) = node.kind else {
      reportKind(of: node, subject: subject, key: key, expected: expected)
      return nil
    }
    return Fields(node: node, members: members, subject: subject)
  }

  /// - Parameters:
  ///   - reported: keys that the caller has reported in other words.
  ///   - later: keys of the format that this version of Copal does not support.
  @inline(never)
  mutating func checkKeys(
    of fields: Fields, among keys: [String], reported: [String] = [], later: [String] = []
  ) {
    for member in fields.members where later.contains(member.key) {
      problems.add(
        .unsupportedKey, at: member.position, subject: fields.subject, found: member.key)
    }
    for member in fields.members
    where !keys.contains(member.key) && !reported.contains(member.key)
      && !later.contains(member.key)
    {
      let suggestion = problems.nearest(to: member.key, among: keys)
      problems.add(
        .unknownKey, at: member.position, subject: fields.subject, found: member.key,
        expected: keys.joined(separator: ", "), suggestion: suggestion)
    }
  }

  mutating func requireKeys(_ keys: [String], in fields: Fields, namesAreComplete: Bool) {
    for key in keys where namesAreComplete && fields[key] == nil {
      problems.add(
        .missingKey, at: fields.node.position, subject: fields.subject, expected: key)
    }
  }

  mutating func text(_ key: String, in fields: Fields) -> String? {
    guard let node = fields[key] else { return nil }
    guard case .string(let text) = node.kind else {
      reportKind(of: node, subject: fields.subject, key: key, expected: "a string")
      return nil
    }
    return text
  }

  mutating func name(_ key: String, in fields: Fields) -> LocatedName? {
    guard let node = fields[key], let name = text(key, in: fields) else { return nil }
    return LocatedName(name: name, position: node.position)
  }

  mutating func flag(_ key: String, in fields: Fields) -> Bool? {
    guard let node = fields[key] else { return nil }
    guard case .boolean(let flag) = node.kind else {
      reportKind(of: node, subject: fields.subject, key: key, expected: "true or false")
      return nil
    }
    return flag
  }

  /// A keyword: one case of an enumeration.
  mutating func word<Word: RawRepresentable & CaseIterable>(
    _ key: String, in fields: Fields
  ) -> Word? where Word.RawValue == String {
    fields[key].flatMap { word(of: $0, key, in: fields) }
  }

  /// A keyword that is the value of a key, or a part of it.
  mutating func word<Word: RawRepresentable & CaseIterable>(
    of node: JSONNode, _ key: String, in fields: Fields
  ) -> Word? where Word.RawValue == String {
    // Little code is generic: the compiler makes it once for each enumeration.
    word(of: node, key, in: fields, among: Word.allCases.map(\.rawValue)).flatMap {
      Word(rawValue: $0)
    }
  }

  @inline(never)
  private mutating func word(
    of node: JSONNode, _ key: String, in fields: Fields, among words: [String]
  ) -> String? {
    guard case .string(let text) = node.kind else {
      reportKind(of: node, subject: fields.subject, key: key, expected: "a string")
      return nil
    }
    if words.contains(text) { return text }
    let suggestion = problems.nearest(to: text, among: words)
    problems.add(
      .unknownKeyword, at: node.position, subject: fields.subject, key: key, found: text,
      expected: words.joined(separator: ", "), suggestion: suggestion)
    return nil
  }

  @inline(never)
  mutating func whole(_ key: String, in fields: Fields, _ range: ClosedRange<Int>) -> Int? {
    guard let node = fields[key] else { return nil }
    guard case .number(let text) = node.kind else {
      reportKind(of: node, subject: fields.subject, key: key, expected: "a whole number")
      return nil
    }
    if let number = Int(written: text), range.contains(number) { return number }
    let expected =
      switch (range.lowerBound, range.upperBound) {
      case (let lower, .max): "a whole number of \(lower) or more"
      case (let lower, let upper) where lower == upper: "\(lower)"
      case (let lower, let upper): "a whole number from \(lower) to \(upper)"
      }
    problems.add(
      .outOfRange, at: node.position, subject: fields.subject, key: key, found: text,
      expected: expected)
    return nil
  }

  /// An array of names.
  mutating func names(_ key: String, in fields: Fields, of things: String) -> [LocatedName] {
    guard let node = fields[key] else { return [] }
    guard case .array(let elements) = node.kind else {
      reportKind(of: node, subject: fields.subject, key: key, expected: "an array of \(things)")
      return []
    }
    return names(elements, of: key, in: fields, things)
  }

  /// A name, or an array of names.
  @inline(never)
  mutating func nameOrNames(
    _ key: String, in fields: Fields, of things: String
  ) -> [LocatedName] {
    guard let node = fields[key] else { return [] }
    switch node.kind {
    case .string(let name): return [LocatedName(name: name, position: node.position)]
    case .array(let elements): return names(elements, of: key, in: fields, things)
    default:
      reportKind(
        of: node, subject: fields.subject, key: key,
        expected: "the name of one of the \(things), or an array of \(things)")
      return []
    }
  }

  /// The former names of an entity or a property: one, or a list with the newest first.
  @inline(never)
  mutating func formerNames(in fields: Fields) -> [LocatedName] {
    guard let node = fields["renamedFrom"] else { return [] }
    switch node.kind {
    case .string(let name): return [LocatedName(name: name, position: node.position)]
    case .array(let elements): return names(elements, of: "renamedFrom", in: fields, "former names")
    default:
      reportKind(
        of: node, subject: fields.subject, key: "renamedFrom",
        expected: "a name, or an array of names")
      return []
    }
  }

  /// An array of names and arrays of names.
  @inline(never)
  mutating func nameLists(_ key: String, in fields: Fields) -> [NameList] {
    guard let node = fields[key] else { return [] }
    let expected = "an array of attributes"
    guard case .array(let elements) = node.kind else {
      reportKind(of: node, subject: fields.subject, key: key, expected: expected)
      return []
    }
    return elements.compactMap { element -> NameList? in
      switch element.kind {
      case .string(let name):
        let name = LocatedName(name: name, position: element.position)
        return directed(name, key: key, subject: fields.subject).map {
          NameList(position: element.position, names: [$0])
        }
      case .object where key == "unique":
        return ignoringName(element, of: key, in: fields).map {
          NameList(position: element.position, names: [$0])
        }
      case .array(let parts):
        let names = parts.compactMap { part -> LocatedName? in
          if key == "unique", case .object = part.kind {
            return ignoringName(part, of: key, in: fields)
          }
          return self.names([part], of: key, in: fields, "attributes").first.flatMap {
            directed($0, key: key, subject: fields.subject)
          }
        }
        // A list with an unreadable part is not checked.
        return names.count == parts.count
          ? NameList(position: element.position, names: names) : nil
      default:
        reportKind(
          of: element, subject: fields.subject, key: key,
          expected: "an attribute or an array of attributes")
        return nil
      }
    }
  }

  /// The attribute of a unique constraint with what it ignores:
  /// `{ "attribute": "email", "ignoring": ["case"] }`.
  @inline(never)
  private mutating func ignoringName(_ node: JSONNode, of key: String, in fields: Fields)
    -> LocatedName?
  {
    guard
      let inner = self.fields(
        of: node, subject: fields.subject, key: key, expected: "an object")
    else { return nil }
    checkKeys(of: inner, among: ["attribute", "ignoring"])
    for missing in ["attribute", "ignoring"] where inner[missing] == nil {
      problems.add(
        .missingKey, at: node.position, subject: fields.subject, key: key, expected: missing)
      return nil
    }
    guard let name = text("attribute", in: inner), let list = inner["ignoring"] else { return nil }
    guard case .array(let nodes) = list.kind else {
      reportKind(
        of: list, subject: fields.subject, key: "ignoring",
        expected: "an array of what is ignored")
      return nil
    }
    if nodes.isEmpty {
      problems.add(
        .emptyList, at: list.position, subject: fields.subject, key: "ignoring",
        expected: "\"case\"")
      return nil
    }
    let words: [UniqueConstraintDescription.Difference] = nodes.compactMap {
      word(of: $0, "ignoring", in: inner)
    }
    if words.count < nodes.count { return nil }
    return LocatedName(
      name: name, position: inner["attribute"]?.position ?? node.position,
      ignored: Set(words))
  }

  /// The attribute of an index with its direction: `date`, `date asc` or `date desc`.
  @inline(never)
  private mutating func directed(_ text: LocatedName, key: String, subject: String) -> LocatedName?
  {
    let words = text.name.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    guard key == "indexes", words.count == 2 else { return text }
    let word = String(words[1])
    let directions = IndexDirection.allCases.map(\.rawValue)
    guard let direction = IndexDirection(rawValue: word) else {
      let suggestion = problems.nearest(to: word, among: directions)
      problems.add(
        .unknownKeyword, at: text.position, subject: subject, key: key, found: word,
        expected: directions.joined(separator: ", "), suggestion: suggestion)
      return nil
    }
    return LocatedName(
      name: String(words[0]), position: text.position, isDescending: direction == .desc)
  }

  @inline(never)
  private mutating func names(
    _ elements: [JSONNode], of key: String, in fields: Fields, _ things: String
  ) -> [LocatedName] {
    elements.compactMap { element in
      guard case .string(let name) = element.kind else {
        reportKind(
          of: element, subject: fields.subject, key: key,
          expected: "the name of one of the \(things)")
        return nil
      }
      return LocatedName(name: name, position: element.position)
    }
  }

  mutating func userInfo(in fields: Fields) -> UserInfo {
    guard let node = fields["userInfo"],
      let members = self.fields(
        of: node, subject: fields.subject, key: "userInfo", expected: "an object")?.members
    else { return [:] }
    return UserInfo(
      members.map { ($0.key, UserInfoValue($0.value)) }, uniquingKeysWith: { first, _ in first })
  }

  /// Reports a value of the wrong kind, unless the value was unreadable and reported already.
  mutating func reportKind(
    of node: JSONNode, subject: String, key: String = "", expected: String
  ) {
    guard !node.isBroken else { return }
    problems.add(
      .wrongType, at: node.position, subject: subject, key: key, found: node.kindWords,
      expected: expected)
  }
}

extension UserInfoValue {
  @inline(never)
  fileprivate init(_ node: JSONNode) {
    switch node.kind {
    case .null, .broken: self = .null
    case .boolean(let flag): self = .boolean(flag)
    case .number(let text): self = .number(text)
    case .string(let text): self = .string(text)
    case .array(let elements): self = .array(elements.map { UserInfoValue($0) })
    case .object(let members):
      self = .object(
        [String: UserInfoValue](
          members.map { ($0.key, UserInfoValue($0.value)) },
          uniquingKeysWith: { first, _ in first }))
    }
  }
}
