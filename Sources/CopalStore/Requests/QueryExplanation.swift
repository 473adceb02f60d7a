/// How a store finds the objects of a query. A context adds what it does in memory.
public struct QueryExplanation: Sendable, Hashable, CustomStringConvertible {
  /// The statement; nil for a store that has no statements.
  public var statement: String?
  /// For each placeholder of the statement, the kind of its value: "integer", "text", "blob",
  /// "real" or "null". The values themselves are not in it.
  public var bindings: [String]
  /// The steps by which the database finds the rows, as it names them.
  public var steps: [String]
  /// The tables that are read completely.
  public var scannedTables: [String]
  /// For each part of the query that ignores case or diacritics: which index finds its rows, or why
  /// none does.
  public var searches: [String]
  /// What the context does in memory: one sentence for each thing.
  public var inMemory: [String]
  /// The number of objects that the query finds; for a query for values, the number of rows.
  public var objectCount: Int

  /// An explanation.
  public init(
    statement: String? = nil, bindings: [String] = [], steps: [String] = [],
    scannedTables: [String] = [], searches: [String] = [], inMemory: [String] = [],
    objectCount: Int = 0
  ) {
    self.statement = statement
    self.bindings = bindings
    self.steps = steps
    self.scannedTables = scannedTables
    self.searches = searches
    self.inMemory = inMemory
    self.objectCount = objectCount
  }

  /// Whether the database finds the rows by indexes or keys, and reads no table completely.
  public var usesIndexes: Bool { statement != nil && scannedTables.isEmpty }

  /// The explanation in several lines.
  public var description: String {
    var lines = [statement ?? "The store has no statements: it looks at every object in memory."]
    if !bindings.isEmpty { lines.append("bindings: " + bindings.joined(separator: ", ")) }
    lines += steps.map { "plan: \($0)" }
    if !scannedTables.isEmpty {
      lines.append("reads completely: " + scannedTables.joined(separator: ", "))
    }
    lines += searches.map { "search: \($0)" }
    lines += inMemory.map { "in memory: \($0)" }
    lines.append("objects: \(objectCount)")
    return lines.joined(separator: "\n")
  }
}
