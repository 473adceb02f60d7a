import CopalEssentials
package import CopalExchange
package import CopalModel
package import CopalObjects
import CopalStore

/// Answers lines about the objects of a store: conditions with their statement, plan and rows, and
/// commands. It only reads.
package struct Shell {
  private var container: PersistentContainer
  private var context: ManagedObjectContext
  /// Opens the store again, after another program has written to it; nil where that is not needed.
  package var reopen: (() throws -> PersistentContainer)?
  private let style: TextStyle
  private let print: (String) -> Void
  /// Writes the lines of an error; nil where they are among the answers.
  package var complain: ((String) -> Void)?
  /// Whether a line could not be answered.
  package private(set) var hasFailed = false
  /// The number of columns of the window; nil without a window.
  private let width: () -> Int?
  /// How values of transformers are shown.
  package var valueStyle = ValueStyle.plain
  /// Whether values of `"private"` attributes are shown.
  package var showsPrivateValues = false
  /// Whether colors are shown beside their texts.
  package var paintsColors = false
  /// Whether statements and plans are shown.
  package var explains = true
  /// The greatest number of rows; nil for all.
  package var limit: Int?
  /// Called with the number of values of an entity that could not be read, and its name, if there
  /// are any; nil for nobody.
  package var foundUnreadable: ((Int, String) -> Void)?
  /// Asked while rows are read: whether to give up.
  package var isCanceled: (@Sendable () -> Bool)?

  private var entity: EntityDescription
  private var columns: [ResultColumn] = []
  /// Whether the columns are those of groups.
  private var groups = false
  private var sortKeys: [ResultOrder] = []

  /// A shell that begins with an entity.
  ///
  /// - Parameters:
  ///   - width: the number of columns of the window; nil without a window.
  ///   - print: writes lines.
  package init(
    _ container: PersistentContainer, entity: EntityDescription, style: TextStyle,
    width: @escaping () -> Int?, print: @escaping (String) -> Void
  ) {
    self.container = container
    context = container.makeContext()
    (self.entity, self.style, self.width, self.print) = (entity, style, width, print)
  }

  private var model: ManagedObjectModel { container.model }

  package var prompt: String { "\(entity.name.inOneLine) where> " }

  /// Answers a line. An error is printed, and the shell goes on.
  ///
  /// - Returns: false when the program is to end.
  package mutating func answer(_ line: String) -> Bool {
    do {
      switch try ShellLine(line) {
      case .nothing: return true
      case .condition(let text): try ask(FetchPredicate(format: text))
      case .entity(let name): try select(name)
      case .entities: model.entities.forEach(describe)
      case .columns(let columns):
        self.columns = columns
        groups = columns.contains(where: \.isAggregate)
      case .group(let columns):
        // The order was one of objects, and groups have other columns.
        (self.columns, groups, sortKeys) = (columns, true, [])
      case .sort(let sortKeys): self.sortKeys = sortKeys
      case .limit(let limit): self.limit = limit
      case .explain(let isOn): explains = isOn
      case .help: print(ShellLine.helpText)
      case .quit: return false
      }
    } catch {
      show(error)
    }
    return true
  }

  /// Shows the answer. If another program has written meanwhile, the store is opened again.
  private mutating func ask(_ predicate: FetchPredicate) throws {
    do {
      try show(predicate)
    } catch let error as PersistenceError where error.code == .busy {
      guard let reopen else { throw error }
      container = try reopen()
      context = container.makeContext()
      try show(predicate)
    }
  }

  /// An error of a condition has the line with a mark below the place after its sentence.
  private mutating func show(_ error: any Error) {
    hasFailed = true
    let print = complain ?? self.print
    let lines = "\(error)".split(separator: "\n", omittingEmptySubsequences: false)
    for line in wrapped(String(lines.first ?? "").inOneLine) { print(style.error(line)) }
    for line in lines.dropFirst() { print(String(line).inOneLine) }
  }

  /// Asks about another entity. What was said about columns and order does not hold for it.
  private mutating func select(_ name: String) throws {
    guard let entity = model.entities.first(where: { $0.name.lowercased() == name.lowercased() })
    else {
      let names = model.entities.map(\.name).joined(separator: ", ")
      throw ResultColumn.Failure("unknown entity '\(name)'; there are \(names)")
    }
    self.entity = entity
    (columns, sortKeys) = ([], [])
  }

  private func describe(_ entity: EntityDescription) {
    print(style.bold(entity.name.inOneLine))
    let attributes = entity.attributes.map {
      [$0.name, $0.type.rawValue + ($0.isOptional ? "?" : ""), $0.documentation ?? ""]
    }
    let relationships = entity.relationships.map {
      let type = $0.isToMany ? "[\($0.destination)]" : $0.destination + ($0.isOptional ? "?" : "")
      return [$0.name, type, $0.documentation ?? ""]
    }
    let rows = (attributes + relationships).map { $0.map { ShownValue($0) } }
    let table = TextTable(headings: ["", "", ""], rows: rows, width: width().map { $0 - 2 })
    for row in rows { print("  " + table.line(row)) }
  }
}

