import CopalModel

/// A transformer with another name than its own.
///
/// Registries unwrap it, and keep and use the transformer itself.
struct NamedTransformer<Base: AttributeTransformer>: AttributeTransformer {
  let base: Base
  let name: TransformerName

  func encode(_ value: Base.Value) throws -> Base.Stored { try base.encode(value) }
  func decode(_ stored: Base.Stored) throws -> Base.Value { try base.decode(stored) }
  func decode(bytes: UnsafeRawBufferPointer) throws -> Base.Value { try base.decode(bytes: bytes) }
  var version: Int? { base.version }
  func decode(_ stored: Base.Stored, version: Int?) throws -> Base.Value {
    try base.decode(stored, version: version)
  }
  var allowsEncoding: Bool { base.allowsEncoding }
  var isSecure: Bool { base.isSecure }
  var samples: [Base.Value] { base.samples }
  func selfTest() throws { try base.selfTest() }
}

/// Any `NamedTransformer`, whatever its base.
protocol RenamedTransformer {
  associatedtype Base: AttributeTransformer
  var base: Base { get }
}

extension NamedTransformer: RenamedTransformer {}
