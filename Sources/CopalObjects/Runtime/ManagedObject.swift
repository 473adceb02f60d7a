public import CopalModel
import CopalStore

/// An object of an entity, which belongs to a context.
///
/// Generated classes inherit from it and add a typed property for every attribute. Without a
/// generated class, use the object by the names of its attributes:
///
/// ```swift
/// let library = ColorLibrary(context: context)  // generated
/// library.name = "好看的颜色呀!^_^"
///
/// let plain = try context.insert("ColorLibrary")  // by name
/// try plain.setValue("好看的颜色呀!^_^", forKey: "name")
/// ```
///
/// An object belongs to the isolation of its context and is not Sendable. Pass its ``objectID`` to
/// other contexts. Reading a property never throws and never ends the process. A value that cannot
/// be read is nil, or zero, false or empty for a property that is not Optional. The error is passed
/// to the `readFailureHandler` of the context or of the container. Without a handler, a line is
/// written to standard error. Functions that throw, for example ``value(of:as:)``, throw the error.
///
/// Two objects are equal when they are the same instance. A context has one instance for each id.
open class ManagedObject {
  /// The core of the object's context. A strong reference: the core outlives the context's handle.
  final let core: ContextCore

  /// The entity as this container serves it.
  // unowned(unsafe): the container's runtime owns it, and `core` keeps the runtime alive. A strong
  // reference would cost two atomic operations per object.
  unowned(unsafe) final let runtime: EntityRuntime

  /// The row's key; negative until the first save.
  final var key: Int64

  // The variables that accessors read. @exclusivity(unchecked): the dynamic check of a public
  // class's variable costs 7 ns in every read of a property. Objects are confined to one isolation,
  // and no other code runs while an accessor reads these.
  @exclusivity(unchecked) @usableFromInline final var flags: ObjectFlags
  /// The cohort of the object; 0 for none. What the object lacks is read with what its neighbors
  /// lack.
  final var cohort: UInt32 = 0
  /// The address of the row's values; nil without a row.
  @exclusivity(unchecked) @usableFromInline final var base: UnsafeRawPointer?
  /// The row that `base` points into. A fault may still have its former row, until it gets another
  /// one.
  @exclusivity(unchecked) final var placedRow: PackedRow?
  /// Changed, new, transient and decoded values.
  @exclusivity(unchecked) final var cellsReference: Unmanaged<ValueCells>?

  /// For contexts: makes an object from a seed. A class with stored properties of its own overrides
  /// it, as ``ObjectSeed`` shows; programs do not call it.
  public required init(_copal seed: consuming ObjectSeed) {
    core = seed.core.takeRetainedValue()
    runtime = seed.runtime
    key = seed.key
    let row = seed.row?.takeRetainedValue()
    base = row?.base
    placedRow = row
    flags = seed.flags
    seed.end()
  }

  // Does not access shared state, because it may run on any thread.
  deinit { cellsReference?.release() }

  // MARK: Hooks

  /// Called once after the object has been inserted and the defaults have been set.
  ///
  /// Override it for defaults that the model cannot express. It may set properties.
  open func awakeFromInsert() {}

  /// Called after values have been read from the store: after a fetch, or when a fault has been
  /// filled.
  ///
  /// Override it to compute transient values. Set them with `setPrimitiveValue`, which does not
  /// mark the object as changed.
  open func awakeFromFetch() {}

  /// Called before a save validates and writes the object, also when only transient values have
  /// changed, and before a save deletes the object.
  ///
  /// It may change this object and others. Objects that are changed here are part of the save, and
  /// their hook is called too. A save calls the hook once for each object.
  open func willSave() {}

  /// Called after a save has written or deleted the object. Changes made here are part of the next
  /// save.
  open func didSave() {}

  /// Called when the object is marked as deleted, while it still has its values.
  open func prepareForDeletion() {}

  /// Called after the object has become a fault and has released its values.
  open func didTurnIntoFault() {}

  /// Override it to check a new object before it is saved. What it throws is a cause of the error
  /// of the save. The rules of the model are checked in addition.
  open func validateForInsert() throws {}

  /// Override it to check a changed object before it is saved. What it throws is a cause of the
  /// error of the save. The rules of the model are checked in addition.
  open func validateForUpdate() throws {}

  /// Override it to check an object before its deletion is saved. What it throws is a cause of the
  /// error of the save.
  open func validateForDelete() throws {}
}

