#if Command
  import CopalModel
  public import CopalStore

  /// Stores that have an address in place of a path, such as those on a server. A program adds them
  /// to its command:
  ///
  /// ```swift
  /// CopalCommand.main(stores: [AddressedStores(scheme: "cloud") { address, isReadOnly in
  ///   .cloud(at: address, isReadOnly: isReadOnly)
  /// }])
  /// ```
  ///
  /// `copal inspect cloud://example.com/shop` and the other subcommands then work with them.
  public struct AddressedStores: Sendable {
    /// The scheme of their addresses, in small letters: what is before `://`. An address can have
    /// capitals.
    public let scheme: String
    /// The configuration of the store with an address.
    let configuration:
      @Sendable (_ address: String, _ isReadOnly: Bool) throws -> StoreConfiguration
    /// The complete text of the model of the store with an address; nil when there is no store.
    let modelText: @Sendable (_ address: String) throws -> String?

    /// The stores of a scheme.
    ///
    /// - Parameters:
    ///   - modelText: the text of the model that a store was written with; nil when there is no
    ///     store at the address. By default, the model that the configuration's
    ///     ``StoreConfiguration/inspect()`` returns.
    ///   - configuration: the configuration of the store with an address. `isReadOnly` is true for
    ///     a subcommand that only reads.
    public init(
      scheme: String, modelText: (@Sendable (_ address: String) throws -> String?)? = nil,
      configuration:
        @escaping @Sendable (_ address: String, _ isReadOnly: Bool) throws -> StoreConfiguration
    ) {
      self.scheme = scheme.lowercased()
      self.configuration = configuration
      self.modelText =
        modelText ?? { try configuration($0, true).inspect()?.model.canonicalJSON }
    }
  }
#endif
