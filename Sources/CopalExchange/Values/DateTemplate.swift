public import CopalEssentials
import CopalModel

/// How the times of a file are written, such as `yyyy-MM-dd HH:mm:ss`.
///
/// The letters are those of Unicode (<https://unicode.org/reports/tr35/tr35-dates.html>): `yyyy`,
/// `MM`, `M`, `MMM` (an English name such as Mar), `dd`, `d`, `HH`, `H`, `mm`, `ss`, `S` for each
/// digit of the fraction, `Z` for a zone such as `+0100` or `+01:00`. A text between apostrophes is
/// as it is, and so is every other character. Without a zone, times are in UTC. `unix` and
/// `unixMilliseconds` count from 1970.
public struct DateTemplate: Sendable, Hashable {
  /// The text of the form.
  public let text: String
  private let parts: [Part]

  private enum Part: Hashable {
    case year, month(isPadded: Bool), monthName, day(isPadded: Bool), hour(isPadded: Bool), minute,
      second, fraction(Int), zone
    case literal(Character)
    case unix(perSecond: Double)
  }

  /// What is wrong with a form.
  public struct Failure: Error, CustomStringConvertible {
    /// What is wrong, and what to write.
    public let description: String
  }

  /// A form of times.
  ///
  /// - Throws: ``Failure`` for a letter that has no meaning here, and for a form without a day.
  public init(_ text: String) throws(Failure) {
    self.text = text
    switch text {
    case "unix": parts = [.unix(perSecond: 1)]
    case "unixMilliseconds": parts = [.unix(perSecond: 1000)]
    default: parts = try Self.parts(text)
    }
  }

  private static func parts(_ text: String) throws(Failure) -> [Part] {
    let letters: [String: Part] = [
      "yyyy": .year, "MM": .month(isPadded: true), "M": .month(isPadded: false), "MMM": .monthName,
      "dd": .day(isPadded: true),
      "d": .day(isPadded: false), "HH": .hour(isPadded: true), "H": .hour(isPadded: false),
      "mm": .minute, "ss": .second, "Z": .zone,
    ]
    var parts: [Part] = []
    var rest = Substring(text)
    while let character = rest.first {
      if character == "'" {
        rest.removeFirst()
        guard let end = rest.firstIndex(of: "'") else {
          throw Failure(description: "an apostrophe of '\(text)' is not closed")
        }
        parts += rest[..<end].map { .literal($0) }
        rest = rest[rest.index(after: end)...]
        continue
      }
      guard character.isASCII, character.isLetter else {
        parts.append(.literal(character))
        rest.removeFirst()
        continue
      }
      let run = rest.prefix { $0 == character }
      rest = rest.dropFirst(run.count)
      if character == "S" {
        parts.append(.fraction(run.count))
      } else if let part = letters[String(run)] {
        parts.append(part)
      } else {
        throw Failure(
          description:
            "'\(run)' has no meaning in the form '\(text)'; there are yyyy, MM, M, MMM, dd, d, HH, H, mm, ss, S and Z"
        )
      }
    }
    let hasDay =
      parts.contains(.year)
      && parts.contains { if case .month = $0 { true } else { $0 == .monthName } }
      && parts.contains { if case .day = $0 { true } else { false } }
    guard hasDay else {
      throw Failure(description: "the form '\(text)' has no year, month and day")
    }
    return parts
  }

  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  /// The date of a text; nil for another form, and for a day that does not exist.
  public func date(of text: String) -> Date? {
    var rest = Substring(text)
    func number(_ length: Int) -> Int? {
      let digits = rest.prefix(length)
      guard digits.count == length, digits.utf8.allSatisfy({ 48...57 ~= $0 }) else { return nil }
      rest = rest.dropFirst(length)
      return Int(digits)
    }
    var (year, month, day, hour, minute, second) = ("", "", "", "00", "00", "00")
    var (fraction, zone) = ("", "Z")
    /// One digit or two.
    func digits(in text: Substring) -> Int { max(1, text.prefix(2).prefix { $0.isNumber }.count) }
    func padded(_ number: Int, _ length: Int) -> String { "\(number)".leftPadded(to: length) }
    for part in parts {
      switch part {
      case .unix(let perSecond):
        guard rest.utf8.allSatisfy({ 48...57 ~= $0 || $0 == 45 || $0 == 46 }),
          let seconds = Double(rest)
        else { return nil }
        return Date(timeIntervalSince1970: seconds / perSecond)
      case .literal(let character):
        guard rest.first == character else { return nil }
        rest.removeFirst()
      case .year:
        guard let value = number(4) else { return nil }
        year = padded(value, 4)
      case .month(let isPadded):
        guard let value = number(isPadded ? 2 : digits(in: rest)) else { return nil }
        month = padded(value, 2)
      case .monthName:
        guard let value = Self.months.firstIndex(of: rest.prefix(3).lowercased()) else {
          return nil
        }
        rest = rest.dropFirst(3)
        month = padded(value + 1, 2)
      case .day(let isPadded):
        guard let value = number(isPadded ? 2 : digits(in: rest)) else { return nil }
        day = padded(value, 2)
      case .hour(let isPadded):
        guard let value = number(isPadded ? 2 : digits(in: rest)) else { return nil }
        hour = padded(value, 2)
      case .minute:
        guard let value = number(2) else { return nil }
        minute = padded(value, 2)
      case .second:
        guard let value = number(2) else { return nil }
        second = padded(value, 2)
      case .fraction(let length):
        let digits = rest.prefix(length)
        guard digits.count == length, digits.utf8.allSatisfy({ 48...57 ~= $0 }) else { return nil }
        fraction = "." + digits
        rest = rest.dropFirst(length)
      case .zone:
        if rest.first == "Z" {
          rest.removeFirst()
          continue
        }
        guard let sign = rest.first, sign == "+" || sign == "-" else { return nil }
        rest.removeFirst()
        guard let hours = number(2) else { return nil }
        if rest.first == ":" { rest.removeFirst() }
        guard let minutes = number(2) else { return nil }
        zone = "\(sign)\(padded(hours, 2)):\(padded(minutes, 2))"
      }
    }
    guard rest.isEmpty else { return nil }
    // One reader of dates, which knows the length of months.
    return DateText.date(
      from: "\(year)-\(month)-\(day)T\(hour):\(minute):\(second)\(fraction)\(zone)")
  }
}
