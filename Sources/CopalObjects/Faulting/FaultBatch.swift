/// The keys of one result of faults, in its order: who is whose neighbour.
final class FaultBatch {
  let keys: [Int64]
  let size: Int
  /// Where each key is; made when the order of reading is not the order of the result.
  private var positions: [Int64: Int] = [:]
  private var next = 0

  init(keys: [Int64], size: Int) {
    self.keys = keys
    self.size = max(1, size)
  }

  /// The keys from the given one on, as many as one statement serves.
  func neighbours(of key: Int64) -> ArraySlice<Int64> {
    guard let start = position(of: key) else { return [key] }
    let end = min(keys.count, start + size)
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
