import CopalEssentials
public import CopalModel
import CopalStore

/// What a save does with conflicts: where others have changed what it writes.
///
/// It is a value. A container has one for its new contexts, and each context may have another one.
///
/// ```swift
/// context.mergePolicy = .mergeByPropertyObjectTrump
/// let report = try context.save()
/// for resolved in report.resolved { print(resolved.conflict.objectID, resolved.outcome) }
/// ```
///
/// A policy decides about values, on the plan of the save: no object changes before the store has
/// committed, so a save that fails in spite of its policy leaves everything as it was. Where a
/// policy has no answer, such as a required object that was deleted, the save throws `save.failed`.
/// The guide "Saving" has the table of all conflicts.
public struct MergePolicy: Sendable {
  enum Kind: Sendable {
    case rule(ConflictRule)
    case custom(@Sendable (MergeConflict) throws -> MergeResolution)
  }

  let kind: Kind

  /// Whether a function of the program decides.
  var isCustom: Bool { if case .custom = kind { true } else { false } }

  /// Every conflict is an error, and nothing is written. The default.
  public static let error = MergePolicy(kind: .rule(.error))

  /// Property by property: what others have changed, stays; of the rest, the changes of this
  /// context are saved.
  public static let mergeByPropertyStoreTrump = MergePolicy(kind: .rule(.storeTrump))

  /// Property by property: the changes of this context are saved; of the rest, what others have
  /// changed, stays.
  public static let mergeByPropertyObjectTrump = MergePolicy(kind: .rule(.objectTrump))

  /// The whole object is saved as this context has it. An object that others have deleted is
  /// inserted again, with its id.
  public static let overwrite = MergePolicy(kind: .rule(.overwrite))

  /// The changes of this context of an object are discarded where others have changed it.
  public static let rollback = MergePolicy(kind: .rule(.rollback))

  /// Asks for each conflict, also where both sides have set a property to the same value: two who
  /// add 5 to a counter may both mean it. So a merge does not end an unsaved change of a context
  /// with
  /// this policy because others have set the same value.
  ///
  /// ```swift
  /// context.mergePolicy = .custom { conflict in
  ///   guard case .integer(let mine) = conflict.mine?["count"],
  ///     case .integer(let base) = conflict.base?["count"],
  ///     case .integer(let stored) = conflict.stored?["count"]
  ///   else { return .refuse }
  ///   return .values(["count": .integer(stored + mine - base)])
  /// }
  /// ```
  ///
  /// - Parameter resolve: gets values, so it may be shared. It must not use a context. What it
  ///   throws is a cause of the error of the save.
  public static func custom(
    _ resolve: @escaping @Sendable (MergeConflict) throws -> MergeResolution
  ) -> MergePolicy {
    MergePolicy(kind: .custom(resolve))
  }
}

/// What is done with one conflict: a column of the table of policies.
enum ConflictRule: Sendable {
  case error, storeTrump, objectTrump, overwrite, rollback

  /// Whether the whole of what the store has counts.
  var takesStored: Bool { self == .storeTrump || self == .rollback }
}

/// The answer of a custom policy to a conflict.
public enum MergeResolution: Sendable {
  /// The conflict is an error.
  case refuse
  /// What the store has, as by ``MergePolicy/rollback``.
  case takeStored
  /// The changes of this context, as by ``MergePolicy/mergeByPropertyObjectTrump``.
  case keepMine
  /// The whole object of this context, as by ``MergePolicy/overwrite``.
  case overwrite
  /// These attributes get these values. Of the others: the changes of this context where others
  /// have changed nothing, else what the store has. The rules of the model are checked. Not for
  /// relationships and transformables, and only where an object was changed on both sides; for
  /// other conflicts it is ``refuse``.
  case values([String: PropertyValue])
}

/// A conflict of a save, as values.
public struct MergeConflict: Sendable {
  /// What is in the way.
  public enum Kind: Sendable, Hashable {
    /// Others have changed an object that this context has changed.
    case changed
    /// Others have deleted an object that this context has changed or deleted.
    case deletedThere
    /// Others have changed an object that this context deletes.
    case deletedHere
    /// Another object has the same values in a unique constraint: the names of its properties.
    case unique([String])
    /// By this relationship, the object refers to one that others have deleted.
    case missingObject(String)
    /// This context deletes the object, and by this relationship of another one, something still
    /// refers to it.
    case stillReferenced(String)
    /// The key of an object that comes back is in use.
    case keyInUse
  }

