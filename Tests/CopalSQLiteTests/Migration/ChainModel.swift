import CopalModel
import CopalStore
import CopalTestSupport
import Foundation

/// A value of a plain model: it knows nothing of Copal's conversions.
enum ChainValue: Hashable {
  case null
  case integer(Int64)
  case double(Double)
  case text(String)
  case flag(Bool)
  /// A decimal of scale 2.
  case hundredths(Int64)

  var stored: PropertyValue {
    switch self {
    case .null: .null
    case .integer(let number): .integer(number)
    case .double(let number): .double(number)
    case .text(let text): .string(text)
    case .flag(let flag): .boolean(flag)
    case .hundredths(let number):
      .decimal(
        Decimal(
          sign: number < 0 ? .minus : .plus, exponent: -2, significand: Decimal(number.magnitude)))
    }
  }
}

/// The type of an attribute of a plain model.
enum ChainType: String, CaseIterable {
  case integer16, integer32, integer64, double, string, boolean, decimal

  /// The limits of integers; nil for other types.
  var limits: ClosedRange<Int64>? {
    switch self {
    case .integer16: -32_768...32_767
    case .integer32: -2_147_483_648...2_147_483_647
    case .integer64: Int64.min...Int64.max
    default: nil
    }
  }

  /// The value of this type that says the same; nil where there is none.
  func exact(_ value: ChainValue) -> ChainValue? {
    switch (self, value) {
    case (_, .null): .null
    case (.integer16, .integer(let n)), (.integer32, .integer(let n)),
      (.integer64, .integer(let n)):
      limits?.contains(n) == true ? value : nil
    case (.integer16, .flag(let f)), (.integer32, .flag(let f)), (.integer64, .flag(let f)):
      .integer(f ? 1 : 0)
    case (.integer16, .double(let d)), (.integer32, .double(let d)), (.integer64, .double(let d)):
      d == d.rounded() && abs(d) < 1e15 ? exact(.integer(Int64(d))) : nil
    case (.integer16, .hundredths(let h)), (.integer32, .hundredths(let h)),
      (.integer64, .hundredths(let h)):
      h % 100 == 0 ? exact(.integer(h / 100)) : nil
    case (.integer16, .text(let t)), (.integer32, .text(let t)), (.integer64, .text(let t)):
      Int64(t).flatMap { "\($0)" == t ? exact(.integer($0)) : nil }
    case (.double, .double), (.string, .text), (.boolean, .flag), (.decimal, .hundredths): value
    case (.double, .integer(let n)):
      // 53 binary digits.
      n == 0 || 64 - n.magnitude.leadingZeroBitCount - n.magnitude.trailingZeroBitCount <= 53
        ? .double(Double(n)) : nil
    case (.double, .flag(let f)): .double(f ? 1 : 0)
    case (.double, .hundredths(let h)):
      Double(Self.text(hundredths: h)).flatMap {
        Self.text(hundredths: h) == Self.shorter("\($0)") ? .double($0) : nil
      }
    case (.double, .text(let t)): Double(t).flatMap { "\($0)" == t ? .double($0) : nil }
    case (.string, .integer(let n)): .text("\(n)")
    case (.string, .flag(let f)): .text(f ? "true" : "false")
    case (.string, .double(let d)): .text("\(d)")
    case (.string, .hundredths(let h)): .text(Self.text(hundredths: h))
    case (.boolean, .integer(let n)): n == 0 || n == 1 ? .flag(n == 1) : nil
    case (.boolean, .double), (.boolean, .hundredths): nil
    case (.boolean, .text(let t)): t == "true" ? .flag(true) : t == "false" ? .flag(false) : nil
    case (.decimal, .integer(let n)):
      n.multipliedReportingOverflow(by: 100).overflow ? nil : .hundredths(n * 100)
    case (.decimal, .flag(let f)): .hundredths(f ? 100 : 0)
    case (.decimal, .double(let d)):
      // All doubles here are eighths.
      (d * 100).rounded() == d * 100 && abs(d) < 1e13 ? .hundredths(Int64(d * 100)) : nil
    case (.decimal, .text(let t)): Self.hundredths(t).map { .hundredths($0) }
    }
  }

  /// Whether no model file can say how values of another type become values of this one.
  func isUnreachable(from old: ChainType) -> Bool {
    self == .boolean && (old == .double || old == .decimal)
  }

  /// `-1.5` for -150.
  static func text(hundredths: Int64) -> String {
    let (whole, rest) = (hundredths.magnitude / 100, hundredths.magnitude % 100)
    let digits = rest == 0 ? "" : rest % 10 == 0 ? ".\(rest / 10)" : ".\(rest / 10)\(rest % 10)"
    return (hundredths < 0 ? "-" : "") + "\(whole)\(digits)"
  }

