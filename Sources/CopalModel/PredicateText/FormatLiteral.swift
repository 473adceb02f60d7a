import CopalEssentials

/// Values as literals, which read back as the same value.
enum FormatLiteral {
  /// A text in double quotes. Control characters, and those that change the direction of a line or
  /// are invisible, are escaped.
  static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case "\0": result += "\\0"
      case " "..."~": result.unicodeScalars.append(scalar)
      default:
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: result += escaped(scalar)
        default: result.unicodeScalars.append(scalar)
        }
      }
    }
    return result + "\""
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return scalar.value > 0xFFFF
      ? "\\U" + digits.leftPadded(to: 8) : "\\u" + digits.leftPadded(to: 4)
  }

  static func cast(_ text: String, _ type: FormatCast) -> String {
    "CAST(\(quoted(text)), \"\(type.rawValue)\")"
  }

  static func number(_ number: Double) -> String {
    number.isFinite ? number.description : cast(number.isNaN ? "nan" : number.description, .double)
  }
}

extension PropertyValue {
  /// The value as a literal of a format.
  var format: String {
    switch self {
    case .null: "nil"
    case .boolean(let flag): flag ? "TRUE" : "FALSE"
    case .integer(let number): number.description
    case .double(let number): FormatLiteral.number(number)
    case .decimal(let number):
      FormatLiteral.cast(number.isNaN ? "nan" : DecimalText.string(number), .decimal)
    case .string(let text): FormatLiteral.quoted(text)
    case .date(let date):
      if let text = DateText.text(for: date) {
        FormatLiteral.cast(text, .date)
      } else {
        "CAST(\(FormatLiteral.number(date.timeIntervalSinceReferenceDate)), \"NSDate\")"
      }
    case .binary(let data): FormatLiteral.cast(data.base64EncodedString(), .binary)
    case .uuid(let uuid): FormatLiteral.cast(uuid.uuidString, .uuid)
    case .uri(let url): FormatLiteral.cast(url.absoluteString, .uri)
    case .object(let id): FormatLiteral.cast(id.description, .object)
    }
  }
}
