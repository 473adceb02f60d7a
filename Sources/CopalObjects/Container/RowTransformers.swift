package import CopalEssentials
package import CopalModel
import CopalStore

/// The stored form of a transformable whose transformer a tool does not have.
package struct StoredForm: Sendable, Equatable {
  /// The bytes, the text or the number.
  package let value: PropertyValue

  package init(_ value: PropertyValue) { self.value = value }
}

/// Takes the place of a transformer that a tool does not have: the value is the stored form.
struct StoredFormTransformer<Stored: TransformerStorage>: AttributeTransformer {
  let name = TransformerName("StoredForm")

  /// Every stored version is an older one, and its value is its form.
  var version: Int? { .max }
  var allowsEncoding: Bool { false }

  func encode(_ value: StoredForm) throws -> Stored {
    throw PersistenceError(.transformerReadOnly, found: name.rawValue)
  }

  func decode(_ stored: Stored) -> StoredForm { StoredForm(stored.value) }
  func decode(_ stored: Stored, version: Int?) -> StoredForm { StoredForm(stored.value) }
}

extension StoredFormTransformer where Stored == Data {
  /// The one for a storage type.
  static func make(_ storage: StorageType) -> any AttributeTransformer {
    switch storage {
    case .blob: StoredFormTransformer<Data>()
    case .text: StoredFormTransformer<String>()
    case .integer: StoredFormTransformer<Int64>()
    case .real: StoredFormTransformer<Double>()
    }
  }
}

/// The transformables of an entity, for a tool that reads rows.
package struct RowTransformers: Sendable {
  private let runtime: EntityRuntime

  /// - Parameter entity: the position of the entity in the schema.
  package init(_ container: PersistentContainer, entity: Int) {
    runtime = container.runtime.entities[entity]
  }

  /// The slot with the version of the transformer that encoded the value of a slot; nil for none.
  package func versionSlot(of slot: Int) -> Int? { runtime.versionSlots[slot] }

  /// The version of the transformer's form; nil for none.
  package func version(of slot: Int) -> Int? {
    isKnown(slot) ? runtime.transformers[slot]?.version : nil
  }

  /// Whether the tool has the transformer of a slot.
  package func isKnown(_ slot: Int) -> Bool {
    runtime.transformers[slot].map { $0.valueType != StoredForm.self } ?? false
  }

  /// The type of the values of a slot.
  package func valueType(_ slot: Int) -> Any.Type {
    runtime.transformers[slot]?.valueType ?? Any.self
  }

  /// The value of a stored form.
  ///
  /// - Throws: the error of the transformer.
  package func value(of stored: PropertyValue, version: Int?, _ slot: Int) throws -> Any? {
    guard let transformer = runtime.transformers[slot] else { return nil }
    return try transformer.decode(
      stored, version: version, isVersioned: runtime.versionSlots[slot] != nil
    ).any
  }

  /// The stored form of a value.
  ///
  /// - Throws: the error of the transformer, or of a value of another type.
  package func storedForm(of value: Any, _ slot: Int) throws -> PropertyValue {
    guard let transformer = runtime.transformers[slot],
      let typed = transformer.decodedValue(of: value)
    else { throw _copalTypeMismatch(of: value, expected: valueType(slot)) }
    return try transformer.encodedForm(typed)
  }

  /// The value in the file of a name that a row has.
  ///
  /// - Throws: `object.externalFileMissing`, `object.externalFileUnreadable`.
  package func fileValue(_ name: String) throws -> Data {
    guard let files = runtime.externalFiles, let name = ExternalFileName(name) else {
      throw PersistenceError(.externalFileMissing, entity: runtime.layout.name)
    }
    return try files.read(name)
  }
}
