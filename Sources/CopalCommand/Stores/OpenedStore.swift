#if Command
  import CopalConsole
  import CopalEssentials
  import CopalModel
  import CopalObjects
  import CopalSQLite
  import CopalStore

  /// A store that a subcommand works with: its model is in its file.
  struct OpenedStore {
    let path: String
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

    /// Opens a store with the model in its file.
    ///
    /// - Parameter modelFile: a model file, for a store whose text this version refuses.
    init(_ path: String, for use: Use, modelFile: String? = nil) throws {
      try Self.waitForMaker(path)
      guard try ModelSource.isStore(path), let text = try StoreTexts.model(at: path) else {
        throw Self.noStore(path)
      }
      let complete = try Self.model(text, modelFile)
      if use != .reads, let problem = complete.problem {
        throw CommandFailure(
          .badInput,
          """
          copal: the model in \(path.printable) is not complete for this version, so its rules and \
          defaults are not known; write --model FILE with the model of the program:
          \(problem.problems.map { $0.description.printable }.joined(separator: "\n"))
          """)
      }
      try self.init(path, complete.model, text, use, complete.problem)
    }

    /// Makes a store that is not there, and fills it. It is there when it is whole.
    ///
    /// - Parameters:
    ///   - model: the model, and its complete text; not asked for a store that is there.
    ///   - body: fills the store.
    /// - Returns: nil when there is a file at the path.
    static func making<R>(
      _ path: String, _ model: () throws -> (ManagedObjectModel, String),
      _ body: (OpenedStore) throws -> R
    ) throws -> R? {
      do {
        return try NewStore(at: path, isCanceled: Interruption.isRequested).make { place in
          let (model, text) = try model()
          return try body(OpenedStore(place, model, text, .writes, nil))
        }
      } catch let error as PersistenceError where error.code == .pathTaken {
        throw CommandFailure(
          .inputOutput,
          "copal: another program has made \(path.printable) meanwhile; nothing was imported; try again"
        )
      }
    }

    private init(
      _ path: String, _ model: ManagedObjectModel, _ text: String, _ use: Use,
      _ incomplete: ModelError?
    ) throws {
      (self.path, modelText, self.incomplete) = (path, text, incomplete)
      var options = SQLiteStore.Options()
      options.isReadOnly = use != .writes
      container = try PersistentContainer(
        tool: model, store: .sqlite(at: URL(filePath: path), options: options),
        transformers: CommandSetup.current.withLock { $0.transformers })
    }

    /// Waits while another program makes the store: the file is empty at first, and for a moment
    /// without a lock.
    private static func waitForMaker(_ path: String) throws {
      let end = ContinuousClock.now + .seconds(SQLiteStore.Options().busyTimeoutSeconds)
      var rounds = 0
      var status = stat()
      while stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size == 0 {
        if StoreTexts.isBeingMade(at: path) {
          if ContinuousClock.now >= end { throw PersistenceError(.busy, path: path) }
        } else {
          rounds += 1
          if rounds == 10 { return }
        }
        usleep(20_000)
      }
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

    static func noStore(_ path: String) -> CommandFailure {
      if access(path, F_OK) != 0 {
        return CommandFailure(
          .inputOutput,
          "copal: \(path.printable) cannot be read: \(String(cString: strerror(errno)))")
      }
      return CommandFailure(.badInput, "copal: \(path.printable) is no store")
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
