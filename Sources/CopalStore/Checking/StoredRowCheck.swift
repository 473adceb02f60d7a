import CopalEssentials
package import CopalModel

/// Looks at the values of rows: their types, their forms, and the rules of the model.
///
/// A row says itself whether something in it has another type than the model allows, and most
/// other values are valid by their number or their length alone. Only the others are read.
package final class StoredRowCheck: RowReceiver {
  private let check: StoreCheck
  private let kinds: [Kind?]
  private let root: EntityLayout
  private let looksAtValues: Bool
  private let looksAtFiles: Bool
  private let fileSize: ((ExternalFileName) -> FileSize)?

  /// What is said of the file of a large value.
  package enum FileSize {
    case missing
    case bytes(Int)
    /// A folder, a link, or something else.
    case noFile
  }

  /// What is looked at in the rows of an entity.
  private final class Kind {
    let layout: EntityLayout
    /// The slots to look at in a row that says nothing itself.
    let tests: ContiguousArray<Test>
    /// All stored slots.
    let slots: [Slot]

    init(_ layout: EntityLayout, _ slots: [Slot]) {
      self.layout = layout
      self.slots = slots
      tests = ContiguousArray(
        slots.enumerated().map {
          Test(
            slot: $1.slot, isRequired: $1.isRequired, place: $0,
            quick: $1.quickTest(layout.attributes[$1.slot]))
        }.filter { test in
          if case .all = test.quick { test.isRequired } else { true }
        })
    }
  }

  private struct Slot {
    let slot: Int
    let isRequired: Bool
    let rule: ValueRule?
    /// Whether the search for broken references tells that the column has something else than a
    /// key.
    let isToldByReferences: Bool

    func quickTest(_ attribute: AttributeDescription) -> ValueRule.QuickTest {
      if rule?.looksAtValues != true, let range = attribute.type.integerRange {
        return .integers(from: range.lowerBound, to: range.upperBound)
      }
      switch attribute.type {
      case .uri: return .none
      case .decimal where attribute.scale == nil: return .none
      default: return rule?.quickTest(attribute) ?? .all
      }
    }
  }

  /// The quick look at a slot, without a reference to anything: it runs for each value.
  private struct Test {
    let slot: Int
    let isRequired: Bool
    /// The place of the slot in ``Kind/slots``.
    let place: Int
    let quick: ValueRule.QuickTest

    @inline(__always)
    func accepts(_ base: UnsafeRawPointer) -> Bool {
      if PackedRowValues.isNull(base, slot) { return !isRequired }
      return switch quick {
      case .all: true
      case .integers(let least, let greatest):
        PackedRowValues.integer(base, slot) >= least
          && PackedRowValues.integer(base, slot) <= greatest
      case .byteCounts(let least, let greatest):
        PackedRowValues.bytes(base, slot).count >= least
          && PackedRowValues.bytes(base, slot).count <= greatest
      case .numbers: !PackedRowValues.real(base, slot).isNaN
      case .none: false
      }
    }
  }

  /// - Parameters:
  ///   - root: the entity whose rows are given, with those of its subentities.
  ///   - fileSize: finds the file of a large value; nil for a store that has no files.
  package init(
    _ check: StoreCheck, root: EntityLayout,
    fileSize: ((ExternalFileName) -> FileSize)? = nil
  ) {
    self.check = check
    self.root = root
    self.fileSize = fileSize
    looksAtValues = check.parts.contains(.values)
    looksAtFiles = check.parts.contains(.files) && fileSize != nil
    let family = Set(check.schema.kinds(of: root.index))
    kinds = check.schema.entities.map { layout in
      guard family.contains(layout.index) else { return nil }
      return Kind(layout, layout.columns.map { Self.slot($0, layout, check.parts) })
    }
  }

  private static func slot(
    _ column: EntityLayout.Column, _ layout: EntityLayout, _ parts: StoreCheckParts
  ) -> Slot {
    let reference = layout.reference(ofSlot: column.slot)
    return Slot(
      slot: column.slot, isRequired: !column.isOptional,
      rule: ValueRule(column.slot, layout.attributes[column.slot]),
      isToldByReferences: parts.contains(.references) && reference?.mayDangle == false)
  }

  // MARK: Rows

  package func wantsRow(key: Int64, version: Int64) -> Bool { true }

  package func skip(key: Int64) {}

  package func receive(key: Int64, row: consuming PackedRow) {
    check.countRow()
    guard let kind = kinds[row.entity] else { return }
    if row.hasTypeMismatch {
      lookAtEverything(key, row, kind)
    } else if looksAtValues {
      let base = row.base
      withExtendedLifetime(row) {
        for test in kind.tests where !test.accepts(base) {
          look(at: kind.slots[test.place], key, base, kind.layout)
        }
      }
    }
  }

  package func receive(key: Int64, failure: PersistenceError) {
    check.countRow()
    if !looksAtValues { return }
    check.add(
      StoreProblem(
        .unreadableRow, entity: root.name, property: failure.property,
        objectID: check.id(key, root.index),
        detail: failure.found.map { found in
          found + (failure.expected.map { " instead of \($0)" } ?? "")
        } ?? "not readable (\(failure.code.rawValue))"))
  }

  private func lookAtEverything(_ key: Int64, _ row: PackedRow, _ kind: Kind) {
    let base = row.base
    withExtendedLifetime(row) {
      for slot in kind.slots {
        if let found = PackedRowValues.typeMismatch(base, slot.slot) {
          look(at: found, slot, key, row, kind.layout)
        } else if looksAtValues {
          look(at: slot, key, base, kind.layout)
        }
      }
    }
  }

  // MARK: Values

  private func look(
    at slot: Slot, _ key: Int64, _ base: UnsafeRawPointer, _ layout: EntityLayout
  ) {
    if PackedRowValues.isNull(base, slot.slot) {
      if slot.isRequired { check.add(.missingValue, key, slot.slot, layout) }
      return
    }
    let value = layout.value(base, slot.slot)
    let attribute = layout.attributes[slot.slot]
    if value.isNull {
      return check.add(
        .unreadableValue, key, slot.slot, layout, detail: attribute.type.wordsForStoredForm)
    }
    if attribute.type != .transformable, !attribute.type.accepts(value) {
      return check.add(
        .outOfRange, key, slot.slot, layout, detail: attribute.type.wordsForRange)
    }
    guard let rule = slot.rule, !rule.accepts(value), let failure = rule.failure(value) else {
      return
    }
    add(failure, key, slot, layout)
  }

  private func add(_ failure: ValueRule.Failure, _ key: Int64, _ slot: Slot, _ layout: EntityLayout)
  {
    check.add(
      .brokenRule, key, slot.slot, layout, rule: failure.code, detail: failure.wordsInStore)
  }

  /// Looks at something that the model does not allow in a column, or at the name of a file.
  private func look(
    at found: TypeMismatch, _ slot: Slot, _ key: Int64, _ row: PackedRow, _ layout: EntityLayout
  ) {
    let storage = layout.storage(slot.slot).rawValue.uppercased()
    switch found {
    case .file: lookAtFile(slot, key, row, layout)
    case .null:
      if looksAtValues { check.add(.missingValue, key, slot.slot, layout) }
    case .malformed:
      guard looksAtValues else { return }
      check.add(
        .unreadableValue, key, slot.slot, layout,
        detail: layout.attributes[slot.slot].type.wordsForStoredForm)
    case .integer, .real, .text, .blob:
      if !looksAtValues || slot.isToldByReferences { return }
      check.add(
        .wrongType, key, slot.slot, layout,
        detail: "\(found.storageClassName) instead of \(storage)"
      )
    }
  }

  private func lookAtFile(
    _ slot: Slot, _ key: Int64, _ row: PackedRow, _ layout: EntityLayout
  ) {
    guard let text = row.fileText(slot.slot), let name = ExternalFileName(text) else {
      return check.add(
        .wrongType, key, slot.slot, layout, detail: "TEXT that is no name of a file")
    }
    if looksAtValues, let failure = slot.rule?.failure(byteCount: name.byteCount) {
      add(failure, key, slot, layout)
    }
    guard looksAtFiles, let fileSize else { return }
    switch fileSize(name) {
    case .missing: check.add(.missingFile, key, slot.slot, layout)
    case .noFile:
      check.add(.wrongFile, key, slot.slot, layout, detail: "is no file")
    case .bytes(let count) where count != name.byteCount:
      check.add(
        .wrongFile, key, slot.slot, layout,
        detail: "has \(count.counted("byte")) instead of \(name.byteCount)")
    case .bytes: break
    }
  }
}

