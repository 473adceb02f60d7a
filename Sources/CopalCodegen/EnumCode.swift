import CopalModel

/// The code of the enum of an attribute with cases.
struct EnumCode {
  private let attribute: AttributeDescription
  private let cases: [AttributeCase]

  /// - Returns: nil for an attribute without cases.
  init?(_ attribute: AttributeDescription) {
    guard let cases = attribute.cases else { return nil }
    self.attribute = attribute
    self.cases = cases
  }

  private var rawType: String { attribute.type.swiftType ?? "Int" }

  func write(access: String, to code: inout SourceLines) {
    code.line("/// The values of `\(attribute.name)`.")
    code.block("\(access)nonisolated enum \(attribute.enumTypeName): AttributeEnum, Comparable") {
      code in
      for each in cases { code.line("case \(SwiftText.identifier(each.name))") }
      code.line(
        "/// A raw value that no case has. It is kept while the attribute is not set, and a save refuses it as a new value."
      )
      code.line("case unrecognized(\(rawType))")
      code.line()
      writeAllCases(access, to: &code)
      code.line()
      writeInitializer(access, to: &code)
      code.line()
      writeRawValue(access, to: &code)
      code.line()
      writeOrder(access, to: &code)
    }
  }

  /// Swift would compare the cases by their order in the enum.
  private func writeOrder(_ access: String, to code: inout SourceLines) {
    code.line("/// Whether the raw value of the first one is less, as a fetch sorts them.")
    let name = attribute.enumTypeName
    code.block("\(access)static func < (a: \(name), b: \(name)) -> Bool") { code in
      code.line("a.rawValue < b.rawValue")
    }
  }

  private func writeAllCases(_ access: String, to code: inout SourceLines) {
    code.line("/// The cases of the model, without the unrecognized one.")
    let head = "\(access)static let allCases: [\(attribute.enumTypeName)] = ["
    let names = cases.map { "." + SwiftText.identifier($0.name) }
    let line = head + names.joined(separator: ", ") + "]"
    if line.count + code.indentation <= SourceLines.width { return code.line(line) }
    code.line(head)
    for name in names { code.line("  \(name),") }
    code.line("]")
  }

  private func writeInitializer(_ access: String, to code: inout SourceLines) {
    if !access.isEmpty { code.line("@inlinable") }
    code.block("\(access)init(rawValue: \(rawType))") { code in
      code.line("switch rawValue {")
      for each in cases {
        code.line("case \(literal(each)): self = .\(SwiftText.identifier(each.name))")
      }
      code.line("default: self = .unrecognized(rawValue)")
      code.line("}")
    }
  }

  private func writeRawValue(_ access: String, to code: inout SourceLines) {
    if !access.isEmpty { code.line("@inlinable") }
    code.block("\(access)var rawValue: \(rawType)") { code in
      code.line("switch self {")
      for each in cases {
        code.line("case .\(SwiftText.identifier(each.name)): \(literal(each))")
      }
      code.line("case .unrecognized(let rawValue): rawValue")
      code.line("}")
    }
  }

  private func literal(_ each: AttributeCase) -> String {
    switch each.rawValue {
    case .string(let text): SwiftText.literal(text)
    case .integer(let number): "\(number)"
    default: "0"
    }
  }
}
