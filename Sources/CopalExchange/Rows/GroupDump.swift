package import CopalModel
package import CopalObjects
import CopalStore

/// Writes values and aggregates of objects, one row for each group.
package struct GroupDump {
  package var format = RowDump.Format.table
  package var delimiter: Character = ","
  package var width: Int?
  package var showsPrivateValues = false

  private let container: PersistentContainer
  private let request: ValueRequest
  private let columns: [ResultColumn]

  package init(_ container: PersistentContainer, _ request: ValueRequest, _ columns: [ResultColumn])
  {
    (self.container, self.request, self.columns) = (container, request, columns)
  }

  /// Writes the rows, which are in memory.
  ///
  /// - Returns: the number of rows.
  @discardableResult
  package func run(to output: ByteOutput) throws -> Int {
    let model = container.model
    let attributes = columns.map { column in
      model.entity(request.entityName).map { column.attributes(of: $0, in: model) } ?? []
    }
    let hidden = attributes.map { !showsPrivateValues && $0.contains(where: \.isPrivate) }
    let floats = zip(columns, attributes).map { column, attributes in
      column.hasStoredValues && attributes.contains { $0.type == .float }
    }
    let session = try RowSession(container)
    var dump = RowDump(container, FetchRequest<ManagedObject>(entityName: request.entityName))
    (dump.format, dump.delimiter, dump.width) = (format, delimiter, width)
    dump.averages = Set(columns.indices.filter { columns[$0].isAverage })
    var writer = RowWriter(dump, session, columns.map(\.name), output)
    try writer.begin()
    let rows = try container.makeContext().fetchValues(request)
    for row in rows {
      try writer.write(
        row.enumerated().map { place, value in
          if case .object(let id) = value { return .value(.integer(id.key)) }
          if hidden[place], !value.isNull { return .hidden }
          return floats[place] ? .float(value) : .value(value)
        })
    }
    try writer.end()
    try output.flush()
    return rows.count
  }
}
