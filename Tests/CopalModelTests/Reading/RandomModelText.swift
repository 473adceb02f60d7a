import CopalModel
import CopalTestTools
import Foundation

/// Random texts of good models, in every form that the reader accepts.
struct RandomModelText {
  private var random: SplitMix
  private var values: RandomModel

  init(seed: UInt64) {
    random = SplitMix(seed: seed)
    values = RandomModel(seed: seed)
  }

  mutating func model() -> String {
    var members = [
      #""copal": 1"#, #""model": "Random""#,
      #""version": \#(Int.random(in: 1...3, using: &random))"#,
    ]
    members += some([
      #""$schema": "x""#, #""imports": ["CopalColor","let Paint.white"]"#, #""access": "public""#,
      #""doc": \#(string())"#, #""userInfo": {"a": [1.0, -0, 1E5, {"b": 1e-7,}], "\u0061b": null}"#,
    ])
    let entities = (0..<Int.random(in: 0...3, using: &random)).map { #""E\#($0)": \#(entity())"# }
    return object(members + [#""entities": \#(object(entities))"#]) + space()
  }

  private mutating func entity() -> String {
    let attributes = (0..<Int.random(in: 0...12, using: &random)).map {
      #""a\#($0)": \#(attribute())"#
    }
    var members = [#""attributes": \#(object(attributes + [#""s": "string", "i": "integer""#]))"#]
    members += some([
      #""unique": ["s", ["i"], ["s", "i"]]"#, #""indexes": [["i", "s desc"], "i", "i desc"]"#,
      #""class": "C\#(random.next())""#,
      #""codegen": "none""#, #""doc": \#(string())"#, #""abstract": false"#,
      #""identity": "s""#, #""relationships": \#(relationships())"#,
    ])
    return object(members.shuffled(using: &random))
  }

  /// Every entity has the attributes `s` and `i`, and the first entity is there if any is.
  private mutating func relationships() -> String {
    let types = ["\"E0\"", "\"E0?\"", "\"[E0]\"", #"{ "type": "E0", "optional": true }"#]
    let members = [
      #""r": \#(types.randomElement(using: &random) ?? "")"#,
      #""own": { "type": "[E0]", "prefetch": \#(flip()), "delete": "noAction" }"#,
    ]
    let keys = some([
      #""sort": \#(flip() ? #"["-s", "i"]"# : #""-i""#)"#, #""orphans": "keep""#, #""maximum": 9"#,
      flip()
        ? #""optional": \#(flip())"# : #""minimum": \#(Int.random(in: 0...9, using: &random))"#,
      #""ordered": false"#, #""accessor": "\#(flip() ? "custom" : "generated")""#,
    ])
    let many = object((keys + [#""type": "[E0]""#]).shuffled(using: &random))
    return object(some(members) + [#""many": \#(many)"#])
  }

  private mutating func attribute() -> String {
    let type = AttributeType.allCases.randomElement(using: &random) ?? .string
    if type == .transformable {
      let classes = ["[ String :Color?]", "Set<Color>", "A<B,C , D>.E", "Any"]
      return object([
        #""type": "transformable?""#, #""transformer": "T.U""#,
        #""class": "\#(classes.randomElement(using: &random) ?? "")""#,
      ])
    }
    if flip() { return #""\#(type.rawValue)\#(flip() ? "?" : "")""# }
    var members = [#""type": "\#(type.rawValue)""#]
    if flip() { members.append(#""optional": \#(flip())"#) }
    if flip() { members.append(#""default": \#(value(type))"#) }
    if flip() { members.append(#""doc": \#(string())"#) }
    if flip() { members.append(#""transient": \#(flip())"#) }
    return object(members.shuffled(using: &random))
  }

  private mutating func value(_ type: AttributeType) -> String {
    switch values.value(type) {
    case .null, .object: return ""
    case .integer(let number): return "\(number)"
    case .boolean(let flag): return "\(flag)"
    case .double: return number(type)
    case .decimal(let number): return flip() ? "\"\(number)\"" : "\(number)"
    case .date: return flip() ? #""now""# : date()
    case .string: return string()
    case .uuid(let uuid): return flip() ? #""\#(uuid)""# : #""\#(uuid.uuidString.lowercased())""#
    case .uri(let url):
      return #""\#(url.absoluteString.replacing("/", with: flip() ? "/" : "\\/"))""#
    case .binary(let data): return #""\#(data.base64EncodedString())""#
    }
  }

  private mutating func number(_ type: AttributeType) -> String {
    let texts = ["0", "-0", "0.0e9", "-0.0", "1E+5", "1.50e-3", "123456789012345678901234567890"]
    if flip() { return texts.randomElement(using: &random) ?? "0" }
    return type == .float ? "\(values.float())" : "\(values.double())"
  }

  /// Any date, time, fraction and zone, and often those at the ends.
  private mutating func date() -> String {
    func two(_ number: Int) -> String { (number < 10 ? "0" : "") + "\(number)" }
    let isEnd = flip()
    let isLast = flip()
    let day =
      isEnd
      ? (isLast ? "9999-12-31" : "0001-01-01")
      : "\(Int.random(in: 1000...9999, using: &random))-\(two(.random(in: 1...12, using: &random)))"
        + "-\(two(.random(in: 1...28, using: &random)))"
    let time =
      isEnd && flip()
      ? (isLast ? "23:59:59" : "00:00:00")
      : "\(two(.random(in: 0...23, using: &random))):\(two(.random(in: 0...59, using: &random)))"
        + ":\(two(.random(in: 0...59, using: &random)))"
    // Less than a second before the last of all instants, a fraction may round up to none.
    let digits = (0..<Int.random(in: 1...20, using: &random)).map { _ in
      "\(Int.random(in: 0...8, using: &random))"
    }
    let zone =
      flip()
      ? "Z"
      : (flip() ? "+" : "-")
        + "\(two(.random(in: 0...23, using: &random))):\(two(.random(in: 0...59, using: &random)))"
    return "\"\(day)T\(time)\(flip() ? "." + digits.joined() : "")\(zone)\""
  }

  /// A string with plain and escaped characters.
  private mutating func string() -> String {
    var text = "\""
    for scalar in (values.text() ?? "x").unicodeScalars {
      let mustEscape = scalar.value < 0x20 || scalar == "\"" || scalar == "\\"
      if mustEscape || flip() {
        for unit in UTF16.encode(scalar) ?? .init() {
          let code = String(unit, radix: 16)
          text += "\\u" + String(repeating: "0", count: 4 - code.count) + code
        }
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }

  // MARK: Layout

  private mutating func object(_ members: [String]) -> String {
    "{" + space() + members.joined(separator: "," + space())
      + (flip() && !members.isEmpty ? "," : "") + space() + "}"
  }

  private mutating func space() -> String {
    ["", "", " ", "\n", "\r\n\t", " // note }\n", "/* [ \n */"].randomElement(using: &random) ?? ""
  }

  private mutating func some(_ members: [String]) -> [String] { members.filter { _ in flip() } }

  private mutating func flip() -> Bool { Bool.random(using: &random) }
}
