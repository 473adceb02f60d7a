/// The work with entities of one table: an abstract parent with three kinds of children.
///
/// The number of rows is that of each kind, and of a table of its own with the attributes of the
/// first kind. These are not cases of ``Workload``, because the programs of older commits have no
/// parents.
public enum FamilyWorkload: String, CaseIterable, ProgramWorkload {
  /// Make objects of the three kinds, in runs of a hundred, and those of their own table, save,
  /// into a fresh file.
  case insertKinds
  /// Fetch the parent, touch every property of each object.
  case kinds
  /// Fetch the first kind, which has two others in its table, touch every property.
  case oneKind
  /// The same for the table of its own.
  case aloneKind

  public static let maker = insertKinds
  public static let copalProgram = "bench-families"

  public var changesFile: Bool { false }
  public var repeats: Int { 4 }

  /// The number of objects of one kind that are saved one after the other.
  public static let runLength = 100

  /// The kinds of the rows, in their order: three times as many.
  public static func kinds(_ rows: Int) -> [(kind: Int, row: Int)] {
    stride(from: 0, to: rows, by: runLength).flatMap { start in
      (0..<3).flatMap { kind in
        (start..<min(start + runLength, rows)).map { (kind, $0) }
      }
    }
  }
}
