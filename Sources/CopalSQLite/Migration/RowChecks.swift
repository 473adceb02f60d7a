import CopalEssentials
import CopalModel
import CopalSQL
import CopalStore

/// Finds what rows refuse of a migration, in the tables of the old model: before they are changed,
/// or for a plan.
struct RowChecks {
  private let connection: Connection
  private let changes: TableChanges
  private let translator: RowCheckTranslator
  private let conversions: ConversionFunction
  /// What the rows refuse.
  private(set) var problems: [RowProblem] = []

  init(
    _ connection: Connection, _ changes: TableChanges, asking translator: RowCheckTranslator,
    converting conversions: ConversionFunction
  ) {
    self.connection = connection
    self.changes = changes
    self.translator = translator
    self.conversions = conversions
  }

  /// Reads the rows. Conversions note what they do not accept.
  mutating func run() throws {
    let checks = changes.tables.flatMap(\.columns.checks)
    for check in checks {
      guard case .accepted(let number) = check.rule else { continue }
      for part in check.parts {
        guard let query = translator.accept(part, conversion: number) else { continue }
        try connection.forEachRow(query.text, query.values) { _ in }
      }
    }
    for check in checks { try findRows(check) }
    for check in changes.relationships.checks { try findPairs(check) }
    conversions.forget(changes.usedConversions)
  }

  /// Adds what the conversions have noted, after all values were converted once. It comes before
  /// the other findings.
  mutating func addFindings() {
    let others = problems
    problems = []
    for (number, conversion) in changes.conversions.enumerated() {
      let (entity, property) = (conversion.entity, conversion.change.new.name)
      add(RowProblem(.file, conversions.missingFiles[number], of: property, entity))
      add(
        RowProblem(
          conversion.onlyChecks ? .rules : .inexact, conversions.findings[number], of: property,
          entity))
    }
    problems += others
  }

  /// Finds references to rows that do not exist, in the tables that the migration has changed: such
  /// as another program has left. Objects that refuse the migration have them, too.
  mutating func findBrokenReferences() throws {
    if !problems.isEmpty { return }
    for check in changes.references {
      var findings = RowFindings()
      let query = translator.rows(against: check)
      try connection.forEachRow(query.text, query.values) {
        let row = changes.moves.original($0.integer(0), in: check.root)
        findings.add(row.key, of: row.root)
      }
      add(RowProblem(.missingObject, findings, of: check.property, check.entity))
    }
  }

  private mutating func findPairs(_ check: RelationshipChanges.Check) throws {
    let query = translator.rows(against: check)
    var findings = RowFindings()
    try connection.forEachRow(query.text, query.values) {
      findings.add($0.integer(0), of: check.root)
    }
    let cause: RowProblem.Cause =
      switch check.rule {
      case .one: .several
      case .entity: .wrongEntity
      case .exists, .stays: .missingObject
      }
    add(RowProblem(cause, findings, of: check.property, check.entity))
  }

  private mutating func findRows(_ check: RowCheck) throws {
    if case .accepted = check.rule { return }
    var findings = RowFindings()
    for part in check.parts {
      let query = translator.rows(against: part, check.rule)
      let root = part.rows.mapping.layout.name
      try connection.forEachRow(query.text, query.values) {
        findings.add($0.integer(0), of: root)
      }
    }
    if findings.count == 0 { return }
    switch check.rule {
    case .accepted: break
    case .noValue: add(RowProblem(.kept, findings, of: check.property, check.entity))
    case .newValue: add(RowProblem(.newValue, findings, of: check.property, check.entity))
    case .value:
      var total = 0
      for part in check.parts {
        total += Int(try connection.integers(translator.rowCount(part.rows)).first ?? 0)
      }
      add(RowProblem(.value, findings, among: total, of: check.property, check.entity))
    }
  }

  /// Finds the groups of rows with equal values of a unique index.
  ///
  /// - Parameter table: the table as it would be, for a plan; nil for one that was changed.
  /// - Returns: whether there are such groups.
  @discardableResult
  mutating func findDuplicates(
    _ index: SchemaTranslator.Index, _ mapping: TableMapping, in table: TableChange? = nil
  ) throws -> Bool {
    let query =
      table.map { translator.duplicates(index, mapping, in: $0) }
      ?? translator.duplicates(index, mapping)
    var count = 0
    var groups: [String] = []
    var first: [FormerRow] = []
    try connection.forEachRow(query.text, query.values) { row in
      count += 1
      if groups.count == 5 { return }
      let (from, to) = (
        original(row.integer(0), mapping), original(row.integer(1), mapping)
      )
      let size = row.integer(2)
      if first.isEmpty { first = [from, to] }
      let isOneRoot = from.root == to.root
      groups.append(
        "\(from.text(withRoot: !isOneRoot)), \(to.text(withRoot: !isOneRoot))"
          + (size > 2 ? " and \(size - 2) more" : ""))
    }
    if count == 0 { return false }
    let found =
      "\(count) \(count == 1 ? "group" : "groups") of objects have equal values (\(groups.joined(separator: "; "))\(count > groups.count ? "; …" : ""))"
    add(
      RowProblem(
        kind: .unique, entity: mapping.layout.name,
        property: mapping.propertyNames(of: index).inOrder().joined(separator: ", "), found: found,
        count: count, rows: first))
    return true
  }

  private func original(_ key: Int64, _ mapping: TableMapping) -> FormerRow {
    let row = changes.moves.original(key, in: mapping.layout.root)
    return FormerRow(root: row.root, key: row.key)
  }

  private mutating func add(_ problem: RowProblem?) {
    if let problem { problems.append(problem) }
  }
}

extension TableMapping {
  /// The names of the properties of an index.
  func propertyNames(of index: SchemaTranslator.Index) -> [String] {
    index.columns.compactMap { column in
      let slot =
        columnNames.firstIndex(of: column) ?? derived.first { $0.name == column }?.column.source
      return slot.map { layout.slots[$0].propertyName }
    }
  }
}
