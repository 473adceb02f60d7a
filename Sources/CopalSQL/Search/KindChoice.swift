/// The choice between the two ways to read the rows of some entities in a table of several: by the
/// index of entities, or by key, leaving out the rows of other entities. Which is faster depends on
/// how many rows are left out, and on how often the rows of an entity follow each other.
///
/// A database knows neither when it prepares a statement. So the keys in some parts of the table
/// are looked at.
public struct KindChoice {
  /// The number of parts, which are spread over the table, and of keys of any entity in each.
  private static let partCount: Int64 = 16
  private static let partLength: Int64 = 256
  /// A table with fewer rows is not worth the choice.
  public static let leastRowCount: Int64 = 10_000

  /// Nanoseconds, as measured with SQLite; only their relations matter. `Docs/Performance.md` has
  /// the workloads.
  private enum Cost {
    /// To find the next row by the index, when it follows the last one in the table.
    static let next = 100.0
    /// What is added when other rows are between them.
    static let search = 240.0
    /// To sort a row by key, because several entities are read by the index.
    static let sort = 400.0
    /// To leave out a row of another entity.
    static let skip = 90.0
  }

  /// The rows of the entities that were seen, and those that follow the one before.
  private var count = 0.0
  private var neighborCount = 0.0
  /// The keys of the parts of the table.
  public let parts: [ClosedRange<Int64>]

  /// - Parameter rowCount: an upper bound for the number of rows in the table: the greatest key. At
  ///   least 1.
  public init(rowCount: Int64) {
    let length = min(Self.partLength, max(1, rowCount / Self.partCount))
    parts = (0..<Self.partCount).map { number in
      let start = 1 + number * (rowCount / Self.partCount)
      return start...start + length - 1
    }
  }

  /// The number of rows of the entities from which on a sorted query with a limit is faster by the
  /// index of its first sort key, where the rows of all entities are.
  ///
  /// That index gives one wanted row in `rowCount / count`, so that `wanted * rowCount / count`
  /// rows are looked at. The index of entities gives `count` rows, all of which are sorted.
  public static func threshold(rowCount: Int64, wantedCount: Double) -> Int {
    let rows = Double(rowCount)
    return Int(min(rows / 2, (rows * wantedCount).squareRoot()))
  }

  /// Takes the keys of the entities' rows in a part, in their order.
  public mutating func add(_ keys: [Int64]) {
    count += Double(keys.count)
    neighborCount += Double(zip(keys, keys.dropFirst()).count { $1 == $0 + 1 })
  }

  /// Whether reading by key is faster.
  ///
  /// - Parameter needsSort: whether the index does not give the rows in the order of their keys.
  public func prefersKey(needsSort: Bool) -> Bool {
    if count == 0 { return false }
    let all = parts.reduce(0.0) { $0 + Double($1.count) }
    let byIndex =
      Cost.next + Cost.search * (1 - neighborCount / count) + (needsSort ? Cost.sort : 0)
    return Cost.skip * (all / count - 1) < byIndex
  }
}