extension AttributeType {
  /// The form that a stored value must have, in words.
  package var wordsForStoredForm: String {
    switch self {
    case .string, .transformable: "UTF-8 text"
    case .decimal: "a decimal without extra zeros (1.5, not 1.50)"
    default: "a value of type \(rawValue)"
    }
  }

  /// The type with the numbers that it can hold, in words.
  package var wordsForRange: String {
    rawValue + (integerRange.map { " (\($0.lowerBound) to \($0.upperBound))" } ?? "")
  }
}

extension ValueRule.Failure {
  /// What is wrong with a stored value, in words that follow its name.
  fileprivate var wordsInStore: String {
    let expected = expected ?? ""
    return switch code {
    case .belowMinimum: "is below its minimum of \(expected)"
    case .aboveMaximum: "is above its maximum of \(expected)"
    case .tooShort: "has \(found ?? ""), fewer than its minimum of \(expected)"
    case .tooLong: "has \(found ?? ""), more than its maximum of \(expected)"
    case .patternMismatch: "does not match the pattern /\(expected)/"
    case .unrecognizedCase: "has a raw value that none of its cases has"
    case .notANumber: "is NaN"
    case .scaleExceeded: "does not fit its scale of \(expected)"
    default: "breaks the rule \(code.rawValue)"
    }
  }
}