/// Conditions.
extension Shell {
  private func show(_ predicate: FetchPredicate) throws {
    let lines = TextLines()
    let output = ByteOutput { lines.add($0) }
    let count =
      columns.isEmpty || !groups
      ? try objects(predicate, output) : try values(predicate, output)
    lines.forEach { number, line in
      print(number == 0 ? style.bold(line) : number == 1 ? style.dim(line) : line)
    }
    let isCut = limit == count && !groups
    print(
      style.dim(
        (count == 1 ? "1 row" : "\(count) rows") + (isCut && showsLimit ? "; .limit for more" : ""))
    )
  }

  private var showsLimit: Bool { limit == Self.firstLimit }

  /// The greatest number of rows in a shell of a store, until another one is named.
  package static let firstLimit = 100

  /// The objects that meet a condition: their attributes, and the names of the objects of their
  /// to-one relationships.
  private func objects(_ predicate: FetchPredicate, _ output: ByteOutput) throws -> Int {
    let request = FetchRequest<ManagedObject>(
      entityName: entity.name, predicate: predicate, sortKeys: try sortKeys.map { try $0.fetchKey },
      limit: limit)
    if explains { try explain(request) }
    var dump = RowDump(container, request)
    if columns.isEmpty {
      dump.columns = properties
      dump.headings = properties.map(heading)
    } else {
      dump.columns = columns.map(\.name)
    }
    dump.width = width()
    dump.style = valueStyle
    dump.paintsColors = paintsColors
    dump.showsPrivateValues = showsPrivateValues
    dump.isCanceled = isCanceled
    dump.foundUnreadable = tellUnreadable
    return try dump.run(to: output)
  }

  private func heading(_ path: String) -> String {
    let name = path.prefix { $0 != "." }
    return entity.relationships.contains { $0.name == name } ? String(name) : path
  }

  /// The attributes, and for each to-one relationship the first text of its object.
  private var properties: [String] {
    let index = model.entityIndex(entity.name)
    let line =
      (index.map { model.ancestors(ofEntity: $0).map { model.entities[$0] } } ?? []) + [entity]
    let attributes = line.flatMap { $0.storedAttributes.map(\.name) }
    return attributes
      + line.flatMap(\.relationships).filter { !$0.isToMany }.map { relationship in
        let first = model.entity(relationship.destination)?.storedAttributes.first {
          $0.type == .string
        }
        return first.map { "\(relationship.name).\($0.name)" } ?? relationship.name
      }
  }

  /// Values and aggregates of the objects that meet a condition.
  private func values(_ predicate: FetchPredicate, _ output: ByteOutput) throws -> Int {
    var request = ValueRequest(
      entityName: entity.name, columns: columns.map { .init($0.name, $0.expression) },
      predicate: predicate)
    request.limit = limit
    request.sortKeys = sortKeys.map { .init($0.column.expression, isAscending: $0.isAscending) }
    if explains {
      print(style.dim("-- finds the objects; the columns are read by a statement of their own"))
      try explain(FetchRequest(entityName: entity.name, predicate: predicate))
    }
    var dump = GroupDump(container, request, columns)
    dump.width = width()
    dump.showsPrivateValues = showsPrivateValues
    dump.foundUnreadable = tellUnreadable
    return try dump.run(to: output)
  }

  private func tellUnreadable(_ count: Int) { foundUnreadable?(count, entity.name) }

  /// The statement, the kinds of its bindings, the plan, and whether the plan reads whole tables.
  private func explain(_ request: FetchRequest<ManagedObject>) throws {
    let explanation = try context.explain(request)
    for line in wrapped(explanation.statement?.inOneLine ?? "no statement") {
      print(style.sql(line))
    }
    if !explanation.bindings.isEmpty {
      note("bindings", explanation.bindings.joined(separator: ", "))
    }
    for step in explanation.steps { note("plan", step.inOneLine) }
    let scanned = explanation.scannedTables.joined(separator: ", ").inOneLine
    note("reads", scanned.isEmpty ? "by index or key" : "all rows of \(scanned)")
    for sentence in explanation.inMemory { note("in memory", sentence.inOneLine) }
    print("")
  }

