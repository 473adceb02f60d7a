public import CopalEssentials
public import CopalStore

extension StoreConfiguration {
  /// Not a store: a SQLite store needs a file. Write ``sqlite(named:options:)`` or
  /// ``sqlite(at:options:)``.
  @available(
    *, unavailable,
    message: "a SQLite store needs a file: write .sqlite(named: \"Atelier\") or .sqlite(at: url)"
  )
  public static var sqlite: StoreConfiguration { sqlite(named: "") }

  /// A store in a SQLite file at a URL. The file is created when it does not exist.
  ///
  /// ```swift
  /// let container = try PersistentContainer(model: .atelier, store: .sqlite(at: url))
  /// ```
  ///
  /// - Parameters:
  ///   - url: the URL of the file. Its folder must exist. A URL that is not a file URL makes the
  ///     container throw `store.cannotOpen`.
  ///   - options: timeout, durability and other options.
  public static func sqlite(
    at url: URL, options: SQLiteStore.Options = SQLiteStore.Options()
  ) -> StoreConfiguration {
    StoreConfiguration(SQLiteDriver(.url(url), options))
  }

  /// A store in a SQLite file in the default folder for the user's data. The file is created when
  /// it does not exist.
  ///
  /// ```swift
  /// let container = try PersistentContainer(
  ///   model: .atelier, store: .sqlite(named: "Atelier"), transformers: [InkTransformer()])
  /// ```
  ///
  /// - Parameters:
  ///   - name: the name of the store; ``SQLiteStore/defaultURL(named:)`` returns the URL of its
  ///     file. The folder is created when it is missing. A slash becomes an underscore. A name that
  ///     is not possible for a file makes the container throw `store.cannotOpen`: an empty name,
  ///     `.`, `..`, a name with a NUL character, or one of more than 200 bytes.
  ///   - options: timeout, durability and other options.
  public static func sqlite(
    named name: String, options: SQLiteStore.Options = SQLiteStore.Options()
  ) -> StoreConfiguration {
    StoreConfiguration(SQLiteDriver(.name(name), options))
  }
}