@available(*, unavailable, message: "objects stay with their context; pass objectID instead")
extension ManagedObject: Sendable {}

extension ManagedObject: Hashable {
  public static func == (a: ManagedObject, b: ManagedObject) -> Bool { a === b }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension ManagedObject {
  /// The id of the object; temporary until its first save.
  public final var objectID: ManagedObjectID { ManagedObjectID(runtime.identity, key) }

  /// The name of the object's entity.
  public final var entityName: String { runtime.layout.name }

  /// The description of the object's entity.
  public final var entity: EntityDescription { runtime.layout.entity }

  /// Whether the object is a fault: its values have not been read yet. The next read of a property
  /// reads them.
  public final var isFault: Bool { flags.contains(.fault) }

  /// Whether the object is new: it has been inserted and not yet saved.
  public final var isInserted: Bool { flags.contains(.inserted) && !flags.contains(.gone) }

  /// Whether a property of the object has been set since the object was read or saved. False for
  /// new and deleted objects.
  public final var isUpdated: Bool {
    flags.contains(.updated) && flags.isDisjoint(with: [.inserted, .deleted, .gone])
  }

  /// Whether the object has been marked as deleted, or the store no longer has it.
  public final var isDeleted: Bool { !flags.isDisjoint(with: [.deleted, .missing]) }

  /// Whether a read has found that the store no longer has the object, because another context or
  /// program has deleted it. ``isDeleted`` is then also true.
  public final var isMissingInStore: Bool { flags.contains(.missing) }

  /// Whether the object is part of the next save: it is new, changed or deleted.
  public final var hasChanges: Bool {
    // A new object that is being deleted leaves the context after `prepareForDeletion()`.
    !flags.isDisjoint(with: [.inserted, .updated, .deleted]) && !flags.contains(.gone)
      && !flags.isSuperset(of: [.inserted, .deleted])
  }
}

/// What a context makes an object from. Only contexts make seeds.
///
/// It is not copyable, because one object is made from it. A class with stored properties of its
/// own passes it on:
///
/// ```swift
/// required init(_copal seed: consuming ObjectSeed) {
///   started = .now
///   super.init(_copal: seed)
/// }
/// ```
public struct ObjectSeed: ~Copyable {
  // Unmanaged: the object takes these references. Counting them once more would cost 10 % of making
  // an object.
  fileprivate let core: Unmanaged<ContextCore>
  fileprivate let row: Unmanaged<PackedRow>?
  // unowned(unsafe): the core's container keeps it alive, as for the object.
  fileprivate unowned(unsafe) let runtime: EntityRuntime
  fileprivate let key: Int64
  fileprivate let flags: ObjectFlags

  init(
    core: ContextCore, runtime: EntityRuntime, key: Int64, flags: ObjectFlags
  ) {
    self.init(core: core, runtime: runtime, key: key, row: nil, flags: flags)
  }

  /// The seed of an object with values.
  init(core: ContextCore, runtime: EntityRuntime, key: Int64, row: consuming PackedRow) {
    let flags: ObjectFlags = row.hasTypeMismatch ? .hasTypeMismatch : []
    self.init(
      core: core, runtime: runtime, key: key, row: Unmanaged.passRetained(row), flags: flags)
  }

  private init(
    core: ContextCore, runtime: EntityRuntime, key: Int64, row: Unmanaged<PackedRow>?,
    flags: ObjectFlags
  ) {
    self.core = .passRetained(core)
    self.runtime = runtime
    self.key = key
    self.row = row
    self.flags = flags
  }

  // A seed of which no object was made.
  deinit {
    core.release()
    row?.release()
  }

  /// Ends a seed whose references belong to an object now.
  fileprivate consuming func end() { discard self }
}

/// The entity of an object.
extension ManagedObject {
  /// Whether the object is one of an entity or of a subentity of it.
  ///
  /// The comparison with the object's own entity nearly always decides.
  @inline(__always)
  final func isObject(of entity: Int) -> Bool { runtime.index == entity || inherits(from: entity) }

  // Not inlined: otherwise the compiler counts a reference to the runtime in every call, which
  // takes longer than the rest of reading a to-one relationship.
  @inline(never)
  private final func inherits(from entity: Int) -> Bool { runtime.isKind(of: entity) }
}