  /// What is in the way.
  public let kind: Kind
  /// The name of the object's entity.
  public let entityName: String
  /// The object of this context. Temporary for a new one.
  public let objectID: ManagedObjectID
  /// The other object, where there is one.
  public let otherID: ManagedObjectID?
  /// The values that this context has read, by property. A to-one relationship is an id, a
  /// transformable its stored form, a large value in a file `true`. Nil for a new object.
  ///
  /// A new dictionary for each call, as ``mine`` and ``stored``: linear in the properties.
  public var base: [String: PropertyValue]? { baseValues?.byName }
  /// The values that this context wants to save. Nil for an object that it deletes.
  public var mine: [String: PropertyValue]? { mineValues?.byName }
  /// The values that the store has; of the other object for a unique conflict. Nil where there is
  /// no row.
  public var stored: [String: PropertyValue]? { storedValues?.byName }
  let baseValues: ConflictValues?
  let mineValues: ConflictValues?
  let storedValues: ConflictValues?
  /// The properties that this context has changed.
  public let changedHere: Set<String>
  /// The properties that others have changed.
  public let changedThere: Set<String>
}

/// What a save has done beside writing.
public struct SaveReport: Sendable {
  /// A conflict that a policy has resolved.
  public struct Resolved: Sendable {
    /// The conflict.
    public let conflict: MergeConflict
    /// What became of it.
    public let outcome: Outcome
  }

  /// What became of a conflict.
  public enum Outcome: Sendable, Hashable {
    /// The object was written, with values of both sides or of one.
    case written
    /// The object was written again, although others had deleted it.
    case insertedAgain
    /// The object has what the store has; the changes of this context were discarded.
    case tookStored
    /// The object has left the context, because others have deleted it.
    case left
    /// The object was deleted, although others had changed it.
    case deleted
    /// The new object has become the one with this id, which had the same unique values.
    case became(ManagedObjectID)
    /// References to a deleted object were removed.
    case released
  }

  /// The conflicts that the context's ``MergePolicy`` has resolved. Empty where there were none.
  public internal(set) var resolved: [Resolved] = []
}

extension SaveReport: CustomStringConvertible {
  /// A line for each resolved conflict: the object, what was in the way, and what became of it.
  public var description: String { resolved.map(\.description).joined(separator: "\n") }
}

extension SaveReport.Resolved: CustomStringConvertible {
  /// The object, what was in the way, and what became of it. No values.
  public var description: String { "\(conflict.objectID): \(conflict.kind), \(outcome)" }
}

extension MergeConflict: CustomStringConvertible {
  /// The object, what is in the way, and the names of the changed properties. No values, because a
  /// program may log it.
  public var description: String {
    func names(_ names: Set<String>, _ place: String) -> String {
      names.isEmpty ? "" : "; changed \(place): " + names.inOrder().joined(separator: ", ")
    }
    return "\(objectID): \(kind)" + names(changedHere, "here") + names(changedThere, "there")
  }
}

/// The values of a row of a conflict. They are read when somebody asks for them: of a large import,
/// most programs only count the conflicts.
struct ConflictValues: Sendable {
  let row: PackedRow
  let entities: [EntityRuntime]

  /// The values by property.
  var byName: [String: PropertyValue] {
    let runtime = entities[row.entity]
    let layout = runtime.layout
    var result: [String: PropertyValue] = [:]
    withExtendedLifetime(row) {
      for column in layout.columns where !runtime.isHidden(column.slot) {
        let name = layout.attributes[column.slot].name
        if row.fileText(column.slot) != nil {
          result[name] = .boolean(true)
        } else if layout.slots[column.slot].isReference, let key = row.integer(column.slot) {
          let destination = runtime.relationship(ofSlot: column.slot).destination
          result[name] = .object(ManagedObjectID(entities[destination].identity, key))
        } else if PackedRowValues.isNull(row.base, column.slot) {
          result[name] = .null
        } else {
          result[name] = layout.value(row.base, column.slot)
        }
      }
    }
    return result
  }
}
