/// The rows that do not fit a change of the model.
package struct RowFindings: Sendable {
  /// The number of these rows.
  package private(set) var count = 0
  /// The first of them.
  package private(set) var rows: [FormerRow] = []
  /// The number of rows that an error shows.
  private static let shownCount = 5

  package init() {}

  /// Adds a row.
  package mutating func add(_ key: Int64, of root: String) {
    count += 1
    if rows.count < Self.shownCount { rows.append(FormerRow(root: root, key: key)) }
  }

  /// The first keys, for a sentence: `p3, p9`, or `Author p3, Editor p9`.
  package var text: String {
    let withRoot = Set(rows.map(\.root)).count > 1
    let shown = rows.map { $0.text(withRoot: withRoot) }.joined(separator: ", ")
    return count > rows.count ? shown + ", …" : shown
  }
}

/// A row as a store has it before a migration: what the ids of the older model have.
package struct FormerRow: Sendable, Equatable {
  /// The name of the root entity in the model of the store.
  package let root: String
  package let key: Int64

  package init(root: String, key: Int64) {
    self.root = root
    self.key = key
  }

  /// The key, with the name of the root where rows are of several.
  package func text(withRoot: Bool) -> String { withRoot ? "\(root) p\(key)" : "p\(key)" }
}
