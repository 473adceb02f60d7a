/// Why a context has run a statement: the operation, with the names of the entity and of the
/// property.
///
/// Its text says it in a few words: `the values of Artist, for Artist.name, through Work.artist`.
public struct StatementReason: Sendable, Hashable, CustomStringConvertible {
  /// An operation of a context. More can be added, so a `switch` needs a `default`.
  public struct Operation: RawRepresentable, Sendable, Hashable {
    /// The name of the operation: `fetch`.
    public let rawValue: String

    /// An operation by its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Objects that a request asks for: `fetch`, `first`, `one`, a page, a batch of `fetchBatches`.
    public static let fetch = Self(rawValue: "fetch")
    /// Ids that a request asks for: `fetchIDs`, `exists`.
    public static let fetchIDs = Self(rawValue: "fetchIDs")
    /// The number of objects that a request asks for.
    public static let count = Self(rawValue: "count")
    /// Values and aggregates without objects: `fetchValues`.
    public static let fetchValues = Self(rawValue: "fetchValues")
    /// An explanation of a request.
    public static let explain = Self(rawValue: "explain")
    /// A relationship that a fetch reads together with its objects.
    public static let prefetch = Self(rawValue: "prefetch")
    /// The object of an id: `existingObject(with:)`, and `objects(with:)` where the class is not
    /// known.
    public static let lookup = Self(rawValue: "lookup")
    /// The values of a fault, because one of its properties was used.
    public static let fault = Self(rawValue: "fault")
    /// The object of a to-one relationship, because the relationship was used.
    public static let toOne = Self(rawValue: "toOne")
    /// The objects of a to-many relationship, because the relationship was used.
    public static let toMany = Self(rawValue: "toMany")
    /// The number of objects of a to-many relationship, because it was asked for.
    public static let toManyCount = Self(rawValue: "toManyCount")
    /// The values of faults that the program has asked for: `fulfill(_:)`.
    public static let fulfill = Self(rawValue: "fulfill")
    /// `refresh(_:mergeChanges:)`.
    public static let refresh = Self(rawValue: "refresh")
    /// The rows of changed objects that others may have written: `mergeChanges()`.
    public static let merge = Self(rawValue: "merge")
    /// What a deletion must know of related objects.
    public static let delete = Self(rawValue: "delete")
    /// A save.
    public static let save = Self(rawValue: "save")
    /// `updateAll`.
    public static let batchUpdate = Self(rawValue: "batchUpdate")
    /// `deleteAll`.
    public static let batchDelete = Self(rawValue: "batchDelete")
    /// `insertAll`.
    public static let batchInsert = Self(rawValue: "batchInsert")
    /// `upsertAll`.
    public static let batchUpsert = Self(rawValue: "batchUpsert")
    /// A statement in SQL that the program has written: `fetchRows(sql:)`, `fetch(_:sql:)`.
    public static let fetchSQL = Self(rawValue: "fetchSQL")
    /// A statement in SQL that the program has written and that changes rows:
    /// `executeUnsafe(sql:)`.
    public static let executeSQL = Self(rawValue: "executeSQL")
    /// Anything else, for example the end of a read transaction.
    public static let other = Self(rawValue: "other")
  }

  /// The operation.
  public var operation: Operation
  /// The entity whose objects were read or changed; that of the owner for a relationship. Nil for a
  /// save.
  public var entity: String?
  /// The property of the entity that was used; nil for an operation without one.
  public var property: String?
  /// For the values of a fault: the to-one relationship by which the program came to it, such as
  /// `Work.artist`. Nil when it is not known.
  public var path: String?

  init(
    _ operation: Operation, _ entity: String? = nil, _ property: String? = nil, path: String? = nil
  ) {
    self.operation = operation
    self.entity = entity
    self.property = property
    self.path = path
  }

  /// The entity and the property with a point between them.
  private var subject: String {
    let entity = entity ?? "objects"
    return property.map { "\(entity).\($0)" } ?? entity
  }

  /// The reason in a few words.
  public var description: String {
    switch operation {
    case .fetch: "the fetch of \(subject)"
    case .fetchIDs: "the fetch of ids of \(subject)"
    case .count: "the count of \(subject)"
    case .fetchValues: "the fetch of values of \(subject)"
    case .explain: "the explanation of a request for \(subject)"
    case .prefetch: "the prefetching of \(subject)"
    case .lookup: "the look-up of \(subject) by id"
    case .fault:
      "the values of \(entity ?? "an object")" + (property == nil ? "" : " for \(subject)")
        + (path.map { ", through \($0)" } ?? "")
    case .toOne, .toMany: "the relationship \(subject)"
    case .toManyCount: "the number of objects of \(subject)"
    case .fulfill: "the values of \(subject), asked for by fulfill(_:)"
    case .refresh: "the refresh of \(subject)"
    case .merge: "the merge of \(subject)"
    case .delete: "the deletion of \(subject)"
    case .save: "the save"
    case .batchUpdate: "updateAll of \(subject)"
    case .batchDelete: "deleteAll of \(subject)"
    case .batchInsert: "insertAll of \(subject)"
    case .batchUpsert: "upsertAll of \(subject)"
    case .fetchSQL: entity == nil ? "SQL of the program" : "SQL of the program for \(subject)"
    case .executeSQL: "SQL of the program that changes rows"
    default: "another operation"
    }
  }

  /// What a program does instead of the same operation many times; nil where nothing general can be
  /// said.
  var remedy: String? {
    switch operation {
    case .fault:
      path.map { "prefetch it: fetch the owners with prefetching(\(Self.keyPath($0)))" }
        ?? "read many faults with one call: objects(with:) and fulfill(_:)"
    case .toOne, .toMany, .toManyCount:
      property.map {
        "prefetch it: fetch the objects of \(entity ?? "the entity") with prefetching(\\.\($0))"
          + (operation == .toManyCount ? ", or fetch the numbers with fetchValues" : "")
      }
    case .lookup: "find many objects with one call: objects(with:)"
    case .fetch, .fetchIDs, .count, .fetchValues:
      "make one request for all of them, for example with isIn(_:)"
    case .delete: "read many faults with fulfill(_:) before, or delete with deleteAll"
    case .save: "save once, after the loop"
    case .refresh: "refresh without mergeChanges, and read many faults with fulfill(_:)"
    default: nil
    }
  }

  /// `\.artist` for `Work.artist`.
  private static func keyPath(_ path: String) -> String {
    "\\." + path.drop { $0 != "." }.dropFirst()
  }
}
