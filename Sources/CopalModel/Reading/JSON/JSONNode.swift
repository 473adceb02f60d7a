/// A value of a JSON text, with its position.
///
/// ```swift
/// let node = try JSONNode(json: #"{"name": "Painter"}"#, file: "painter.json")
/// node["name"]?.position  // line 1, column 10
/// ```
package struct JSONNode: Sendable, Equatable {
  package var kind: Kind
  package var position: TextPosition

  package enum Kind: Sendable, Equatable {
    case null
    case boolean(Bool)
    /// A number as it is written, so that no digit is lost.
    case number(String)
    case string(String)
    case array([JSONNode])
    /// The members in the order of the text, without repeated keys.
    case object([JSONMember])
    /// A value that could not be read; its problem has been reported.
    case broken
  }

  package init(_ kind: Kind, at position: TextPosition = TextPosition(line: 1, column: 1)) {
    self.kind = kind
    self.position = position
  }

  /// Reads JSON in which comments and trailing commas are allowed.
  ///
  /// - Throws: ``ModelError`` with every problem of the text.
  package init(json: String, file: String) throws(ModelError) {
    var reader = JSONReader(Array(json.utf8), file: file)
    let node = reader.read()
    if let error = reader.problems.error { throw error }
    self = node
  }

  /// The value of a key of an object.
  package subscript(key: String) -> JSONNode? {
    guard case .object(let members) = kind else { return nil }
    return members.first { $0.key == key }?.value
  }

  /// Whether the value could not be read.
  package var isBroken: Bool { kind == .broken }

  /// The name of the value's kind, for messages.
  package var kindWords: String {
    switch kind {
    case .null: "null"
    case .boolean(let flag): flag ? "true" : "false"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    case .broken: "something unreadable"
    }
  }
}

/// A key of an object and its value.
package struct JSONMember: Sendable, Equatable {
  package var key: String
  /// The position of the key; the value has its own position.
  package var position: TextPosition
  package var value: JSONNode

  package init(
    _ key: String, at position: TextPosition = TextPosition(line: 1, column: 1), _ value: JSONNode
  ) {
    self.key = key
    self.position = position
    self.value = value
  }
}
