import CopalEssentials
import CopalModel
import CopalStore

extension ManagedObjectContext {
  /// Inserts a new object of the entity of that name. Use it for entities without a generated
  /// class; with one, use `init(context:)` of the class.
  ///
  /// Defaults are set, then `awakeFromInsert()` is called. The next save writes the object.
  ///
  /// - Throws: `request.unknownEntity` when the model has no entity of that name;
  ///   `request.abstractEntity` when the entity is abstract.
  @discardableResult
  public func insert(_ entityName: String) throws -> ManagedObject {
    let runtime = try runtime(named: entityName)
    if runtime.layout.entity.isAbstract { throw state.container.isAbstract(runtime) }
    let object = runtime.objectClass.init(_copal: seed(forInserting: runtime))
    didMake(inserted: object)
    return object
  }

  /// The seed of a new object of a class.
  ///
  /// - Precondition: the class belongs to an entity of the model that is not abstract. A class of
  ///   another model, and that of an abstract entity, is a programming error.
  func seed(forInserting objectClass: ManagedObject.Type) -> ObjectSeed {
    // Programs often insert many objects of one class.
    if let last = state.lastInserted, last.objectClass == objectClass {
      return seed(forInserting: last)
    }
    guard let index = state.container.entityByClass[ObjectIdentifier(objectClass)] else {
      misuse(
        "\(objectClass) is not the class of an entity of the model '\(model.name)'; the classes of its entities are \(state.container.classNames)"
      )
    }
    let runtime = state.container.entities[index]
    if runtime.layout.entity.isAbstract { misuse(state.container.isAbstract(runtime).description) }
    state.lastInserted = runtime
    return seed(forInserting: runtime)
  }

  private func seed(forInserting runtime: EntityRuntime) -> ObjectSeed {
    ObjectSeed(
      core: core, runtime: runtime, key: state.makeTemporaryKey(root: runtime.root),
      flags: [.inserted, .hasPendingValues])
  }

  /// Registers a new object, sets the model's defaults, and calls `awakeFromInsert()`.
  func didMake(inserted object: ManagedObject) {
    state.note(changed: object)
    state.recorder?.didInsert(object)
    if state.events != nil { state.collect { $0.note(object, .inserted) } }
    object.setDefaults()
    if object.runtime.overridesHooks { object.awakeFromInsert() }
  }
}

extension ManagedObject {
  /// Inserts a new object of this class into a context.
  ///
  /// Defaults are set, then `awakeFromInsert()` is called. The next save writes the object.
  ///
  /// - Precondition: the class serves an entity of the context's model.
  // borrowing: contexts have weak references, which make counting references slow.
  public convenience init(context: borrowing ManagedObjectContext) {
    self.init(_copal: context.seed(forInserting: Self.self))
    context.didMake(inserted: self)
  }
}
