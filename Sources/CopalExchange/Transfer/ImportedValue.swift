import CopalEssentials
import CopalModel
import CopalObjects
import CopalStore

/// Reads the values of one property of an import, and checks them.
// A class, because a copy of the struct would count the references of the description for each
// value.
final class ImportedValue {
  let property: String
  let entity: String
  let slot: Int
  private let attribute: AttributeDescription
  private let reader: ValueReader
  private let rule: ValueRule?
  private let transformers: RowTransformers
  private let style: ValueStyle
  private let isOfExport: Bool

  /// Why a value is refused.
  struct Refusal: Error {
    var problem: ImportProblem
  }

  /// A value, in the form that a store keeps for a transformable.
  struct Checked {
    var value: PropertyValue
    /// The version of the transformer that encoded it.
    var version: Int?
  }

  init(
    _ slot: Int, _ layout: EntityLayout, _ transformers: RowTransformers,
    _ style: ValueStyle, decimalComma: Bool = false, dateFormat: DateTemplate? = nil,
    isOfExport: Bool = false
  ) {
    self.isOfExport = isOfExport
    self.slot = slot
    attribute = layout.attributes[slot]
    isTransformable = attribute.type == .transformable
    hasDefault = !attribute.isOptional && attribute.defaultValue != nil
    property = layout.slots[slot].propertyName
    entity = layout.name
    reader = ValueReader(
      attribute: attribute, hasDecimalComma: decimalComma, dateFormat: dateFormat)
    rule = ValueRule(slot, attribute)
    self.transformers = transformers
    self.style = style
  }

  /// Whether the model has a value for an object without one.
  let hasDefault: Bool
  /// The default, if it is the same for all objects.
  var defaultValue: PropertyValue? {
    if case .value(let value)? = attribute.defaultValue { value } else { nil }
  }
  var isPrivate: Bool { attribute.isPrivate }
  var isDate: Bool { attribute.type == .date }
  let isTransformable: Bool

  /// The value of a text of CSV or of a log; nil is no value.
  func value(ofText text: String?) throws(Refusal) -> Checked {
    guard let text else { return try checked(.null, nil, "") }
    if attribute.isPrivate, !isOfExport, text == ExchangeText.hidden {
      throw wrong(text, "the value itself", .showsPrivateValues)
    }
    if isTransformable { return try transformed(text) }
    let value: PropertyValue
    do {
      value = try reader.value(of: text)
    } catch {
      throw wrong(text, error.expected, error.remedy)
    }
    return try checked(value, nil, text)
  }

  /// The value of an item of JSON.
  func value(of item: JSONItem) throws(Refusal) -> Checked {
    switch item {
    case .null: return try value(ofText: nil)
    case .string(let text):
      let isNumber =
        switch attribute.type {
        case .integer, .integer16, .integer32, .integer64, .boolean: true
        case .double, .float: !text.hasSuffix("Infinity")
        default: false
        }
      if isNumber { throw wrong("\"\(text)\"", expected(in: text)) }
      return try value(ofText: text)
    case .number(let text):
      switch attribute.type {
      case .integer, .integer16, .integer32, .integer64:
        return try value(ofText: integral(text) ?? text)
      case .double, .float:
        // Its point is a point, whatever sign the texts have.
        return try plain.value(ofText: text)
      case .decimal: return try plain.value(ofText: text)
      case .transformable:
        let stored: PropertyValue? =
          Int64(text).map { .integer($0) } ?? Double(text).map { .double($0) }
        if let stored { return try storedForm(stored, nil, text) }
        throw wrong(text, "the stored form of the transformer")
      default: throw wrong(text, expected(in: text))
      }
    case .boolean(let flag):
      guard attribute.type == .boolean else {
        throw wrong(flag ? "true" : "false", expected(in: ""))
      }
      return try checked(.boolean(flag), nil, "")
    case .object(let fields) where isTransformable: return try storedForm(fields)
    case .array, .object: throw wrong(item.kind, expected(in: ""))
    }
  }

  private var plain: ImportedValue {
    guard reader.hasDecimalComma else { return self }
    var reader = reader
    reader.hasDecimalComma = false
    return ImportedValue(self, reader)
  }

  private init(_ other: ImportedValue, _ reader: ValueReader) {
    isOfExport = other.isOfExport
    (isTransformable, hasDefault) = (other.isTransformable, other.hasDefault)
    (slot, attribute, property, entity) = (
      other.slot, other.attribute, other.property, other.entity
    )
    (rule, transformers, style) = (other.rule, other.transformers, other.style)
    self.reader = reader
  }

  /// An integer that is written with a point, as `12.0`; nil for another number.
  private func integral(_ text: String) -> String? {
    guard let number = DecimalText.written(text) else { return nil }
    let digits = DecimalText.string(number)
    return digits.contains(".") ? nil : digits
  }

  private func expected(in text: String) -> String {
    do {
      _ = try reader.value(of: "\u{0}")
      return "a text"
    } catch {
      return error.expected
    }
  }

