import CCopalSQLite
import CopalEssentials
import CopalModel
import CopalSQL
import CopalStore

/// The SQL function `copal_convert(value, key, number)` of a migration: what a conversion makes of
/// a value of a row. It notes the rows whose value refuses the migration, and its result is NULL
/// for them. With `copal_new_uuid()`, it is registered while a migration runs.
///
/// The conversions are those of ``AttributeChange``, which a copy of objects uses, too.
final class ConversionFunction {
  private let conversions: [Conversion]
  /// The rows that refuse the migration, for each conversion.
  private(set) var findings: [RowFindings]
  /// The files that could not be read, for each conversion.
  private(set) var missingFiles: [RowFindings]
  /// The number of values that a lossy conversion rounds or replaces, for each conversion. Only a
  /// plan counts them.
  private(set) var lostValues: [Int]
  private let countsLosses: Bool
  private let folder: ExternalFolder
  private let now: Date

  /// One conversion, with what it needs for each row. A class, so that no row copies it.
  private final class Conversion {
    let root: String
    let values: ValueChange
    /// The rule that the values are checked with; nil for a conversion.
    let rule: ValueRule?
    let form: StoredValueForm
    let newScale: Int?
    let isExternal: Bool
    let replacesValues: Bool

    init(_ conversion: ColumnConversion) {
      let change = conversion.change
      root = conversion.root
      values = ValueChange(change)
      rule = conversion.onlyChecks ? ValueRule(0, change.new) : nil
      form = StoredValueForm(conversion.onlyChecks ? change.new.form : change.old.form)
      newScale = change.new.scale
      isExternal = change.old.externalThreshold != nil
      replacesValues = change.replacesValues
    }
  }

  init(
    _ conversions: [ColumnConversion], _ folder: ExternalFolder, now: Date,
    countsLosses: Bool = false
  ) {
    self.conversions = conversions.map { Conversion($0) }
    let none = [RowFindings](repeating: RowFindings(), count: conversions.count)
    findings = none
    missingFiles = none
    lostValues = none.map { _ in 0 }
    self.countsLosses = countsLosses
    self.folder = folder
    self.now = now
  }

  /// Runs work during which the functions of a connection can be called.
  func registered<R>(on connection: Connection, _ body: () throws -> R) throws -> R {
    connection.register(self)
    defer { connection.removeConversions() }
    return try withExtendedLifetime(self, body)
  }

  /// Forgets the rows and values of some conversions: their values were calculated for a check, and
  /// are calculated again.
  func forget(_ numbers: Set<Int>) {
    for number in numbers where conversions.indices.contains(number) {
      findings[number] = RowFindings()
      missingFiles[number] = RowFindings()
      lostValues[number] = 0
    }
  }

  // MARK: Rows

  fileprivate func convert(
    _ context: OpaquePointer, _ value: OpaquePointer, key: Int64, number: Int
  ) {
    guard conversions.indices.contains(number) else { return }
    let conversion = conversions[number]
    let old: PropertyValue?
    if conversion.isExternal, let name = fileName(value) {
      old = (try? folder.read(name)).map { .binary($0) }
      if old == nil, !conversion.replacesValues {
        return missingFiles[number].add(key, of: conversion.root)
      }
    } else {
      old = conversion.form.read(value)
    }
    if let rule = conversion.rule {
      if let old, old == .null || rule.failure(old) == nil { return }
      return findings[number].add(key, of: conversion.root)
    }
    if countsLosses, conversion.values.loses(old) { lostValues[number] += 1 }
    guard let new = conversion.values.newValue(of: old, now: now) else {
      return findings[number].add(key, of: conversion.root)
    }
    if let scale = conversion.newScale, case .decimal(let decimal) = new {
      guard let scaled = DecimalText.scaled(decimal, by: scale) else {
        return findings[number].add(key, of: conversion.root)
      }
      return SQLiteValue.set(.integer(scaled), context)
    }
    SQLiteValue.set(new, context)
  }

  /// The name of a file that a value is; nil for another value.
  private func fileName(_ value: OpaquePointer) -> ExternalFileName? {
    guard sqlite3_value_type(value) == SQLITE_TEXT else { return nil }
    return ExternalFileName(String(decoding: value.text, as: UTF8.self))
  }
}

/// How the stored values of a type are read.
private struct StoredValueForm {
  private let letter: UInt8
  private let scale: Int?
  private let isFloat: Bool

  init(_ form: ValueConversion.Form) {
    scale = form.scale
    isFloat = form.type == .float
    let letter: Unicode.Scalar =
      switch form.type {
      case .integer16, .integer32, .integer64, .integer: "i"
      case .float, .double: "r"
      case .decimal: form.scale == nil ? "d" : "i"
      case .boolean: "b"
      case .date: "t"
      case .string: "s"
      case .uri: "l"
      case .uuid: "u"
      case .binary, .transformable: "x"
      }
    self.letter = UInt8(ascii: letter)
  }

  /// Null for NULL; nil for a value of another type, which another program has stored.
  func read(_ value: OpaquePointer) -> PropertyValue? {
    if sqlite3_value_type(value) == SQLITE_NULL { return .null }
    let found = SQLiteValue.read(value, letter)
    switch found {
    case .null: return nil
    case .integer(let number):
      return scale.map { .decimal(DecimalText.decimal(scaled: number, by: $0)) } ?? found
    case .double(let number) where isFloat: return .double(Double(Float(number)))
    default: return found
    }
  }
}

extension Connection {
  /// Registers the functions of a migration, which stays alive until they are removed.
  fileprivate func register(_ function: ConversionFunction) {
    register("copal_convert", argumentCount: 3, data: Unmanaged.passUnretained(function).toOpaque())
    { context, _, arguments in
      guard let context, let arguments, let data = sqlite3_user_data(context),
        let value = arguments[0], let key = arguments[1], let number = arguments[2]
      else { return }
      Unmanaged<ConversionFunction>.fromOpaque(data).takeUnretainedValue().convert(
        context, value, key: sqlite3_value_int64(key), number: Int(sqlite3_value_int64(number)))
    }
    register("copal_new_uuid", argumentCount: 0, data: nil) { context, _, _ in
      if let context { SQLiteValue.set(.uuid(UUID()), context) }
    }
  }

  fileprivate func removeConversions() {
    // SQLite refuses to change a function while a kept statement with it runs; none does.
    register("copal_convert", argumentCount: 3, data: nil, nil)
    register("copal_new_uuid", argumentCount: 0, data: nil, nil)
  }
}
