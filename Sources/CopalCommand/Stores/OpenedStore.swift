#if Command
  import CopalModel
  import CopalObjects
  import CopalStore

  /// A store that a subcommand works with: its model is in it.
  struct OpenedStore {
    let address: StoreAddress
    let container: PersistentContainer
    /// The complete text of the model.
    let modelText: String
    /// Why the text is no complete model any more, so that only the parts that concern a store are
    /// known; nil for a complete one.
    let incomplete: ModelError?

    var model: ManagedObjectModel { container.model }

    /// What a subcommand does.
    enum Use {
      /// It reads. What the model says of values and code is not needed.
      case reads
      /// It reads, and asks the rules of the model.
      case checks
      /// It writes.
      case writes
    }

    /// Opens a store with the model in it.
    ///
    /// - Parameter modelFile: a model file, for a store whose text this version refuses.
    init(_ store: String, for use: Use, modelFile: String? = nil) throws {
      let address = try StoreAddress(store)
      try address.waitForMaker()
      let text = try address.modelText()
      let complete = try Self.model(text, modelFile)
      if use != .reads, let problem = complete.problem {
        throw CommandFailure(
          .badInput,
          """
          copal: the model in \(store.printable) is not complete for this version, so its rules and \
          defaults are not known; write --model FILE with the model of the program:
          \(problem.problems.map { $0.description.printable }.joined(separator: "\n"))
          """)
      }
      try self.init(address, complete.model, text, use, complete.problem)
    }

    /// Makes a store that is not there, and fills it. It is there when it is whole.
    ///
    /// - Parameters:
    ///   - model: the model, and its complete text; not asked for a store that is there.
    ///   - body: fills the store.
    /// - Returns: nil when there is a store, or something else.
    static func making<R>(
      _ store: String, _ model: () throws -> (ManagedObjectModel, String),
      _ body: (OpenedStore) throws -> R
    ) throws -> R? {
      try StoreAddress(store).making { place in
        let (model, text) = try model()
        return try body(OpenedStore(place, model, text, .writes, nil))
      }
    }

    private init(
      _ address: StoreAddress, _ model: ManagedObjectModel, _ text: String, _ use: Use,
      _ incomplete: ModelError?
    ) throws {
      (self.address, modelText, self.incomplete) = (address, text, incomplete)
      container = try PersistentContainer(
        tool: model, store: address.configuration(isReadOnly: use != .writes),
        transformers: CommandSetup.current.withLock { $0.transformers })
    }

    private static func model(_ text: String, _ file: String?) throws -> (
      model: ManagedObjectModel, problem: ModelError?
    ) {
      let stored = try ManagedObjectModel(stored: text)
      if let file {
        let model = try ModelSource.model(file)
        guard ModelSource.schema(model, for: stored).hash == StoreSchema(stored).hash else {
          throw CommandFailure(
            .badInput,
            "copal: \(file.printable) is not the model of the store; copal diff shows what differs, and copal migrate moves the store"
          )
        }
        return (ModelSource.schema(model, for: stored).model, nil)
      }
      do {
        return (try ManagedObjectModel(json: text, file: "the store's model"), nil)
      } catch {
        return (stored, error)
      }
    }
  }

  extension ModelSource {
    /// The schema that a program with a model would have for a store. A transformable whose
    /// transformer is not known here keeps the storage that the store has.
    static func schema(_ model: ManagedObjectModel, for stored: ManagedObjectModel) -> StoreSchema {
      let known = CommandSetup.current.withLock { $0.transformers }
      let storage = model.entities.flatMap { entity in
        entity.storedAttributes.filter { $0.type == .transformable }.map { attribute in
          attribute.storage
            ?? attribute.transformer.flatMap { name in
              known.first { $0.name == name }.map { Self.storage($0) }
            } ?? former(of: attribute, entity, in: stored)?.storage ?? .blob
        }
      }
      return StoreSchema(model.storing(transformablesAs: storage))
    }

    private static func storage<T: AttributeTransformer>(_ transformer: T) -> StorageType {
      T.Stored.storageType
    }

    private static func former(
      of attribute: AttributeDescription, _ entity: EntityDescription, in stored: ManagedObjectModel
    ) -> AttributeDescription? {
      let names = [attribute.name] + attribute.renamedFrom
      let entities = [entity.name] + entity.renamedFrom
      return entities.lazy.compactMap { stored.entity($0) }.first.flatMap { entity in
        names.lazy.compactMap { entity.attribute($0) }.first
      }
    }
  }
#endif
