import Copal
import CopalColor
import Foundation

/// The schema of the plain model. Written by hand and not read from the model file, so that it is
/// independent.
struct PlainSchema {
  let study: PlainEntity
  let drawer: PlainEntity

  init() {
    let s = Properties<Study>()
    study = PlainEntity(
      "Study", unique: [["code"], ["shelf", "place"]],
      [
        s.required("title", { $0.title }, { $0.title = $1 }, zero: .text(""), choices: Self.titles),
        s.optional(
          "code", { $0.code }, { $0.code = $1 }, [.text("A1"), .text("A2"), .text("A3"), .none]),
        s.optional("shelf", { $0.shelf }, { $0.shelf = $1 }, [.number(1), .number(2), .none]),
        s.optional("place", { $0.place }, { $0.place = $1 }, [.number(1), .number(2), .none]),
        s.required(
          "rank", { $0.rank }, { $0.rank = $1 }, zero: .number(0), initial: .number(0),
          choices: [1, 2, 3, 13, 21, 100, 101].map { .number($0) }),
        s.optional(
          "price", { $0.price }, { $0.price = $1 },
          ["1", "1.25", "-3", "1.005", nil].map(Self.amount)),
        s.optional(
          "opacity", { $0.opacity }, { $0.opacity = $1 },
          [.real(0.25), .real(1), .notANumber, .none]),
        s.optional(
          "finished", { $0.finished }, { $0.finished = $1 },
          [.instant(0), .instant(86_400.5), .none]),
        s.required(
          "isSold", { $0.isSold }, { $0.isSold = $1 }, zero: .flag(false), initial: .flag(false),
          choices: [.flag(true), .flag(false)]),
        s.optional(
          "color", { $0.color }, { $0.color = $1 }, [.color(.red), .color(.blue), .none],
          isTransformable: true),
        s.optional(
          "recipe", { $0.recipe }, { $0.recipe = $1 },
          ["oil", "egg", "unreadable", "unwritable"].map { .recipe($0) } + [.none],
          isTransformable: true),
        s.optional(
          "nickname", { $0.nickname }, { $0.nickname = $1 },
          [.text("lily"), .text("LILY"), .text("Rose"), .none], isTransformable: true),
        s.optional(
          "mood", { $0.mood }, { $0.mood = $1 }, [.text("proud"), .none], isTransient: true),
        s.optional(
          "label", { $0.label }, { $0.label = $1 }, [.text("label"), .none], isTransient: true),
        s.optional(
          "badge", { $0.badge }, { $0.badge = $1 }, [.text("badge"), .none], isTransient: true),
        s.optional(
          "sheen", { $0.sheen }, { $0.sheen = $1 }, [.recipe("unwritable"), .none],
          isTransient: true, isTransformable: true),
      ],
      dependents: [
        "title": ["label", "badge"], "code": ["label", "badge"], "label": ["badge"],
        "color": ["sheen"],
      ])
    let d = Properties<Drawer>()
    drawer = PlainEntity(
      "Drawer", unique: [["position"]],
      [
        d.required(
          "label", { $0.label }, { $0.label = $1 }, zero: .text(""), initial: .text("Drawer"),
          choices: [.text("top"), .text("Drawer"), .none]),
        d.optional(
          "position", { $0.position }, { $0.position = $1 },
          [.number(1), .number(2), .number(3), .none]),
        d.optional(
          "note", { $0.note }, { $0.note = $1 }, [.text("sticks"), .text("locked"), .none]),
      ], dependents: [:])
  }

  var entities: [PlainEntity] { [study, drawer] }

  func entity(_ name: String) -> PlainEntity { name == study.name ? study : drawer }

  /// Titles that hooks know, titles that they do not, and two that break a rule.
  private static let titles =
    (["Lilies", "Bridge"] + StudyHooks.titles).map { PlainValue.text($0) } + [.text(""), .none]

  private static func amount(_ text: String?) -> PlainValue {
    text.flatMap { Decimal(string: $0) }.map(PlainValue.amount) ?? .none
  }
}

struct PlainEntity {
  let name: String
  let unique: [[String]]
  let attributes: [PlainAttribute]
  /// The transients that go when an attribute is set, those that depend on these included.
  let dependents: [String: [String]]
  private let byName: [String: Int]