  private func note(_ name: String, _ text: String) { print(style.dim("\(name): ") + text) }

  /// The lines of a text in a window, broken at spaces; one line without a window.
  private func wrapped(_ text: String) -> [String] {
    guard let width = width() else { return [text] }
    var lines: [String] = []
    var line = ""
    for (place, word) in text.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
      if place == 0 {
        line = String(word)
      } else if line.displayWidth + 1 + word.displayWidth <= width {
        line += " \(word)"
      } else {
        lines.append(line)
        line = "  \(word)"
      }
    }
    return lines + [line]
  }
}

/// Completion.
extension Shell {
  /// The words that can stand at the end of a line: those that begin with its last word.
  ///
  /// - Returns: the last word, and the words.
  package func completions(of line: String) -> (word: String, completions: [String]) {
    let isCommand = line.hasPrefix(".")
    let start = line.lastIndex { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == ".") }
    let word = String(line[(start.map(line.index(after:)) ?? line.startIndex)...])
    if isCommand, word == line { return (word, ShellLine.commands.filter { $0.hasPrefix(word) }) }
    if line.hasPrefix(".entity ") {
      return (word, model.entities.map(\.name).filter { $0.hasPrefix(word) })
    }
    var names = self.names(behind: word)
    if !isCommand { names += ShellLine.keywords }
    if line.hasPrefix(".group ") || line.hasPrefix(".columns ") {
      names += ["average", "count", "max", "min", "sum"]
    }
    if line.hasPrefix(".sort ") { names += ["asc", "desc"] }
    let fitting = names.filter { $0.lowercased().hasPrefix(word.lowercased()) && $0 != word }
    return (word, Array(Set(fitting)).sorted())
  }

  /// The properties that can stand in place of a word: after a path, those of its end.
  private func names(behind word: String) -> [String] {
    var current: EntityDescription? = entity
    var steps = word.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    if !steps.isEmpty { steps.removeLast() }
    let prefix = steps.isEmpty ? "" : steps.joined(separator: ".") + "."
    for step in steps {
      let relationship = line(current).lazy.compactMap { $0.relationship(step) }.first
      current = relationship.flatMap { model.entity($0.destination) }
    }
    return line(current).flatMap { entity in
      entity.attributes.map(\.name) + entity.relationships.map(\.name)
    }.map { prefix + $0 }
  }

  /// An entity with its ancestors.
  private func line(_ entity: EntityDescription?) -> [EntityDescription] {
    guard let entity, let index = model.entityIndex(entity.name) else { return [] }
    return model.ancestors(ofEntity: index).map { model.entities[$0] } + [entity]
  }
}

/// Gathers lines.
private final class TextLines {
  private var bytes: [UInt8] = []

  func add(_ part: [UInt8]) { bytes += part }

  func forEach(_ body: (Int, String) -> Void) {
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast()
    for (number, line) in lines.enumerated() { body(number, String(decoding: line, as: UTF8.self)) }
  }
}

/// The loop.
extension Shell {
  /// Reads lines and answers them until the end: from a terminal with a line editor, otherwise as
  /// they are.
  ///
  /// - Parameters:
  ///   - history: earlier lines, the oldest first.
  ///   - echoes: whether lines that are not from a terminal are printed after the prompt, so that
  ///     the output can be read.
  /// - Returns: the lines of the history at the end.
  @discardableResult
  package mutating func run(on terminal: KeyTerminal, history: [String] = [], echoes: Bool)
    -> [String]
  {
    guard terminal.isInteractive else {
      while let line = nextLine({ Swift.readLine() }, isCanceled: { false }) {
        if echoes { print(prompt + line.inOneLine) }
        guard answer(line) else { break }
      }
      return history
    }
    let editor = LineEditor(terminal, history: history)
    terminal.readingKeys {
      while true {
        editor.complete = { [self] in completions(of: $0) }
        var prompt = prompt
        let line = nextLine(
          {
            defer { prompt = "...> " }
            return editor.readLine(prompt: prompt)
          }, isCanceled: { editor.wasCanceled })
        guard let line else { break }
        let goesOn = terminal.allowingInterruption { answer(line) }
        if !goesOn { break }
      }
    }
    return editor.history
  }

  /// A line, and those that it goes on in; nil at the end.
  private func nextLine(_ read: () -> String?, isCanceled: () -> Bool) -> String? {
    guard var line = read() else { return nil }
    while line.hasSuffix("\\") {
      line.removeLast()
      guard let next = read() else { return line }
      if isCanceled() { return "" }
      line += next
    }
    return line
  }
}
