import Copal
import CopalColor
import Foundation

/// A value of the plain model, whatever its attribute's type.
enum PlainValue: Hashable, Sendable {
  case none
  case flag(Bool)
  case number(Int64)
  case real(Double)
  /// A real that is no number, which equals itself here.
  case notANumber
  case amount(Decimal)
  case instant(Double)
  case text(String)
  case color(SerializableColor)
  case recipe(String)
  /// What is stored cannot be decoded.
  case unreadable
}

extension PlainValue {
  /// The plain form of what a property or an access by name gives.
  init(_ any: Any?) {
    switch any {
    case nil: self = .none
    case let flag as Bool: self = .flag(flag)
    case let number as any BinaryInteger: self = .number(Int64(number))
    case let real as Double: self = real.isNaN ? .notANumber : .real(real)
    case let amount as Decimal: self = .amount(amount)
    case let date as Date: self = .instant(date.timeIntervalSinceReferenceDate)
    case let text as String: self = .text(text)
    case let color as SerializableColor: self = .color(color)
    case let recipe as Recipe: self = .recipe(recipe.text)
    default: self = .unreadable
    }
  }

  /// What `setValue(_:forKey:)` takes.
  var any: Any? {
    switch self {
    case .none, .unreadable: nil
    case .flag(let flag): flag
    case .number(let number): number
    case .real(let real): real
    case .notANumber: Double.nan
    case .amount(let amount): amount
    case .instant(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
    case .text(let text): text
    case .color(let color): color
    case .recipe(let text): Recipe(text: text)
    }
  }

  /// What a condition takes. Not for values of transformables.
  var value: PropertyValue {
    switch self {
    case .flag(let flag): .boolean(flag)
    case .number(let number): .integer(number)
    case .real(let real): .double(real)
    case .notANumber: .double(.nan)
    case .amount(let amount): .decimal(amount)
    case .instant(let seconds): .date(Date(timeIntervalSinceReferenceDate: seconds))
    case .text(let text): .string(text)
    case .none, .color, .recipe, .unreadable: .null
    }
  }

  /// Whether this value is less than the other; false where there is no order between them.
  func isLess(than other: PlainValue) -> Bool {
    switch (self, other) {
    case (.flag(let a), .flag(let b)): !a && b
    case (.number(let a), .number(let b)): a < b
    case (.real(let a), .real(let b)): a < b
    case (.amount(let a), .amount(let b)): a < b
    case (.instant(let a), .instant(let b)): a < b
    case (.text(let a), .text(let b)): a.utf8.lexicographicallyPrecedes(b.utf8)
    default: false
    }
  }
}

extension PlainValue: CustomStringConvertible {
  var description: String {
    switch self {
    case .none: "nil"
    case .flag(let flag): "\(flag)"
    case .number(let number): "\(number)"
    case .real(let real): "\(real)"
    case .notANumber: "NaN"
    case .amount(let amount): "\(amount)"
    case .instant(let seconds): "date \(seconds)"
    case .text(let text): text.debugDescription
    case .color(let color): color.css
    case .recipe(let text): "recipe \(text)"
    case .unreadable: "unreadable"
    }
  }
}
