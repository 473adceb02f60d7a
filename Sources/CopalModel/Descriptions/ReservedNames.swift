/// Reserved names, which a model cannot use.
package enum ReservedNames {
  /// Members of `ManagedObject`. A property of the same name would hide the member or not compile.
  package static let managedObjectMembers: Set<String> = [
    "apply", "awakeFromFetch", "awakeFromInsert", "awakeFromSnapshotEvents", "changedValues",
    "committedValues", "customMirror", "debugDescription", "description", "didAccessValue",
    "didChangeValue", "didSave", "didTurnIntoFault", "entity", "entityName", "faultingState",
    "fetchedObjects", "fetchRequest", "formatArgument", "hasChanges", "hasFault",
    "hasFaultForRelationship",
    "hash", "hashValue", "hasPersistentChangedValues", "isDeleted", "isFault", "isInserted",
    "isMissingInStore", "isUpdated", "layoutHash", "managedObjectContext", "objectID",
    "orphaned", "Patch", "predicateValue", "prepareForDeletion", "primitiveValue", "Properties",
    "PropertyNames",
    "propertyNames", "setPrimitiveValue", "setValue", "Snapshot", "snapshot",
    "validateForDelete", "validateForInsert", "validateForUpdate", "validateValue",
    "validationErrors", "willAccessValue", "willChangeValue", "willSave", "willTurnIntoFault",
  ]

  /// The prefixes of members of generated code.
  package static let memberPrefixes = ["_copal"]

  /// The prefixes of tables and columns of Copal and of the database. Names are case-insensitive.
  package static let storePrefixes = ["copal_", "sqlite_"]

  /// The database's names for the rowid. Names are case-insensitive.
  /// See <https://www.sqlite.org/rowidtable.html>.
  package static let rowNames: Set<String> = ["rowid", "oid", "_rowid_"]

  /// Names that Swift rejects even between backquotes, or that have another meaning in Swift.
  package static let notIdentifiers: Set<String> = [
    "_", "Protocol", "Self", "Type", "init", "self",
  ]

  /// Types that generated code uses. A class of the same name would hide them.
  package static let generatedTypes: Set<String> = [
    "Any", "AnyObject", "Array", "Bool", "Copal", "Data", "Date", "Decimal", "Dictionary",
    "Double", "EntityBinding", "FetchPredicate", "FetchRequest", "FetchSortKey", "Float",
    "Foundation", "Hashable", "Identifiable", "Int", "Int16", "Int32", "Int64", "ManagedObject",
    "ManagedObjectContext", "ManagedObjectID", "ManagedObjectModel", "ModelBinding", "Never",
    "Optional", "PropertyKeyPaths", "QueryAttribute", "QueryProjections", "QueryProperties",
    "QueryTransformable",
    "QueryableObject",
    "RequiredQueryAttribute",
    "Self", "Sendable", "Set", "String", "Swift", "TransformerName", "Type", "URL", "UUID", "Void",
  ]

  /// Words that Swift does not accept as the name of a type.
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

/// Why a name cannot be used, as a part of an error's sentence.
extension ReservedNames {
  /// The reason that applies to every name.
  static func reason(against name: String) -> String? {
    notIdentifiers.contains(name) ? "Swift does not allow it as a name, even in backquotes" : nil
  }

  /// The reason that applies to a variable of a condition, which becomes a parameter.
  static func reason(againstVariable name: String) -> String? {
    if let reason = reason(against: name) { return reason }
    return memberPrefixes.first { name.hasPrefix($0) }.map {
      "names that begin with '\($0)' belong to generated code"
    }
  }

  /// The reason that applies to an entity, which becomes a table.
  static func reason(againstEntity name: String) -> String? {
    if let reason = reason(against: name) { return reason }
    let lowercased = name.lowercased()
    guard let prefix = storePrefixes.first(where: { lowercased.hasPrefix($0) }) else { return nil }
    let owner = prefix == "sqlite_" ? "SQLite" : "Copal"
    return "names that begin with '\(prefix)' belong to \(owner)"
  }

  /// The reason that applies to an attribute or relationship, which becomes a property and a
  /// column.
  static func reason(againstProperty name: String) -> String? {
    if let reason = reason(againstEntity: name) { return reason }
    if rowNames.contains(name.lowercased()) { return "it is SQLite's rowid" }
    if managedObjectMembers.contains(name) { return ReservedNameReason.member }
    return memberPrefixes.first { name.hasPrefix($0) }.map {
      "names that begin with '\($0)' belong to generated code"
    }
  }
}

/// The greatest lengths of names in a model, in bytes.
enum NameLimit {
  /// That of a name: file systems limit the name of a file to it.
  static let name = 255
  /// That of names joined by points: those of transformers and imports.
  static let path = 1000
}
