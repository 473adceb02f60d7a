/// The keys of one result of faults, in its order: the keys that are fetched together.
final class FaultBatch {
  let keys: [Int64]
  let size: Int
  /// The position of each key. Built when keys are not read in the order of the result.
  private var positions: [Int64: Int] = [:]
  private var next = 0

  init(keys: [Int64], size: Int) {
    self.keys = keys
    self.size = max(1, size)
  }

  /// The group of keys that are fetched together with a key.
  ///
  /// The groups are fixed, so that reading in any order needs no more statements than reading from
  /// the front.
  func neighbors(of key: Int64) -> ArraySlice<Int64> {
    guard let position = position(of: key) else { return [key] }
    let start = position - position % size
    let end = start + min(size, keys.count - start)
    next = end
    return keys[start..<end]
  }

  private func position(of key: Int64) -> Int? {
    if next < keys.count, keys[next] == key { return next }
    if positions.isEmpty {
      positions = Dictionary(
        keys.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    }
    return positions[key]
  }
}
