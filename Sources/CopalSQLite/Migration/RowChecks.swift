import CopalModel
import CopalSQL
import CopalStore

/// Finds what rows refuse of a migration: in the tables that the migration has changed, or for a
/// plan in the old ones.
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

  /// Reads the rows, after all values were converted once.
  mutating func run() throws {
    let checks = changes.changed.flatMap(\.columns.checks)
    for check in checks {
      if case .accepted(let number) = check.rule {
        let query = translator.accept(check, conversion: number)
        try connection.forEachRow(query.text, query.values) { _ in }
      }
    }
    // Now, because a plan converts a value again when it looks for nils.
    for (number, conversion) in changes.conversions.enumerated() {
      addFindings(of: number, conversion)
    }
    for check in checks { try findMissing(check) }
    for check in changes.relationships.checks { try findPairs(check) }
  }

  private mutating func findPairs(_ check: RelationshipChanges.Check) throws {
    guard let query = translator.rows(against: check) else { return }
    var findings = RowFindings()
    try connection.forEachRow(query.text, query.values) { findings.add($0.integer(0)) }
    let (property, entity) = (check.property, check.entity)
    switch check.rule {
    case .one: add(RowProblem.several(findings, of: property, entity))
    case .entity: add(RowProblem.wrongEntity(findings, of: property, entity))
    case .exists: add(RowProblem.missingObject(findings, of: property, entity))
    }
  }

  private mutating func addFindings(of number: Int, _ conversion: ColumnConversion) {
    let (entity, property) = (conversion.entity, conversion.change.new.name)
    add(RowProblem.files(conversions.missingFiles[number], of: property, entity))
    add(
      RowProblem.values(
        conversions.findings[number], breakRules: conversion.onlyChecks, of: property, entity))
  }

  private mutating func findMissing(_ check: RowCheck) throws {
    if case .accepted = check.rule { return }
    var findings = RowFindings()
    let query = translator.rowsWithoutValue(check)
    try connection.forEachRow(query.text, query.values) { findings.add($0.integer(0)) }
    if findings.count == 0 { return }
    let total = try connection.integers(translator.rowCount(check)).first.map { Int($0) }
    add(
      RowProblem.missing(
        findings, of: check.rule == .newValue ? nil : total,
        check.mapping.layout.slots[check.slot].propertyName, check.mapping.layout.name))
  }

  /// Finds the groups of rows with equal values of a unique index.
  mutating func findDuplicates(_ index: SchemaTranslator.Index, _ mapping: TableMapping) throws {
    var count = 0
    var groups: [String] = []
    var first: [Int64] = []
    let query = translator.duplicates(index, mapping)
    try connection.forEachRow(query.text, query.values) { row in
      count += 1
      if groups.count == 5 { return }
      let (from, to, size) = (row.integer(0), row.integer(1), row.integer(2))
      if first.isEmpty { first = [from, to] }
      groups.append("p\(from), p\(to)" + (size > 2 ? " and \(size - 2) more" : ""))
    }
    if count == 0 { return }
    let found =
      "\(count) \(count == 1 ? "group" : "groups") of objects have equal values (\(groups.joined(separator: "; "))\(count > groups.count ? "; …" : ""))"
    add(
      RowProblem(
        kind: .unique, entity: mapping.layout.name,
        property: mapping.propertyNames(of: index).sorted().joined(separator: ", "), found: found,
        count: count, keys: first))
  }

  private mutating func add(_ problem: RowProblem?) {
    if let problem { problems.append(problem) }
  }
}

extension TableMapping {
  /// The names of the properties of an index.
  func propertyNames(of index: SchemaTranslator.Index) -> [String] {
    index.columns.compactMap { column in
      columnNames.firstIndex(of: column).map { layout.slots[$0].propertyName }
    }
  }
}
