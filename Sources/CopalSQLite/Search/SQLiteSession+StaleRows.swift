import CopalModel
import CopalSQL
import CopalStore

/// Rows that another program has written, so that their derived columns do not hold.
///
/// A read never writes. It assumes that there is no such row. Where that is not known, because the
/// file is another one than at the last look, it looks, and reads again: in one state of the file.
extension SQLiteSession {
  /// The greatest number of rows whose columns a commit or a batch derives.
  private static let derivedAtOnce = 10_000

  /// Runs a read that may use derived columns. It can run twice, and gives nothing before it is
  /// known which rows are stale.
  @inline(__always)
  func withDerivedColumns<R>(_ body: () throws -> R) throws -> R {
    do {
      return try body()
    } catch is UnknownStaleRows {
      return try afterLook(body)
    }
  }

  @inline(never)
  private func afterLook<R>(_ body: () throws -> R) throws -> R {
    try beginReadTransaction()
    defer { endReadTransaction() }
    try prepareToRead()
    let found = try connection.lookForStaleRows(derivedTables)
    return try connection.afterLook(found.isEmpty ? .none : .some, body)
  }

  /// The mappings of the roots with derived columns.
  private var derivedTables: [TableMapping] {
    store.rootsWithDerivedColumns.map { table($0).mapping }
  }

  /// The mappings of a root and its subentities.
  func family(_ root: Int) -> [TableMapping] {
    store.schema.kinds(of: root).map { table($0).mapping }
  }

  /// Derives the columns of stale rows, in the open transaction of a commit or a batch.
  ///
  /// Before that, the texts of deleted rows leave the tables of trigrams: another row may have the
  /// key of one.
  ///
  /// - Returns: the roots whose tables still have such rows, or get some from this program.
  func deriveStaleRows() throws -> Set<Int> {
    if store.rootsWithDerivedColumns.isEmpty { return [] }
    if store.hasSubstrings { try removeGone() }
    // Without the transformers of projections, what is written now is marked.
    let marking = derivedTables.filter { !$0.canDerive }
    if !marking.isEmpty { connection.staleRows.forget() }
    if connection.hasNoStaleRows { return [] }
    let found = try connection.lookForStaleRows(derivedTables)
    for table in found where table.canDerive {
      if let sql = DerivedTranslator(SQLiteDialect())
        .deriveStale(family(table.layout.index), limit: Self.derivedAtOnce)
      {
        try connection.run(sql)
      }
    }
    let rest = found.isEmpty ? [] : try connection.lookForStaleRows(found)
    return Set((rest + marking).map(\.layout.index))
  }

  private func removeGone() throws {
    guard let first = derivedTables.first,
      try !connection.integers(TrigramTables.firstGone(first)).isEmpty
    else { return }
    let families = store.rootsWithDerivedColumns.map(family)
    for sql in TrigramTables.removeGone(families) { try connection.run(sql) }
  }
}
