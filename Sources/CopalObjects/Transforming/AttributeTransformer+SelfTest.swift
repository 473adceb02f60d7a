import CopalModel
import CopalStore

extension AttributeTransformer {
  /// Encodes each sample, decodes the stored form, and encodes the result again.
  ///
  /// - Throws: `transformer.selfTestFailed` or `transformer.notIdempotent`. `found` is the name,
  ///   and `expected` the number of the sample.
  public func selfTest() throws { try testSamples() }

  /// The default of ``selfTest()``, for a transformer that tests more.
  ///
  /// - Throws: as ``selfTest()``.
  public func testSamples() throws {
    guard allowsEncoding else { return }
    for (index, sample) in samples.enumerated() {
      guard try isStable(sample, index) else {
        throw PersistenceError(
          .transformerNotIdempotent, found: name.rawValue, expected: "\(index)")
      }
    }
  }

  /// Whether a sample has the same stored form after it was stored and read.
  private func isStable(_ sample: Value, _ index: Int) throws -> Bool {
    do {
      let stored = try encode(sample)
      return try encode(decode(stored)).value == stored.value
    } catch {
      throw PersistenceError(
        .transformerSelfTestFailed, found: name.rawValue, expected: "\(index)", causes: [error])
    }
  }
}
