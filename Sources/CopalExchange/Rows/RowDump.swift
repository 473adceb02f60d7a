import CopalEssentials
import CopalModel
public import CopalObjects
public import CopalStore

/// Writes the objects of a request as a table, as CSV or as JSON, without making them.
///
/// ```swift
/// let request = FetchRequest<ManagedObject>(entityName: "Pigment")
/// var dump = RowDump(container, request)
/// dump.format = .csv
/// dump.followedPaths = ["maker.name"]
/// try dump.run(to: ByteOutput { try file.write(contentsOf: $0) })
/// ```
///
/// The rows are those of one moment. They are written while the store reads them, so memory does
/// not grow with their number. Values are exact in CSV and JSON: `Docs/ImportAndExport.md` has the
/// forms.
public struct RowDump {
  /// The form of the rows.
  public enum Format: String, Sendable, Hashable, CaseIterable {
    /// For people: aligned columns.
    case table
    /// A list of objects.
    case json
    /// An object on each line.
    case jsonLines = "jsonl"
    /// A header, and a record for each object: RFC 4180.
    case csv
  }

  /// The form of the rows. Default: a table.
  public var format = Format.table
  /// The columns, by names and paths such as `maker.name`; nil for the id, all stored attributes,
  /// and the ids of to-one relationships.
  public var columns: [String]?
  /// Further columns: paths to values of related objects.
  public var followedPaths: [String] = []
  /// Whether values of `"private"` attributes are shown. Default: false, `‹private›` stands there.
  public var showsPrivateValues = false
  /// Whether transformables are in their stored form. Default: false.
  public var showsStoredForms = false
  /// The character between the fields of CSV. Default: a comma.
  public var delimiter: Character = ","
  /// The number of columns of the window, in which a table is cut; nil for a file.
  public var width: Int?
  /// Whether a table shows colors beside their texts.
  public var paintsColors = false
  /// How values of transformers are shown.
  public var style = ValueStyle.plain
  /// Called after each thousand rows with their number; nil for nobody.
  public var progress: ((Int) -> Void)?
  /// Asked while rows are read: whether to give up; nil for never.
  public var isCanceled: (@Sendable () -> Bool)?

  /// Called at the end with the number of values that could not be read, if there are any; nil for
  /// nobody. `‹unreadable›` stands for each of them.
  public var foundUnreadable: ((Int) -> Void)?
  /// Whether each row begins with the name of its entity.
  package var showsEntity = false
  /// The headings of ``columns``, if they are other ones than the names.
  package var headings: [String]?
  /// The places of the columns that have averages.
  var averages: Set<Int> = []
  private let container: PersistentContainer
  private let request: FetchRequest<ManagedObject>

  /// A dump of the objects of a request, in its order. Its entity needs a name.
  public init(_ container: PersistentContainer, _ request: FetchRequest<ManagedObject>) {
    (self.container, self.request) = (container, request)
  }

  private static let batch = 1000

  /// Writes the rows.
  ///
  /// - Returns: the number of rows.
  /// - Throws: `request.…` for a name that is none; codes of `store.…`; what the output throws.
  @discardableResult
  public func run(to output: ByteOutput) throws -> Int {
    let session = try RowSession(container, isCanceled: isCanceled)
    let layout = try session.layout(request.entityName ?? "")
    let query = try PredicateBinder(layout, in: session.schema).bind(request)
    var columns =
      try self.columns.map { try $0.map { try RowColumn($0, of: layout, in: session.schema) } }
      ?? RowColumn.all(of: layout, in: session.schema)
    for path in followedPaths where !columns.contains(where: { $0.name == path }) {
      columns.append(try RowColumn(path, of: layout, in: session.schema))
    }
    if showsEntity, !columns.contains(where: { $0.name == "$entity" }) {
      columns.insert(try RowColumn("$entity", of: layout, in: session.schema), at: 0)
    }
    let values = RowValues(columns, session, showsPrivate: showsPrivateValues)
    let names = headings.flatMap { $0.count == columns.count ? $0 : nil } ?? columns.map(\.name)
    var writer = RowWriter(self, session, names, output)
    try writer.begin()
    var count = 0
    var batch: [(key: Int64, row: PackedRow)] = []
    let gathers = values.needsOthers
    try session.forEachRow(query) { key, row in
      count += 1
      if count % Self.batch == 0 { progress?(count) }
      if !gathers { return try writer.write(key, row, values) }
      batch.append((key, row))
      guard batch.count == Self.batch else { return }
      for row in try values.values(of: batch) { try writer.write(row) }
      batch.removeAll(keepingCapacity: true)
    }
    if !batch.isEmpty { for row in try values.values(of: batch) { try writer.write(row) } }
    try writer.end()
    try output.flush()
    if writer.unreadable.number > 0 { foundUnreadable?(writer.unreadable.number) }
    return count
  }
}
