/// Work that programs do: a program is called with its name.
public protocol ProgramWorkload: RawRepresentable, Equatable, Sendable where RawValue == String {
  /// The work that makes a file, which the others of its kind read.
  static var maker: Self { get }
  /// The program that does the work with Copal.
  static var copalProgram: String { get }

  /// Whether the work changes the file, which is then a fresh copy.
  var changesFile: Bool { get }

  /// How often `Benchmarks/compare` has one process do the work after its first time: the shorter,
  /// the more often.
  var repeats: Int { get }
}

extension ProgramWorkload {
  /// Whether the work makes the file.
  public var makesFile: Bool { self == Self.maker }
}

/// The work that every program does.
///
/// The cases stay as they are: `Benchmarks/compare` builds the programs of older commits with this
/// enum, and they switch over it. What is asked of Copal alone is a ``GrowthWorkload``.
public enum Workload: String, CaseIterable, ProgramWorkload {
  /// Make objects, set eight properties, save, into a fresh file.
  case insert
  /// Fetch every object and touch every property.
  case fetchAll
  /// Fetch every object and touch one property.
  case fetchOne
  /// Fetch every key.
  case ids
  /// 10,000 gets by key, one by one.
  case get
  /// 10,000 gets by key in one read transaction.
  case getReading
  /// 1,000 filtered and sorted queries, every property touched.
  case filter
  /// Fetch 10 % of the objects, set two properties, save.
  case update
  /// Fetch 10 % of the objects, delete them, save.
  case delete
  /// 200 times: open, read the first row, close.
  case reopen

  public static let maker = insert
  public static let copalProgram = "bench-copal"

  public var changesFile: Bool { self == .update || self == .delete }

  public var repeats: Int {
    switch self {
    case .ids: 12
    case .insert, .filter: 2
    default: 4
    }
  }
}

extension Workload {
  /// The keys of the gets: spread over the table, each once.
  public static func keys(of rows: Int) -> [Int64] {
    let count = min(10_000, rows)
    // A step without a common factor visits every position once.
    let step = 7919
    return (0..<count).map { Int64($0 * step % rows) + 1 }
  }
}
