/// Names that mean something already, so that a model cannot use them.
package enum ReservedNames {
  /// Members of `ManagedObject`: a property of the same name would hide them or not compile.
  package static let managedObjectMembers: Set<String> = [
    "apply", "awakeFromFetch", "awakeFromInsert", "awakeFromSnapshotEvents", "changedValues",
    "changes", "committedValues", "context", "customMirror", "debugDescription", "description",
    "didAccessValue", "didChangeValue", "didSave", "didTurnIntoFault", "entity", "entityName",
    "failure", "faultingState", "fetchRequest", "hasChanges", "hasFault", "hasFaultForRelationship",
    "hash", "hashValue", "hasPersistentChangedValues", "isDeleted", "isFault", "isInserted",
    "isMissing", "isUpdated", "layoutHash", "managedObjectContext", "objectID", "orphaned", "Patch",
    "prepareForDeletion", "primitiveValue", "Properties", "properties", "PropertyNames",
    "propertyNames", "refresh", "setPrimitiveValue", "setValue", "Snapshot", "snapshot", "validate",
    "validateForDelete", "validateForInsert", "validateForUpdate", "validateValue", "value",
    "willAccessValue", "willChangeValue", "willSave", "willTurnIntoFault",
  ]

  /// How the names of generated code's own members begin.
  package static let memberPrefixes = ["_copal"]

  /// How the names of Copal's and SQLite's own tables and columns begin, in any case.
  package static let storePrefixes = ["copal_", "sqlite_"]

  /// SQLite's names for the number of a row, in any case.
  /// See <https://www.sqlite.org/rowidtable.html>.
  package static let rowNames: Set<String> = ["rowid", "oid", "_rowid_"]

  /// Names that Swift does not take even between backquotes, or takes for something else.
  package static let unspeakable: Set<String> = ["_", "Protocol", "Self", "Type", "init", "self"]

  /// Types that generated code uses: a class of the same name would stand in their place.
  package static let generatedTypes: Set<String> = [
    "Any", "AnyObject", "Array", "Bool", "Copal", "Data", "Date", "Decimal", "Dictionary",
    "Double", "EntityBinding", "FetchPredicate", "FetchRequest", "FetchSortKey", "Float",
    "Foundation", "Hashable", "Identifiable", "Int", "Int16", "Int32", "Int64", "ManagedObject",
    "ManagedObjectContext", "ManagedObjectID", "ManagedObjectModel", "ModelBinding", "Never",
    "Optional", "QueryAttribute", "QueryTransformable", "QueryableObject", "Self", "Sendable",
    "Set", "String", "Swift", "TransformerName", "Type", "URL", "UUID", "Void",
  ]

  /// Words that cannot stand where Swift expects the name of a type.
  static let notTypes: Set<String> = [
    "_", "Protocol", "Self", "Type", "any", "as", "associatedtype", "async", "await", "borrowing",
    "break", "case", "catch", "class", "consuming", "continue", "default", "defer", "deinit",
    "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func",
    "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil", "operator",
    "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return", "self",
    "sending", "some", "static", "struct", "subscript", "super", "switch", "throw", "throws",
    "true", "try", "typealias", "var", "where", "while",
  ]
}

/// Why a name cannot be used, for the sentence that says so.
extension ReservedNames {
  /// For any name at all.
  static func reason(against name: String) -> String? {
    unspeakable.contains(name) ? "Swift does not allow it as a name, even in backquotes" : nil
  }

  /// For the name of an entity, which becomes that of a table.
  static func reason(againstEntity name: String) -> String? {
    if let reason = reason(against: name) { return reason }
    let lowercased = name.lowercased()
    guard let prefix = storePrefixes.first(where: { lowercased.hasPrefix($0) }) else { return nil }
    let owner = prefix == "sqlite_" ? "SQLite" : "Copal"
    return "names that begin with '\(prefix)' belong to \(owner)"
  }

  /// For the name of an attribute or relationship, which becomes a property and a column.
  static func reason(againstProperty name: String) -> String? {
    if let reason = reason(againstEntity: name) { return reason }
    if rowNames.contains(name.lowercased()) { return "it is SQLite's rowid" }
    if managedObjectMembers.contains(name) { return "it is a member of ManagedObject or of generated classes" }
    return memberPrefixes.first { name.hasPrefix($0) }.map {
      "names that begin with '\($0)' belong to generated code"
    }
  }
}
