public import CopalStore

extension SQLiteStore {
  /// Opens the store in a file, and creates the file when it does not exist.
  ///
  /// - Parameters:
  ///   - path: the path of the file. Its folder must exist.
  ///   - schema: the schema of the container's model.
  ///   - options: the options of the store.
  /// - Throws: ``PersistenceError`` with a code of `store.…`. A file that cannot be opened is not
  ///   changed.
  public convenience init(path: String, schema: StoreSchema, options: Options = Options()) throws {
    try self.init(path: path, OpeningRequest(schema), options: options)
  }

  /// Opens the store in a file as a request says.
  convenience init(path: String, _ request: OpeningRequest, options: Options) throws {
    let path = StorePath(path)
    let opened = try StoreOpening(path: path, request: request, options: options).open()
    try self.init(opened, path: path.text, schema: request.schema, options: options)
  }

  /// Looks for the commits of other programs, if the options ask for it.
  public var foreignCommits: (any ForeignCommits)? {
    guard let commitCounter, let interval = options.noticesOtherPrograms else { return nil }
    return ForeignCommitWatch(self, commitCounter, interval, number: commitNumber)
  }

  /// Makes a session for one context. Each session has its own connection.
  ///
  /// - Throws: ``PersistenceError`` with a code of `store.…` when the file cannot be opened or has
  ///   been replaced by another file.
  public func makeSession() throws -> sending any StoreSession {
    SQLiteSession(self, try idleConnection())
  }
}
