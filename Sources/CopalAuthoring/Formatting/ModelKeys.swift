/// The keys of a model file, in the order of the tables of `Docs/ModelFormat.md`.
enum ModelKeys {
  static let model = [
    "$schema", "copal", "model", "version", "imports", "access", "doc", "userInfo", "removed",
    "entities",
  ]
  static let entity = [
    "class", "codegen", "set", "parent", "abstract", "identity", "observable", "attributes",
    "relationships", "fetchRequests", "fetchedProperties", "unique", "indexes", "renamedFrom",
    "merges", "removed", "doc", "userInfo",
  ]

  /// A kind of property, by the key of an entity that has them.
  enum Kind: String {
    case attributes, relationships, fetchRequests, fetchedProperties

    var keys: [String] {
      switch self {
      case .attributes: ModelKeys.attribute
      case .relationships: ModelKeys.relationship
      case .fetchRequests: ["where", "sort", "limit", "doc"]
      case .fetchedProperties: ["destination", "where", "sort", "limit", "doc"]
      }
    }

    /// The key whose value can stand for the whole object.
    var shortKey: String? {
      switch self {
      case .attributes, .relationships: "type"
      case .fetchRequests: "where"
      case .fetchedProperties: nil
      }
    }
  }

  static let attribute = [
    "type", "optional", "default", "placeholder", "transient", "minimum", "maximum",
    "minimumLength", "maximumLength", "pattern", "cases", "enum", "transformer", "class", "storage",
    "mutable", "versioned", "external", "search", "project", "private", "scale", "accessor", "set",
    "dependsOn", "renamedFrom", "fill", "conversion", "renamedCases", "checkStored", "doc",
    "userInfo",
  ]
  static let relationship = [
    "type", "optional", "ordered", "sort", "inverse", "delete", "orphans", "minimum", "maximum",
    "prefetch", "accessor", "set", "renamedFrom", "conversion", "doc", "userInfo",
  ]
}
