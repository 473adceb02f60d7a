extension ManagedObjectModel {
  /// Reads the model that a store was written with, but only the parts that concern the store:
  /// entities, attributes and relationships with their types, constraints and indexes.
  ///
  /// The rules of this version may refuse what an older version wrote: a name that is reserved now,
  /// a pattern, a default. Those rules are for authors of models. They must not keep a store from
  /// being opened, so the parts that concern only values and generated code are not read.
  ///
  /// - Throws: ``ModelError`` when the text is not a model.
  package init(stored json: String) throws(ModelError) {
    self = try ModelReader.readStored(Array(json.utf8), file: "the store's model")
  }
}

extension ModelReader {
  @inline(never)
  fileprivate static func readStored(
    _ bytes: [UInt8], file: String
  ) throws(ModelError) -> ManagedObjectModel {
    var text = JSONReader(bytes, file: file)
    text.limitsMarks = false
    let root = StoredKeys.selected(of: text.read())
    var reader = ModelReader(problems: text.problems, text: bytes)
    let draft = text.damage < .structure ? reader.readModel(root, namesAreComplete: true) : nil
    if let error = reader.problems.error { throw error }
    guard let model = draft?.model else { throw ModelError(problems: []) }
    return model
  }
}

/// The keys of a model that concern a store.
///
/// The list has the other keys, so that an unknown key of a later version is still refused.
private enum StoredKeys {
  private static let ofNoConcern: [Level: Set<String>] = [
    .model: ["$schema", "imports", "access", "doc", "userInfo", "removed"],
    .entity: [
      "class", "codegen", "set", "observable", "identity", "fetchRequests",
      "fetchedProperties", "renamedFrom", "merges", "removed", "doc", "userInfo",
    ],
    .attribute: [
      "default", "placeholder", "minimum", "maximum", "minimumLength", "maximumLength", "pattern",
      "cases", "enum", "transformer", "class", "mutable", "private", "accessor", "set", "dependsOn",
      "renamedFrom", "fill", "conversion", "doc", "userInfo",
    ],
    .relationship: [
      "sort", "orphans", "minimum", "maximum", "prefetch", "accessor", "set", "renamedFrom",
      "conversion", "doc", "userInfo",
    ],
  ]

  private enum Level { case model, entity, attribute, relationship }

  @inline(never)
  static func selected(of model: JSONNode) -> JSONNode {
    members(of: model, .model) { key, entities in
      guard key == "entities" else { return entities }
      return each(of: entities) { entity in
        members(of: entity, .entity) { key, properties in
          switch key {
          case "attributes": each(of: properties) { members(of: $0, .attribute) { $1 } }
          case "relationships": each(of: properties) { members(of: $0, .relationship) { $1 } }
          default: properties
          }
        }
      }
    }
  }

  /// An object without the members that do not concern a store, the others changed.
  @inline(never)
  private static func members(
    of node: JSONNode, _ level: Level, _ change: (String, JSONNode) -> JSONNode
  ) -> JSONNode {
    guard case .object(let members) = node.kind else { return node }
    let kept = members.filter { ofNoConcern[level]?.contains($0.key) != true }
    return JSONNode(
      .object(kept.map { JSONMember($0.key, at: $0.position, change($0.key, $0.value)) }),
      at: node.position)
  }

  /// An object with every value changed.
  private static func each(of node: JSONNode, _ change: (JSONNode) -> JSONNode) -> JSONNode {
    guard case .object(let members) = node.kind else { return node }
    return JSONNode(
      .object(members.map { JSONMember($0.key, at: $0.position, change($0.value)) }),
      at: node.position)
  }
}
