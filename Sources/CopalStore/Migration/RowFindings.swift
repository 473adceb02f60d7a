/// The rows that do not fit a change of the model.
package struct RowFindings: Sendable {
  /// The number of these rows.
  package private(set) var count = 0
  /// The keys of the first of them.
  package private(set) var keys: [Int64] = []
  /// The number of keys that an error shows.
  private static let shownCount = 5

  package init() {}

  /// Adds a row.
  package mutating func add(_ key: Int64) {
    count += 1
    if keys.count < Self.shownCount { keys.append(key) }
  }

  /// The first keys, for a sentence: `p3, p9`.
  package var text: String {
    let shown = keys.map { "p\($0)" }.joined(separator: ", ")
    return count > keys.count ? shown + ", …" : shown
  }
}
