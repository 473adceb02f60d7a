import Copal

/// Answers lines: conditions with their statement, plan and rows, and commands.
struct Console {
  let context: ManagedObjectContext
  let model: ManagedObjectModel
  let style: TextStyle
  /// The number of columns of the window; nil without a window.
  let width: () -> Int?

  private var entity: EntityDescription
  private var columns: [Command.Column] = []
  private var sortKeys: [(column: Command.Column, isAscending: Bool)] = []
  private var limit: Int?
  private var explains = true

  init(
    _ context: ManagedObjectContext, _ model: ManagedObjectModel, entity: EntityDescription,
    style: TextStyle, width: @escaping () -> Int?
  ) {
    (self.context, self.model, self.entity) = (context, model, entity)
    (self.style, self.width) = (style, width)
  }

  var prompt: String { "\(entity.name) where> " }

  /// Answers a line. An error is printed, and the console goes on.
  ///
  /// - Returns: false when the program is to end.
  mutating func answer(_ line: String) -> Bool {
    do {
      switch try Command(line) {
      case .nothing: return true
      case .condition(let text): try show(FetchPredicate(format: text))
      case .entity(let name): try select(name)
      case .entities: model.entities.forEach(describe)
      case .columns(let columns): self.columns = columns
      case .sort(let sortKeys): self.sortKeys = sortKeys
      case .limit(let limit): self.limit = limit
      case .explain(let isOn): explains = isOn
      case .help: print(Command.helpText)
      case .quit: return false
      }
    } catch {
      show(error)
    }
    return true
  }

  /// An error of a condition has the line with a mark below the place after its sentence.
  private func show(_ error: any Error) {
    let lines = "\(error)".split(separator: "\n", omittingEmptySubsequences: false)
    for line in wrapped(String(lines[0])) { print(style.error(line)) }
    for line in lines.dropFirst() { print(line) }
  }

  /// Asks about another entity. What was said about columns and order does not hold for it.
  private mutating func select(_ name: String) throws {
    guard let entity = model.entities.first(where: { $0.name.lowercased() == name.lowercased() })
    else {
      let names = model.entities.map(\.name).joined(separator: ", ")
      throw CommandError("unknown entity '\(name)'; there are \(names)")
    }
    self.entity = entity
    (columns, sortKeys) = ([], [])
  }

  private func describe(_ entity: EntityDescription) {
    print(style.bold(entity.name))
    let attributes = entity.attributes.map {
      [$0.name, $0.type.rawValue + ($0.isOptional ? "?" : ""), $0.documentation ?? ""]
    }
    let relationships = entity.relationships.map {
      let type = $0.isToMany ? "[\($0.destination)]" : $0.destination + ($0.isOptional ? "?" : "")
      return [$0.name, type, $0.documentation ?? ""]
    }
    let rows = (attributes + relationships).map { $0.map { TextTable.Cell(text: $0) } }
    let table = TextTable(headings: ["", "", ""], rows: rows)
    for line in table.lines(width: width().map { $0 - 2 }).dropFirst(2) { print("  \(line)") }
  }
}

/// Conditions.
extension Console {
  private func show(_ predicate: FetchPredicate) throws {
    let table = try columns.isEmpty ? objects(predicate) : values(predicate)
    let lines = table.lines(width: width())
    print(style.bold(lines[0]))
    print(style.dim(lines[1]))
    for line in lines.dropFirst(2) { print(line) }
    print(style.dim(table.rows.count == 1 ? "1 row" : "\(table.rows.count) rows"))
  }

  /// The objects that meet a condition: their attributes, and the names of the objects of their
  /// to-one relationships.
  private func objects(_ predicate: FetchPredicate) throws -> TextTable {
    let references = entity.relationships.filter { !$0.isToMany }
    var request = FetchRequest<ManagedObject>(
      entityName: entity.name, predicate: predicate, sortKeys: try fetchSortKeys(), limit: limit)
    request.prefetchedPaths = references.map(\.name)
    if explains { try explain(request) }
    let rows = try context.fetch(request).map { object in
      try entity.attributes.map { TextTable.Cell(try object.value(forKey: $0.name)) }
        + references.map { TextTable.Cell(try name(of: $0, in: object)) }
    }
    return TextTable(
      headings: entity.attributes.map(\.name) + references.map(\.name), rows: rows)
  }

  /// The first attribute of a related object that is a text.
  private func name(of reference: RelationshipDescription, in object: ManagedObject) throws -> Any?
  {
    guard let target: ManagedObject = try object.value(of: reference.name) else { return nil }
    let attributes = model.entity(reference.destination)?.attributes ?? []
    return try attributes.first { $0.type == .string }.map { try target.value(forKey: $0.name) }
      ?? "\(target.objectID)"
  }

  /// Values and aggregates of the objects that meet a condition.
  private func values(_ predicate: FetchPredicate) throws -> TextTable {
    var request = ValueRequest(
      entityName: entity.name, columns: columns.map { .init($0.name, $0.expression) },
      predicate: predicate)
    request.limit = limit
    request.sortKeys = sortKeys.map {
      .init($0.column.expression, isAscending: $0.isAscending)
    }
    let rows = try context.fetchValues(request)
    if explains {
      print(style.dim("-- finds the objects; the columns are read by a statement of their own"))
      try explain(FetchRequest(entityName: entity.name, predicate: predicate))
    }
    return TextTable(headings: columns.map(\.name), rows: rows.map { $0.map(TextTable.Cell.init) })
  }

  private func fetchSortKeys() throws -> [FetchSortKey] {
    try sortKeys.map { column, isAscending in
      guard case .property(let name) = column.expression else {
        throw CommandError("an order by '\(column.name)' needs .group; .sort alone forgets it")
      }
      return FetchSortKey(name, isAscending: isAscending)
    }
  }

  /// The statement, the kinds of its bindings, the plan, and whether the plan reads whole tables.
  private func explain(_ request: FetchRequest<ManagedObject>) throws {
    let explanation = try context.explain(request)
    for line in wrapped(explanation.statement ?? "no statement") { print(style.sql(line)) }
    if !explanation.bindings.isEmpty {
      note("bindings", explanation.bindings.joined(separator: ", "))
    }
    for step in explanation.steps { note("plan", step) }
    let scanned = explanation.scannedTables.joined(separator: ", ")
    note("reads", scanned.isEmpty ? "by index or key" : "all rows of \(scanned)")
    for sentence in explanation.inMemory { note("in memory", sentence) }
    print()
  }

  private func note(_ name: String, _ text: String) { print(style.dim("\(name): ") + text) }

  /// The lines of a text in a window, broken at spaces; one line without a window.
  private func wrapped(_ text: String) -> [String] {
    guard let width = width() else { return [text] }
    var lines = [""]
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      let line = lines[lines.count - 1]
      if line.isEmpty {
        lines[lines.count - 1] = String(word)
      } else if line.displayWidth + 1 + word.displayWidth <= width {
        lines[lines.count - 1] += " \(word)"
      } else {
        lines.append("  \(word)")
      }
    }
    return lines
  }
}
