extension Connection {
  /// Opens the file of a store for reading and writing, with the options of the store.
  convenience init(path: String, _ options: SQLiteStore.Options, createsFile: Bool) throws {
    try self.init(
      path: path, createsFile ? .creating : .writing,
      busyTimeoutSeconds: options.busyTimeoutSeconds,
      pageCacheKilobytes: options.pageCacheKilobytes, onStatement: options.onStatement)
    switch options.durability {
    case .normal: try run("PRAGMA synchronous=NORMAL")
    case .full: try run("PRAGMA synchronous=FULL")
    }
    if options.pageCacheKilobytes < Connection.defaultCacheKilobytes { try takePageCache() }
  }
}