  // MARK: Transformables

  private func transformed(_ text: String) throws(Refusal) -> Checked {
    let type = transformers.valueType(slot)
    if transformers.isKnown(slot) {
      if let value = style.read(text, type) { return try encoded(value, text) }
      if let form = style.form(type) { throw wrong(text, form) }
    }
    switch attribute.storageType {
    case .text: return try storedForm(.string(text), nil, text)
    case .integer:
      guard let number = Int64(text) else { throw wrong(text, "an integer") }
      return try storedForm(.integer(number), nil, text)
    case .real:
      guard let number = Double(text) else { throw wrong(text, "a number") }
      return try storedForm(.double(number), nil, text)
    case .blob:
      guard let data = Data(base64Encoded: text) else {
        throw wrong(text, "the stored form in Base64, such as \"AAEC\"")
      }
      return try storedForm(.binary(data), nil, text)
    }
  }

  private func encoded(_ value: any Sendable, _ text: String) throws(Refusal) -> Checked {
    do {
      return Checked(
        value: try transformers.storedForm(of: value, slot),
        version: transformers.version(of: slot))
    } catch {
      throw wrong(text, "a value that the transformer can store")
    }
  }

  /// `{"transformer": …, "base64": …}`, as an export has it.
  private func storedForm(_ fields: [JSONField]) throws(Refusal) -> Checked {
    var stored: PropertyValue?
    var version: Int?
    for field in fields {
      switch (field.name, field.value.item) {
      case ("transformer", _): break
      case ("version", .number(let text)): version = Int(text)
      case ("base64", .string(let text)):
        stored = Data(base64Encoded: text).map { .binary($0) }
      case ("value", .string(let text)): stored = .string(text)
      case ("value", .number(let text)):
        stored =
          attribute.storageType == .real
          ? Double(text).map { .double($0) } : Int64(text).map { .integer($0) }
      default: throw wrong(field.name, "transformer, version, and base64 or value")
      }
    }
    guard let stored else {
      throw wrong("an object", "{\"transformer\": …, \"base64\": …}")
    }
    return try storedForm(stored, version, "a stored form")
  }

  /// A stored form that the transformer, if there is one, can decode.
  private func storedForm(_ stored: PropertyValue, _ version: Int?, _ text: String) throws(Refusal)
    -> Checked
  {
    let fits =
      switch (attribute.storageType, stored) {
      case (.blob, .binary), (.text, .string), (.integer, .integer), (.real, .double): true
      default: false
      }
    guard fits else {
      throw wrong(text, "a stored form of the type \(attribute.storageType.rawValue.uppercased())")
    }
    // An export has also what its transformer could not read.
    if transformers.isKnown(slot), !isOfExport {
      do {
        _ = try transformers.value(of: stored, version: version, slot)
      } catch {
        throw wrong(text, "a stored form that the transformer can decode")
      }
    }
    return Checked(value: stored, version: version)
  }

  // MARK: Rules

  private func checked(_ value: PropertyValue, _ version: Int?, _ text: String) throws(Refusal)
    -> Checked
  {
    if isTransformable {
      if value.isNull, !attribute.isOptional { throw missing }
      return Checked(value: value, version: version)
    }
    guard let rule, !rule.accepts(value), let failure = rule.failure(value) else {
      return Checked(value: value, version: version)
    }
    if failure.code == .required { throw missing }
    var problem = ImportProblem(.brokenRule, entity: entity, property: property)
    problem.found = (attribute.isPrivate ? "the value" : "'\(text)'") + " " + failure.text
    problem.suggestion = failure.suggestion
    throw Refusal(problem: problem)
  }

  private var missing: Refusal {
    Refusal(problem: ImportProblem(.required, entity: entity, property: property))
  }

  private func wrong(_ text: String, _ expected: String, _ remedy: ImportOption? = nil) -> Refusal {
    let shown = attribute.isPrivate ? ExchangeText.hidden : String(text.prefix(100))
    return Refusal(
      problem: ImportProblem(
        .wrongValue, entity: entity, property: property, found: shown, expected: expected,
        remedy: remedy))
  }
}

extension ValueRule.Failure {
  /// The failure after the value, with what to do.
  fileprivate var text: String {
    let expected = expected ?? ""
    let found = found ?? ""
    switch code {
    case .notANumber: return "is not a number"
    case .belowMinimum: return "is below the minimum of \(expected)"
    case .aboveMaximum: return "is above the maximum of \(expected)"
    case .tooShort: return "is too short: it has \(found), and needs \(expected)"
    case .tooLong: return "is too long: it has \(found), and may have \(expected)"
    case .patternMismatch: return "does not match the pattern \(expected)"
    case .unrecognizedCase: return "is no case; there are \(expected)"
    case .scaleExceeded: return "has more than \(expected) digits after the point, or is too large"
    default: return "breaks a rule [\(code)]"
    }
  }
}
