import CopalModel
package import CopalObjects
package import CopalStore

/// Writes values and aggregates of objects, one row for each group.
package struct GroupDump {
  package var format = RowDump.Format.table
  package var delimiter: Character = ","
  package var width: Int?
  package var showsPrivateValues = false
  /// Called at the end with the number of objects' values that could not be read, if there are any;
  /// nil for nobody. `‹unreadable›` stands for a group or an aggregate that has none for them.
  package var foundUnreadable: ((Int) -> Void)?

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
    let layout = try session.layout(request.entityName)
    var query = try PredicateBinder(layout, in: session.schema).bind(request)
    query.countsUnreadable = true
    let sources = query.columns.map { query.place(of: $0) }
    // A value that nobody may see is not one that cannot be read.
    let counted = Set(zip(sources, hidden).compactMap { $1 ? nil : $0 })
    var dump = RowDump(container, FetchRequest<ManagedObject>(entityName: request.entityName))
    (dump.format, dump.delimiter, dump.width) = (format, delimiter, width)
    dump.averages = Set(columns.indices.filter { columns[$0].isAverage })
    var writer = RowWriter(dump, session, columns.map(\.name), output)
    try writer.begin()
    let rows = try session.session.fetchValues(query)
    var unreadable = 0
    for row in rows {
      let numbers = row[columns.count...].map { number in
        if case .integer(let count) = number { Int(count) } else { 0 }
      }
      if !numbers.isEmpty { unreadable += counted.reduce(0) { $0 + numbers[$1] } }
      try writer.write(
        columns.indices.map { place in
          let value = row[place]
          let isUnreadable =
            value.isNull && !numbers.isEmpty && sources[place].map { numbers[$0] > 0 } == true
          if hidden[place], !value.isNull || isUnreadable { return .hidden }
          if isUnreadable { return .unreadable }
          return floats[place] ? .float(value) : .value(value)
        })
    }
    try writer.end()
    try output.flush()
    if unreadable > 0 { foundUnreadable?(unreadable) }
    return rows.count
  }
}