  /// The text of a double without a fraction of zero.
  private static func shorter(_ text: String) -> String {
    text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  private static func hundredths(_ text: String) -> Int64? {
    guard let number = Double(text), abs(number) < 1e10, !text.contains("e") else { return nil }
    let hundredths = Int64((number * 100).rounded())
    return Self.text(hundredths: hundredths) == text ? hundredths : nil
  }

  /// Some value, often at an end or of a shape that another type does not have.
  func random(_ random: inout SplitMix) -> ChainValue {
    func pick<T>(_ values: [T], _ random: inout SplitMix) -> T {
      values[Int.random(in: 0..<values.count, using: &random)]
    }
    switch self {
    case .integer16, .integer32, .integer64:
      let limits = limits ?? 0...0
      return .integer(
        pick(
          [
            0, 1, 7, -12, limits.lowerBound, limits.upperBound,
            Int64.random(in: limits, using: &random),
          ], &random))
    case .double: return .double(Double(Int.random(in: -80...80, using: &random)) / 8 + 0)
    case .string:
      return .text(
        pick(
          [
            "", "7", "007", "-12", "1.5", "1.50", "true", "TRUE", "ä b", "A B", "0.25", "12 kg",
            "1.0", "40000",
          ],
          &random))
    case .boolean: return .flag(Bool.random(using: &random))
    case .decimal: return .hundredths(pick([0, 100, 150, -25, 12_345, 4_000_000], &random))
    }
  }
}

/// An attribute. Its number stays the same when its name and its type change.
struct ChainAttribute {
  let number: Int
  var names: [String]
  var type: ChainType
  var isOptional: Bool
  var fill: ChainValue?
  var becomesNil = false
  /// The words of its `search`, while it is a string.
  var search: [String] = []

