import CopalModel
import Foundation

/// A validator of the part of JSON Schema (draft 2020-12) that the model's schema uses.
///
/// An unknown keyword is an error, so that the schema cannot use a keyword without a check.
struct JSONSchemaValidator {
  struct UnknownKeyword: Error { let keyword: String }

  let schema: JSONNode

  /// What is wrong, each with the path of the value; empty for a valid value.
  func problems(of value: JSONNode) throws -> [String] {
    try problems(of: value, against: schema, path: "$")
  }

  private func problems(
    of value: JSONNode, against schema: JSONNode, path: String
  ) throws -> [String] {
    guard case .object(let keywords) = schema.kind else { return [] }
    return try keywords.flatMap { keyword in
      try problems(of: value, keyword, in: schema, path: path)
    }
  }

  private func problems(
    of value: JSONNode, _ keyword: JSONMember, in schema: JSONNode, path: String
  ) throws -> [String] {
    let rule = keyword.value
    func check(_ isValid: Bool) -> [String] { isValid ? [] : ["\(path): \(keyword.key)"] }
    switch keyword.key {
    case "$schema", "$defs", "title", "description", "default": return []
    case "$ref":
      guard case .string(let name) = rule.kind, name.hasPrefix("#/$defs/"),
        let target = self.schema["$defs"]?[String(name.dropFirst("#/$defs/".count))]
      else { throw UnknownKeyword(keyword: "$ref \(rule.kind)") }
      return try problems(of: value, against: target, path: path)
    case "type": return check(strings(rule).contains { matches(value, type: $0) })
    case "const": return check(value.kind == rule.kind)
    case "enum": return check(elements(rule).contains { $0.kind == value.kind })
    case "anyOf":
      return check(
        try elements(rule).contains { try problems(of: value, against: $0, path: path).isEmpty })
    case "required":
      guard case .object = value.kind else { return [] }
      return check(strings(rule).allSatisfy { value[$0] != nil })
    case "properties":
      return try members(value).flatMap { member in
        try rule[member.key].map {
          try problems(of: member.value, against: $0, path: path + "." + member.key)
        } ?? []
      }
    case "additionalProperties":
      let others = members(value).filter { schema["properties"]?[$0.key] == nil }
      if rule.kind == .boolean(false) { return others.map { "\(path).\($0.key): unknown" } }
      return try others.flatMap {
        try problems(of: $0.value, against: rule, path: path + "." + $0.key)
      }
    case "propertyNames":
      return try members(value).flatMap {
        try problems(of: JSONNode(.string($0.key)), against: rule, path: path + "." + $0.key)
      }
    case "items":
      return try elements(value).enumerated().flatMap {
        try problems(of: $1, against: rule, path: path + "[\($0)]")
      }
    case "contains":
      guard case .array(let items) = value.kind else { return [] }
      return check(
        try items.contains { try problems(of: $0, against: rule, path: path).isEmpty })
    case "uniqueItems":
      let kinds = elements(value).map(\.kind)
      return check(kinds.indices.allSatisfy { !kinds[..<$0].contains(kinds[$0]) })
    case "minProperties":
      guard case .object(let members) = value.kind else { return [] }
      return check(Double(members.count) >= number(rule))
    case "minItems":
      guard case .array(let items) = value.kind else { return [] }
      return check(Double(items.count) >= number(rule))
    case "minimum": return check(!isNumber(value) || number(value) >= number(rule))
    case "maximum": return check(!isNumber(value) || number(value) <= number(rule))
    case "minLength": return check(text(value).map { Double($0.count) >= number(rule) } ?? true)
    case "maxLength": return check(text(value).map { Double($0.count) <= number(rule) } ?? true)
    case "pattern":
      guard let text = text(value), let pattern = self.text(rule) else { return [] }
      return check(try Regex(pattern).firstMatch(in: text) != nil)
    default: throw UnknownKeyword(keyword: keyword.key)
    }
  }

  private func matches(_ value: JSONNode, type: String) -> Bool {
    switch (value.kind, type) {
    case (.object, "object"), (.array, "array"), (.string, "string"), (.boolean, "boolean"),
      (.number, "number"), (.null, "null"):
      true
    case (.number(let text), "integer"): Double(text).map { $0.rounded() == $0 } ?? false
    default: false
    }
  }

  private func members(_ node: JSONNode) -> [JSONMember] {
    if case .object(let members) = node.kind { members } else { [] }
  }

  private func elements(_ node: JSONNode) -> [JSONNode] {
    if case .array(let elements) = node.kind { elements } else { [] }
  }

  private func strings(_ node: JSONNode) -> [String] {
    text(node).map { [$0] } ?? elements(node).compactMap(text)
  }

  private func text(_ node: JSONNode) -> String? {
    if case .string(let text) = node.kind { text } else { nil }
  }

  private func isNumber(_ node: JSONNode) -> Bool {
    if case .number = node.kind { true } else { false }
  }

  private func number(_ node: JSONNode) -> Double {
    if case .number(let text) = node.kind { Double(text) ?? .nan } else { .nan }
  }
}
