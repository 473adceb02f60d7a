public import CopalEssentials
public import CopalModel
import CopalStore

/// What one commit has changed, as values: the ids of objects, and the names of their properties.
///
/// ``PersistentContainer/saves`` has one for each save, batch and transaction of the program. It is
/// Sendable and Codable, so it can be passed to another isolation, stored, or sent to another
/// program. ``ManagedObjectContext/mergeChanges(from:)`` takes it.
///
/// ```swift
/// for await changes in container.saves {
///   print(changes.contextName ?? "a context", "has saved", changes.inserted.count, "new objects")
/// }
/// ```
public struct SavedChanges: Sendable, Codable {
  /// The objects that were inserted.
  public let inserted: Set<ManagedObjectID>
  /// The objects of which a value, a to-one relationship, or a link of a many-to-many relationship
  /// has changed. The owner of a one-to-many relationship has not changed when a member comes or
  /// goes: the member has.
  public let updated: Set<ManagedObjectID>
  /// The objects that were deleted.
  public let deleted: Set<ManagedObjectID>
  /// The entities of which some objects were changed, and it is not known which: by a batch, by
  /// SQL, or by a commit with more rows than ``PersistentContainer/commitLogLimits`` allows.
  public let entities: Set<String>
  /// False when earlier commits were dropped since the last element, because there were more than
  /// the limits allow. Then ``entities`` has the entities of them all.
  public let isComplete: Bool
  /// The `transactionAuthor` of the context.
  public let author: String?
  /// The `name` of the context.
  public let contextName: String?
  /// The name of the program that has written it; empty for another program, whose name is not
  /// known.
  public let program: String
  /// When it was committed.
  public let date: Date
  private let properties: [ManagedObjectID: Set<String>]

  /// The names of the properties that have changed in an updated object. Empty for other objects.
  public func changedProperties(of id: ManagedObjectID) -> Set<String> { properties[id] ?? [] }

  /// Whether nothing is known to have changed.
  public var isEmpty: Bool {
    inserted.isEmpty && updated.isEmpty && deleted.isEmpty && entities.isEmpty
  }

  init(_ commit: Commit, _ names: CommitNames) {
    var collector = SavedChangesCollector(names)
    for receipt in commit.receipts { collector.add(receipt) }
    collector.add(commit.written)
    inserted = collector.inserted
    deleted = collector.deleted
    properties = collector.properties
    updated = Set(properties.keys)
    entities = collector.entities
    isComplete = true
    author = commit.author
    contextName = commit.contextName
    program = commit.isForeign ? "" : Self.currentProgram
    date = commit.date
  }

  /// Commits of which only the entities are known.
  init(dropped entities: Set<Int>, _ names: CommitNames) {
    (inserted, updated, deleted, properties) = ([], [], [], [:])
    self.entities = Set(entities.map { names.entities[$0].layout.name })
    isComplete = false
    (author, contextName) = (nil, nil)
    program = Self.currentProgram
    date = Date()
  }

  private static let currentProgram =
    CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? ""
}

/// Collects the ids and the names of what a commit has changed.
private struct SavedChangesCollector {
  private let names: CommitNames
  private(set) var inserted: Set<ManagedObjectID> = []
  private(set) var deleted: Set<ManagedObjectID> = []
  private(set) var properties: [ManagedObjectID: Set<String>] = [:]
  private(set) var entities: Set<String> = []

  init(_ names: CommitNames) { self.names = names }

  mutating func add(_ receipt: CommitReceipt) {
    for (change, keys) in zip(receipt.written.entities, receipt.insertedKeys) {
      let runtime = names.entities[change.entity]
      for key in keys { insert(id(key, runtime)) }
      for update in change.updates {
        let id = id(update.key, runtime)
        if inserted.contains(id) { continue }
        properties[id, default: []].formUnion(update.changed.map { runtime.propertyName($0) })
      }
      for delete in change.deletes { remove(id(delete.key, runtime)) }
    }
    for change in receipt.written.links { add(change) }
  }

  mutating func add(_ written: WrittenObjects) {
    // Of the keys of batches, it is not known which objects are left.
    for entity in written.entities { entities.insert(names.entities[entity].layout.name) }
  }

  private func id(_ key: Int64, _ runtime: EntityRuntime) -> ManagedObjectID {
    ManagedObjectID(runtime.identity, key)
  }

  private mutating func insert(_ id: ManagedObjectID) {
    inserted.insert(id)
    deleted.remove(id)
  }

  private mutating func remove(_ id: ManagedObjectID) {
    properties[id] = nil
    // An object that one transaction inserts and deletes was never there.
    if inserted.remove(id) == nil { deleted.insert(id) }
  }

  /// A link is a change of both ends, if the model declares both relationships.
  private mutating func add(_ changes: LinkChanges) {
    let table = names.schema.linkTables[changes.table]
    for link in [changes.removed, changes.added, changes.moved].joined() {
      for row in table.rows(of: link) {
        for end in table.isSymmetric ? [.owner] : [LinkTable.End.owner, .member] {
          guard let relationship = names.relationship(ofLinks: changes.table, at: end),
            !relationship.isHidden
          else { continue }
          note(row.key(at: end), relationship)
        }
      }
    }
  }

  private mutating func note(_ key: Int64, _ relationship: RelationshipRuntime) {
    let declaring = names.entities[relationship.declaringEntity]
    // The link says only the entity that declares the relationship. The object can be one of a
    // subentity that the commit has written itself.
    let ids = declaring.entities.map { id(key, names.entities[$0]) }
    if ids.contains(where: { inserted.contains($0) || deleted.contains($0) }) { return }
    let known = ids.first { properties[$0] != nil } ?? id(key, declaring)
    properties[known, default: []].insert(relationship.description.name)
  }
}
