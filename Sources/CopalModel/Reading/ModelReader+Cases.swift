extension ModelReader {
  /// The cases of an attribute: an array of names for a string, or an object with a raw value for
  /// each name.
  @inline(never)
  mutating func cases(of attribute: AttributeDescription, in fields: Fields) -> [AttributeCase]? {
    guard attribute.type.canHaveCases, let node = fields["cases"] else { return nil }
    switch node.kind {
    case .array(let names) where attribute.type == .string:
      return names.compactMap { name(of: $0, in: fields).map { AttributeCase($0, .string($0)) } }
    case .object(let members):
      return members.compactMap { member in
        value(of: member.value, for: attribute, "cases", in: fields).map {
          AttributeCase(member.key, $0)
        }
      }
    default:
      let object = #"an object such as { "low": 1, "high": 2 }"#
      reportKind(
        of: node, subject: fields.subject, key: "cases",
        expected: attribute.type == .string ? "an array of names, or an object" : object)
      return nil
    }
  }

  /// The raw values that have changed: an object with the new one for each old one. A number is
  /// written as a text where it is a key.
  @inline(never)
  mutating func renamedCases(
    of attribute: AttributeDescription, in fields: Fields
  ) -> [AttributeDescription.RenamedCase] {
    let key = "renamedCases"
    guard attribute.type.canHaveCases, let node = fields[key],
      let members = self.fields(
        of: node, subject: fields.subject, key: key,
        expected: "an object with the new raw value for each old one")?.members
    else { return [] }
    return members.compactMap { member in
      let old = JSONNode(
        attribute.type == .string ? .string(member.key) : .number(member.key), at: member.position)
      guard let old = value(of: old, for: attribute, key, in: fields),
        let new = value(of: member.value, for: attribute, key, in: fields)
      else { return nil }
      return AttributeDescription.RenamedCase(old, to: new)
    }
  }

  private mutating func name(of node: JSONNode, in fields: Fields) -> String? {
    if case .string(let name) = node.kind { return name }
    reportKind(of: node, subject: fields.subject, key: "cases", expected: "the name of a case")
    return nil
  }
}
