import CopalEssentials
package import CopalModel
import CopalObjects
import CopalStore

/// A value as a person sees it in a table.
public struct ShownValue: Sendable, Hashable {
  /// The text.
  public var text: String
  /// Whether it is aligned at the right.
  public var isNumber: Bool
  /// Red, green and blue from 0 to 255 of colors that are shown before the text. None by default.
  public var swatches: [[UInt8]]

  /// A value with its text.
  public init(_ text: String, isNumber: Bool = false, swatches: [[UInt8]] = []) {
    (self.text, self.isNumber, self.swatches) = (text, isNumber, swatches)
  }

  /// No value.
  static let none = ShownValue("nil")

  /// A value in a table: bytes as their number and the first ones, a double with at most ten
  /// digits.
  ///
  /// - Parameter digits: the greatest number of digits after the point; nil for a stored decimal,
  ///   which is exact.
  package init(_ value: PropertyValue, digits: Int? = nil) {
    switch value {
    case .null: self = .none
    case .double(let number):
      self.init(Self.short(number, digits: digits ?? 6), isNumber: true)
    case .decimal(let number) where digits != nil:
      self.init(Self.rounded(number, digits: digits ?? 0), isNumber: true)
    case .integer, .decimal: self.init(ExchangeText.text(value) ?? "", isNumber: true)
    case .binary(let data): self.init(Self.bytes(data))
    default: self.init(ExchangeText.text(value) ?? "")
    }
  }

  /// The number of bytes, and the first of them.
  static func bytes(_ data: Data) -> String {
    let digits = data.prefix(8).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
    let more = data.count > 8 ? "…" : ""
    return data.count.counted("byte") + (data.isEmpty ? "" : ", 0x" + digits.joined() + more)
  }

  private static func short(_ number: Double, digits: Int) -> String {
    let exact = ExchangeText.text(number)
    let scale = digits < 6 ? 100.0 : 1e6
    guard exact.count > digits + 6, number.magnitude < 1e10, number.magnitude * scale >= 1 else {
      return exact
    }
    return ExchangeText.text((number * scale).rounded() / scale)
  }

  private static func rounded(_ number: Decimal, digits: Int) -> String {
    let text = ExchangeText.text(.decimal(number)) ?? ""
    guard let point = text.firstIndex(of: "."), text[point...].count > digits + 1,
      let double = Double(text)
    else { return text }
    return short(double, digits: digits)
  }
}

/// How a tool shows the values of a transformer's type, and reads their texts.
public struct ValueStyle: Sendable {
  /// The value as a person sees it; nil for a value of another type.
  public var show: @Sendable (Any) -> ShownValue?
  /// The value of a text; nil for a text that is none, and for another type of values.
  public var read: @Sendable (String, Any.Type) -> (any Sendable)?
  /// What a text must be, for an error; nil for another type of values.
  public var form: @Sendable (Any.Type) -> String?

  /// A style of two functions.
  public init(
    show: @escaping @Sendable (Any) -> ShownValue?,
    read: @escaping @Sendable (String, Any.Type) -> (any Sendable)? = { _, _ in nil },
    form: @escaping @Sendable (Any.Type) -> String? = { _ in nil }
  ) {
    (self.show, self.read, self.form) = (show, read, form)
  }

  /// Values as their `description`.
  public static let plain = ValueStyle(show: { _ in nil })
}