  var json: String {
    var members = [#""type": "\#(type.rawValue)\#(isOptional ? "?" : "")""#]
    if type == .decimal { members.append(#""scale": 2"#) }
    if names.count > 1 {
      members.append(
        #""renamedFrom": [\#(names.dropFirst().map { "\"\($0)\"" }.joined(separator: ", "))]"#)
    }
    if type == .string, !search.isEmpty {
      members.append(#""search": [\#(search.map { "\"\($0)\"" }.joined(separator: ", "))]"#)
    }
    if let fill { members.append(#""fill": \#(Self.literal(fill))"#) }
    if becomesNil { members.append(#""conversion": "nil""#) }
    return #""\#(names[0])": { \#(members.joined(separator: ", ")) }"#
  }

  private static func literal(_ value: ChainValue) -> String {
    switch value {
    case .null: "null"
    case .integer(let number): "\(number)"
    case .double(let number): "\(number)"
    case .text(let text): "\"\(text)\""
    case .flag(let flag): "\(flag)"
    case .hundredths(let number): "\"\(ChainType.text(hundredths: number))\""
    }
  }
}

/// The transformable of an entity, whose values are texts, and the projections that a store keeps
/// of them.
struct ChainSheet {
  /// What stands for the attribute among the values of an object.
  static let number = -1
  /// All projections with their types: the number of bytes, and the first letter.
  static let all = ["size": "integer", "first": "string"]

  var names = ["sheet"]
  var projections: Set<String> = []
  /// Whether there is an index of each.
  var isIndexed = false

  var json: String {
    var members = [
      #""type": "transformable?", "transformer": "Sheet", "class": "String", "storage": "text""#
    ]
    if names.count > 1 {
      members.append(
        #""renamedFrom": [\#(names.dropFirst().map { "\"\($0)\"" }.joined(separator: ", "))]"#)
    }
    if !projections.isEmpty {
      let list = projections.sorted().map { #""\#($0)": "\#(Self.all[$0] ?? "")""# }
      members.append(#""project": { \#(list.joined(separator: ", ")) }"#)
    }
    return #""\#(names[0])": { \#(members.joined(separator: ", ")) }"#
  }

  /// The names of the projections as an index has them.
  var indexed: [String] {
    isIndexed ? projections.sorted().map { "\"\(names[0]).\($0)\"" } : []
  }

  /// The value of a projection; nil where a text has none.
  static func value(_ projection: String, of text: String) -> ChainValue? {
    projection == "size"
      ? .integer(Int64(text.utf8.count)) : text.first.map { .text(String($0)) }
  }
}

/// Makes the projections of texts for stores.
struct ChainProjector: ValueProjector {
  func value(
    _ projection: EntityLayout.Projection, of stored: PropertyValue, version: Int64?
  ) -> PropertyValue {
    guard case .string(let text) = stored else { return .null }
    return ChainSheet.value(projection.description.name, of: text)?.stored ?? .null
  }

  func version(_ projection: EntityLayout.Projection) -> Int { 1 }
}

/// An entity. Its number stays the same when its name changes.
struct ChainEntity {
  let number: Int
  var names: [String]
  var attributes: [ChainAttribute]
  var removed: [String] = []
  /// The number of an attribute whose values are unique.
  var unique: Int?
  /// Whether the constraint ignores case and diacritics, where the attribute can.
  var ignoresInUnique = false
  var indexes: Set<Int> = []
  var sheet = ChainSheet()

  private func name(_ number: Int) -> String? {
    attributes.first { $0.number == number }.map { "\"\($0.names[0])\"" }
  }

  private var ignores: Bool {
    ignoresInUnique
      && attributes.contains {
        $0.number == unique && $0.type == .string && $0.search.contains("normalized")
      }
  }

  /// A value of the unique attribute as the constraint compares it.
  func uniqueForm(_ value: ChainValue?) -> ChainValue? {
    guard ignores, case .text(let text) = value else { return value }
    return .text(text.lowercased().replacing("ä", with: "a"))
  }

  var json: String {
    let all = attributes.map(\.json) + [sheet.json]
    var members = [#""attributes": { \#(all.joined(separator: ", ")) }"#]
    if names.count > 1 {
      members.append(
        #""renamedFrom": [\#(names.dropFirst().map { "\"\($0)\"" }.joined(separator: ", "))]"#)
    }
    if !removed.isEmpty {
      members.append(#""removed": [\#(removed.map { "\"\($0)\"" }.joined(separator: ", "))]"#)
    }
    if let unique = unique.flatMap(name) {
      members.append(
        ignores
          ? #""unique": [{ "attribute": \#(unique), "ignoring": ["case", "diacritics"] }]"#
          : #""unique": [\#(unique)]"#)
    }
    let indexes = indexes.sorted().compactMap(name) + sheet.indexed
    if !indexes.isEmpty { members.append(#""indexes": [\#(indexes.joined(separator: ", "))]"#) }
    return #""\#(names[0])": { \#(members.joined(separator: ", ")) }"#
  }
}

/// A model with the objects of a store: by entity the values of each object by the number of the
/// attribute.
struct ChainModel {
  typealias Objects = [Int: [[Int: ChainValue]]]

  var entities: [ChainEntity] = []
  var removed: [String] = []
  var version = 1
  private var count = 0

  mutating func newNumber() -> Int {
    count += 1
    return count
  }

  var json: String {
    let removed =
      removed.isEmpty
      ? "" : #""removed": [\#(removed.map { "\"\($0)\"" }.joined(separator: ", "))], "#
    return
      #"{ "copal": 1, "model": "Test", "version": \#(version), \#(removed)"entities": { \#(entities.map(\.json).joined(separator: ", ")) } }"#
  }

  /// The objects of an older model as objects of this one; nil when one of them does not fit.
  func objects(_ objects: Objects, of old: ChainModel) -> Objects? {
    var result: Objects = [:]
    for entity in entities {
      guard let former = old.entities.first(where: { $0.number == entity.number }) else {
        result[entity.number] = []
        continue
      }
      for attribute in entity.attributes {
        let was = former.attributes.first { $0.number == attribute.number }
        if let was, attribute.type.isUnreachable(from: was.type) { return nil }
      }
      var rows: [[Int: ChainValue]] = []
      for row in objects[entity.number] ?? [] {
        var values: [Int: ChainValue] = [:]
        for attribute in entity.attributes {
          guard let was = former.attributes.first(where: { $0.number == attribute.number }) else {
            guard let value = attribute.fill ?? (attribute.isOptional ? .null : nil) else {
              return nil
            }
            values[attribute.number] = value
            continue
          }
          let value = row[attribute.number] ?? .null
          if value == .null {
            let isRequiredNow = was.isOptional && !attribute.isOptional
            guard let new = isRequiredNow ? attribute.fill : .null else { return nil }
            values[attribute.number] = new
          } else {
            guard let new = attribute.type.exact(value) ?? (attribute.becomesNil ? .null : nil)
            else {
              return nil
            }
            values[attribute.number] = new
          }
        }
        values[ChainSheet.number] = row[ChainSheet.number]
        rows.append(values)
      }
      if let unique = entity.unique {
        let values = rows.compactMap { entity.uniqueForm($0[unique]) }.filter { $0 != .null }
        if Set(values).count != values.count { return nil }
      }
      result[entity.number] = rows
    }
    return result
  }
}
