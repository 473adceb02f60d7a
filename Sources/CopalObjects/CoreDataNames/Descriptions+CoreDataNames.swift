public import CopalModel

// Core Data's names on the descriptions of a model and on ids. None of it compiles; the compiler's
// error names what to write instead.

extension ManagedObjectModel {
  /// Core Data's dictionary of the entities.
  @available(*, unavailable, message: "use entity(_:) for one entity, and entities for all")
  public var entitiesByName: [String: EntityDescription] { misuse("unavailable") }

  /// Core Data's name for a fetch request of the model.
  @available(*, unavailable, message: "use fetchRequest(named:in:variables:)")
  public func fetchRequestTemplate(forName name: String) -> FetchRequestTemplate? {
    misuse("unavailable")
  }

  /// Core Data's name for a fetch request of the model with values for its variables.
  @available(*, unavailable, message: "use fetchRequest(named:in:variables:)")
  public func fetchRequestFromTemplate(
    withName name: String, substitutionVariables variables: [String: Any]
  ) -> FetchRequestTemplate? { misuse("unavailable") }
}

extension EntityDescription {
  /// Core Data's dictionary of the attributes.
  @available(*, unavailable, message: "use attribute(_:) for one attribute, and attributes for all")
  public var attributesByName: [String: AttributeDescription] { misuse("unavailable") }

  /// Core Data's name for ``className``.
  @available(*, unavailable, renamed: "className")
  public var managedObjectClassName: String { misuse("unavailable") }

  /// Core Data's name for ``uniqueConstraints``.
  @available(*, unavailable, renamed: "uniqueConstraints")
  public var uniquenessConstraints: [[Any]] { misuse("unavailable") }

  /// Core Data's name for ``renamedFrom``.
  @available(*, unavailable, renamed: "renamedFrom")
  public var renamingIdentifier: String? { misuse("unavailable") }
}

extension AttributeDescription {
  /// Core Data's name for ``type``.
  @available(*, unavailable, renamed: "type")
  public var attributeType: AttributeType { misuse("unavailable") }

  /// Core Data's name for ``customClass``.
  @available(*, unavailable, renamed: "customClass")
  public var attributeValueClassName: String? { misuse("unavailable") }

  /// Core Data's name for ``transformer``.
  @available(*, unavailable, renamed: "transformer")
  public var valueTransformerName: String? { misuse("unavailable") }

  /// Core Data's name for ``renamedFrom``.
  @available(*, unavailable, renamed: "renamedFrom")
  public var renamingIdentifier: String? { misuse("unavailable") }
}

extension ManagedObjectID {
  /// Core Data's name for ``isTemporary``.
  @available(*, unavailable, renamed: "isTemporary")
  public var isTemporaryID: Bool { misuse("unavailable") }

  /// Core Data's URI of an id. Here it is text.
  @available(
    *, unavailable, message: "use description, which is a URI as text, and init(uri:) to read it"
  )
  public func uriRepresentation() -> String { misuse("unavailable") }
}
