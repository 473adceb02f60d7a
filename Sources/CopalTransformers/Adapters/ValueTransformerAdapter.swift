public import CopalEssentials
public import CopalModel
public import CopalObjects
import CopalStore

/// Uses a transformer that was written for Core Data: a ``ValueTransforming`` class.
///
/// Say what its forward function does, and give samples. Then the container tests it when it opens:
///
/// ```swift
/// try ValueTransformerAdapter(
///   "FinishTransformer", FinishValueTransformer(), of: Finish.self, forward: .encodes,
///   samples: [.matt, .gloss]
/// ).register()
/// ```
///
/// A transformer with the other direction throws `transformer.wrongDirection`, which says what to
/// write. A function that returns nil, or a value of another type, throws `transformer.noResult`.
/// So nothing becomes nil, or NULL in the store, by a failure.
///
/// A transformer whose `allowsReverseTransformation` is false is one-way. With
/// ``ForwardDirection/decodes`` it is read-only, as a `ReadOnlyTransformer` is. With
/// ``ForwardDirection/encodes`` it cannot read, so every read throws.
public struct ValueTransformerAdapter<Base: ValueTransforming, Value>: AttributeTransformer {
  /// The name that models use.
  public let name: TransformerName
  /// Whether the class checks which classes it decodes. False unless the initializer says so.
  public let isSecure: Bool
  private let base: Base
  private let forward: ForwardDirection
  private let makeSamples: @Sendable () -> [Value]

  /// An adapter with the name that models use.
  ///
  /// - Parameters:
  ///   - base: the transformer.
  ///   - type: the type of the property: the `class` of the attribute in the model.
  ///   - forward: what the forward function does.
  ///   - isSecure: whether the transformer refuses classes that it does not know. Otherwise opening
  ///     gives the warning `transformer.notSecure`.
  ///   - samples: values that the container encodes and decodes when it opens.
  public init(
    _ name: TransformerName, _ base: Base, of type: Value.Type = Value.self,
    forward: ForwardDirection, isSecure: Bool = false,
    samples: @escaping @Sendable @autoclosure () -> [Value]
  ) {
    self.name = name
    self.base = base
    self.forward = forward
    self.isSecure = isSecure
    makeSamples = samples
  }

  /// The samples of the initializer.
  public var samples: [Value] { makeSamples() }

  /// False for a one-way transformer whose forward function decodes.
  public var allowsEncoding: Bool {
    forward == .encodes || Base.allowsReverseTransformation()
  }

  /// The data that the transformer makes of a value.
  ///
  /// - Throws: `transformer.wrongDirection` or `transformer.noResult`.
  public func encode(_ value: Value) throws -> Data {
    let result = call(forward == .encodes, value)
    if let data = result as? Data { return data }
    if call(forward != .encodes, value) is Data { throw wrongDirection }
    throw noResult(result, expected: "Data")
  }

  /// The value that the transformer makes of data.
  ///
  /// - Throws: `transformer.wrongDirection` or `transformer.noResult`.
  public func decode(_ stored: Data) throws -> Value {
    let result = call(forward == .decodes, stored)
    if let value = result as? Value { return value }
    if call(forward != .decodes, stored) is Value { throw wrongDirection }
    throw noResult(result, expected: "\(Value.self)")
  }

  /// Tests both directions with the samples.
  ///
  /// - Throws: `transformer.wrongDirection`, or what the default test of a transformer throws.
  public func selfTest() throws {
    // The first sample shows the direction, before a pair of wrong functions confuses the test.
    if let sample = samples.first, allowsEncoding, !(call(forward == .encodes, sample) is Data),
      call(forward != .encodes, sample) is Data
    {
      throw wrongDirection
    }
    try testSamples()
  }

  private func call(_ isForward: Bool, _ value: Any) -> Any? {
    if isForward { return base.transformedValue(value) }
    return Base.allowsReverseTransformation() ? base.reverseTransformedValue(value) : nil
  }

  private var wrongDirection: PersistenceError {
    PersistenceError(
      .wrongDirection, found: name.rawValue, expected: forward == .encodes ? "decodes" : "encodes")
  }

  private func noResult(_ result: Any?, expected: String) -> PersistenceError {
    PersistenceError(
      .noResult, found: result.map { "a value of the type \(type(of: $0))" } ?? "nil",
      expected: expected)
  }
}
