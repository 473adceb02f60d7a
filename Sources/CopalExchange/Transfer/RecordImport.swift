import CopalEssentials
import CopalModel
public import CopalObjects
import CopalStore

/// Makes an object of each record of a file: CSV, JSON, or lines of a log.
///
/// ```swift
/// var reading = RecordImport(container, entity: "Pigment")
/// reading.format = .csv()
/// reading.upsertKey = ["code"]
/// let result = try reading.run(ByteInput(text: text))
/// print(result.inserted, "new")
/// ```
///
/// The columns are found by name, or as ``map`` says: attributes, and to-one and many-to-many
/// relationships as `maker.name`, by a unique attribute of the other object. A new object gets the
/// defaults of the model for what it does not have. The rules of the model hold.
///
/// All records are written in one transaction, or none. Memory does not grow with their number.
/// After the first problem nothing more is written; the rest is read, so that the first 100
/// problems are known at once.
public struct RecordImport {
  /// The form of the file. Default: CSV.
  public var format = RecordFormat.csv()
  /// The property of a column, for columns with another name; an empty one leaves the column out.
  public var map: [String: String] = [:]
  /// The attributes of a unique constraint: an object with the same values is updated. Nil, the
  /// default: every record is a new object.
  public var upsertKey: [String]?
  /// The names of the columns of CSV, in their order, for a file whose first line is a record; an
  /// empty one leaves the column out. Nil, the default: the first line names the columns.
  public var columnNames: [String]?
  /// Whether fields of CSV can be in quotation marks. Default: true. Otherwise a quotation mark is
  /// a character as all others, and each line is a record.
  public var hasQuotationMarks = true
  /// Whether a record of CSV may have fewer fields than there are columns: those that are missing
  /// at its end are no values.
  public var allowsShortRecords = false
  /// The text of a field of CSV or of a log that is no value, also in quotation marks, such as
  /// `NA`. An empty field without marks is no value in any case. Nil, the default: there is no such
  /// text.
  public var textOfNoValue: String?
  /// What the lines begin with that are left out, such as `#`: of CSV, JSON Lines and a log. Nil,
  /// the default: there are none.
  public var commentMark: String?
  /// Whether a comma is the decimal sign of numbers. Default: false.
  public var hasDecimalComma = false
  /// The form of dates; nil, the default, for ISO 8601.
  public var dateFormat: DateTemplate?
  /// What reads the texts of transformables.
  public var style = ValueStyle.plain
  /// Called with the columns that will be written and those that are left out, before anything is
  /// written.
  public var willBegin: ((_ used: [String], _ unused: [String]) throws -> Void)?
  /// Called after each thousand records with their number; nil for nobody.
  public var progress: ((Int) -> Void)?
  /// Asked between the records: whether to give up; nil for never.
  public var isCanceled: (@Sendable () -> Bool)?

  private let container: PersistentContainer
  private let entity: String

  /// What an import has written.
  public struct Result: Sendable, Hashable {
    /// The number of new objects.
    public var inserted = 0
    /// The number of objects that were there before.
    public var updated = 0
  }

  /// An import into an entity of the store of a container.
  public init(_ container: PersistentContainer, entity: String) {
    (self.container, self.entity) = (container, entity)
  }

  private static let batch = 1000

  /// Reads the records and writes the objects.
  ///
  /// - Throws: ``ImportError`` with the problems of the file; `request.unknownEntity`;
  ///   `batch.noConstraint` for an upsert without a unique constraint; codes of `store.…`. Then
  ///   nothing is written.
  @discardableResult
  public func run(_ input: ByteInput) throws -> Result {
    let schema = container.store.schema
    guard let layout = schema.layout(entity) else {
      throw PersistenceError(
        .unknownEntity, entity: entity,
        suggestion: NearestName.of(entity, among: schema.entities.map(\.name)))
    }
    var columns = ImportColumns(layout, container, self)
    var (reader, header) = try RecordReader.open(input, columns.format(format), self)
    if !header.isEmpty {
      try columns.match(header)
      try willBegin?(columns.used, columns.unused)
    }
    let context = container.makeContext()
    context.mergePolicy = .error
    return try context.transaction {
      var state = State()
      reading: while true {
        do {
          guard let record = try reader.next() else { break reading }
          try add(record, &columns, &state)
        } catch let failure as RecordFailure {
          state.problems.add(failure.problem)
        } catch let error as ImportError {
          // The rest cannot be read.
          error.problems.forEach { state.problems.add($0) }
          break reading
        }
        if state.batch.count == Self.batch { try write(&state, context, columns) }
        state.count += 1
        if state.count % Self.batch == 0 {
          progress?(state.count)
          if isCanceled?() == true { throw PersistenceError(.interrupted) }
        }
      }
      try write(&state, context, columns)
      try state.problems.throwIfAny()
      return state.result
    }
  }

  private struct State {
    var batch: [[BatchAssignment]] = []
    /// The lines of the records of the batch.
    var lines: [Int] = []
    var problems = ImportProblems()
    var count = 0
    var result = Result()
  }

  private func add(
    _ record: ImportRecord, _ columns: inout ImportColumns, _ state: inout State
  ) throws {
    let row = columns.row(of: record) { state.problems.add($0) }
    guard let row, state.problems.isEmpty else { return }
    state.batch.append(row)
    state.lines.append(record.line)
  }

  private func write(
    _ state: inout State, _ context: ManagedObjectContext, _ columns: ImportColumns
  ) throws {
    defer {
      state.batch.removeAll(keepingCapacity: true)
      state.lines.removeAll(keepingCapacity: true)
    }
    if state.batch.isEmpty || !state.problems.isEmpty { return }
    do {
      if let upsertKey {
        try fill(&state, context, columns, upsertKey.first ?? "")
        if !state.problems.isEmpty { return }
        let result = try context.upsertAll(entity, state.batch, on: upsertKey)
        state.result.inserted += result.inserted.count
        state.result.updated += result.updated.count
      } else {
        state.result.inserted += try context.insertAll(entity, state.batch).count
      }
    } catch let error as PersistenceError {
      guard let problems = columns.problems(of: error, state.batch, state.lines) else {
        throw error
      }
      problems.forEach { state.problems.add($0) }
    }
  }

  /// Gives the records of an upsert what each object needs and the file does not have: the values
  /// of the objects that are there.
  private func fill(
    _ state: inout State, _ context: ManagedObjectContext, _ columns: ImportColumns, _ key: String
  ) throws {
    if columns.filled.isEmpty { return }
    func value(_ row: [BatchAssignment]) -> PropertyValue {
      if case .constant(let value)? = row.first(where: { $0.property == key })?.value {
        value
      } else {
        .null
      }
    }
    let names = [key] + columns.filled
    var request = ValueRequest(
      entityName: entity, columns: names.map { .init($0, .property($0)) })
    request.predicate = .isIn(.property(key), state.batch.map(value).filter { !$0.isNull })
    var found: [PropertyValue: [PropertyValue]] = [:]
    for row in try context.fetchValues(request) { found[row[0]] = row }
    for place in state.batch.indices {
      guard let stored = found[value(state.batch[place])] else {
        state.problems.add(
          ImportProblem(
            .required, line: state.lines[place], entity: entity,
            property: columns.filled.joined(separator: ", ")))
        continue
      }
      for (name, value) in zip(names, stored).dropFirst() {
        state.batch[place].append(BatchAssignment(name, .constant(value)))
      }
    }
  }
}