  init(
    _ name: String, unique: [[String]], _ attributes: [PlainAttribute],
    dependents: [String: [String]]
  ) {
    self.name = name
    self.unique = unique
    self.attributes = attributes
    self.dependents = dependents
    byName = Dictionary(uniqueKeysWithValues: attributes.enumerated().map { ($1.name, $0) })
  }

  func attribute(_ name: String) -> PlainAttribute { attributes[byName[name] ?? 0] }

  var stored: [PlainAttribute] { attributes.filter { !$0.isTransient } }
}

struct PlainAttribute {
  let name: String
  let isRequired: Bool
  let isTransient: Bool
  let isTransformable: Bool
  /// The default of the model.
  let initial: PlainValue
  /// What the property shows where there is no value.
  let zero: PlainValue
  /// What sequences set it to.
  let choices: [PlainValue]
  /// The generated property.
  let read: (ManagedObject) -> PlainValue
  let write: (ManagedObject, PlainValue) throws -> Void

  /// What a store makes of a value; nil when it cannot be stored.
  func stored(_ value: PlainValue) -> PlainValue? {
    switch (name, value) {
    case ("recipe", .recipe("unwritable")): nil
    case ("nickname", .text(let text)): .text(text.uppercased())
    default: value
    }
  }

  /// What reading a stored value gives.
  func decoded(_ stored: PlainValue) -> PlainValue {
    stored == .recipe("unreadable") ? .unreadable : stored
  }

  /// The rule of the model that a value breaks.
  func brokenRule(_ value: PlainValue) -> PersistenceError.Code? {
    switch (name, value) {
    case (_, .none): isRequired ? .required : nil
    case (_, .notANumber): .notANumber
    case ("title", .text("")): .tooShort
    case ("rank", .number(let rank)): rank > 100 ? .aboveMaximum : nil
    case ("price", .amount(let price)): price == Decimal(string: "1.005") ? .scaleExceeded : nil
    default: nil
    }
  }
}

/// Makes the attributes of a class from its properties.
///
/// Closures rather than key paths: writing through a key path reads first, which fills a fault.
struct Properties<Object: ManagedObject> {
  func required<V: PlainConvertible>(
    _ name: String, _ get: @escaping (Object) -> V, _ set: @escaping (Object, V) -> Void,
    zero: PlainValue, initial: PlainValue = .none, choices: [PlainValue]
  ) -> PlainAttribute {
    PlainAttribute(
      name: name, isRequired: true, isTransient: false, isTransformable: false, initial: initial,
      zero: zero, choices: choices, read: read(get)
    ) { object, value in
      // A property that is not Optional takes no nil; access by name does.
      guard let value = V.from(value) else { return try object.setValue(nil, forKey: name) }
      (object as? Object).map { set($0, value) }
    }
  }

  func optional<V: PlainConvertible>(
    _ name: String, _ get: @escaping (Object) -> V?, _ set: @escaping (Object, V?) -> Void,
    _ choices: [PlainValue], isTransient: Bool = false, isTransformable: Bool = false
  ) -> PlainAttribute {
    PlainAttribute(
      name: name, isRequired: false, isTransient: isTransient, isTransformable: isTransformable,
      initial: .none, zero: .none, choices: choices, read: read(get)
    ) { object, value in
      (object as? Object).map { set($0, V.from(value)) }
    }
  }

  private func read<V>(_ get: @escaping (Object) -> V) -> (ManagedObject) -> PlainValue {
    { ($0 as? Object).map { PlainValue(get($0)) } ?? .unreadable }
  }

  private func read<V>(_ get: @escaping (Object) -> V?) -> (ManagedObject) -> PlainValue {
    { ($0 as? Object).map { PlainValue(get($0)) } ?? .unreadable }
  }
}

/// A type of a property.
protocol PlainConvertible {
  static func from(_ plain: PlainValue) -> Self?
}

extension PlainConvertible {
  static func from(_ plain: PlainValue) -> Self? { plain.any as? Self }
}

extension PlainConvertible where Self: FixedWidthInteger {
  static func from(_ plain: PlainValue) -> Self? {
    guard case .number(let number) = plain else { return nil }
    return Self(exactly: number)
  }
}

extension Bool: PlainConvertible {}
extension Int16: PlainConvertible {}
extension Int32: PlainConvertible {}
extension Double: PlainConvertible {}
extension Decimal: PlainConvertible {}
extension Date: PlainConvertible {}
extension String: PlainConvertible {}
extension SerializableColor: PlainConvertible {}
extension Recipe: PlainConvertible {}
