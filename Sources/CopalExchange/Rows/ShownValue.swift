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

  /// A value in a table: bytes as their number and the first ones, a number with all its digits.
  ///
  /// - Parameter isAverage: whether it is an average: its many digits are cut, with a mark.
  package init(_ value: PropertyValue, isAverage: Bool = false) {
    switch value {
    case .null: self = .none
    case .integer, .double, .decimal:
      let text = ExchangeText.text(value) ?? ""
      self.init(isAverage ? Self.cut(text) : text, isNumber: true)
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

  /// A number of more than six digits after the point with the first two of them that are not zeros
  /// in front, and a mark that there are more: `23.43…`, `0.00017…`.
  private static func cut(_ text: String) -> String {
    guard let point = text.firstIndex(of: "."), !text.contains("e") else { return text }
    let digits = text[point...].dropFirst()
    if digits.count <= 6 { return text }
    let isSmall = text[..<point].allSatisfy { $0 == "0" || $0 == "-" }
    let zeros = isSmall ? digits.prefix { $0 == "0" }.count : 0
    return text[...point] + digits.prefix(zeros + 2) + (digits.count > zeros + 2 ? "…" : "")
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
