import Foundation
import Testing

@Suite("The documentation comments")
struct DocumentationCommentTests {
  @Test("Every public declaration has a documentation comment")
  func allHaveOne() {
    let files = SourceFile.all.map { (path: $0.path, read: PublicDeclarations(lines: $0.lines)) }
    // The reader has found the declarations: there were 973 when this was written.
    #expect(files.reduce(0) { $0 + $1.read.all.count } > 800)
    let undocumented = files.flatMap { file in
      file.read.undocumented.map { "\(file.path):\($0.line): \($0.name)" }
    }
    #expect(undocumented == [])
  }

  @Test(
    "A public declaration without a documentation comment is found",
    arguments: [
      // Declarations of every kind.
      ("public struct Pigment {}", ["Pigment"]),
      ("public final class Pigment {}", ["Pigment"]),
      ("open class Pigment {\n  open class func make() {}\n}", ["Pigment", "make()"]),
      ("public typealias Name = String", ["Name"]),
      ("extension Pigment {\n  public static let red = 1\n}", ["red"]),
      ("extension Pigment {\n  public var `class`: Int { 1 }\n}", ["`class`"]),
      ("extension Pigment {\n  public private(set) var price: Int\n}", ["price"]),
      ("extension Pigment {\n  public subscript(_ slot: Int) -> Int { 1 }\n}", ["subscript(_:)"]),
      ("public func mix(_ a: Int, with b: [Int: Int]) {}", ["mix(_:with:)"]),
      ("public func mix(\n  a: Int,\n  by rule: (Int, Int) -> Int\n) {}", ["mix(a:by:)"]),
      ("extension Pigment {\n  public init?<T>(of value: T) {}\n}", ["init(of:)"]),
      ("public func + (a: Pigment, b: Pigment) -> Pigment { a }", ["+ -> Pigment"]),
      ("public func == (a: Name, b: Name) -> Predicate { p }", ["== -> Predicate"]),
      // Members that a protocol requires, where each type has a text or a value of its own.
      (
        "extension Pigment {\n  public init(from decoder: any Decoder) throws {}\n}",
        ["init(from:)"]
      ),
      ("extension Pigment {\n  public var description: String { \"\" }\n}", ["description"]),
      (
        "extension Pigment {\n  public init(rawValue: Int) {}\n  public let rawValue: Int\n}",
        ["init(rawValue:)", "rawValue"]
      ),
      (
        "extension Pigment {\n  public init(stringLiteral text: String) {}\n}",
        ["init(stringLiteral:)"]
      ),
      // Members that are public without the word.
      ("/// A kind.\npublic enum Kind {\n  case oil, water\n}", ["oil"]),
      ("/// A store.\npublic protocol Store {\n  static var name: Int { get }\n}", ["name"]),
      ("/// A store.\npublic protocol Store {\n  associatedtype Row\n}", ["Row"]),
      ("public extension Pigment {\n  func mix() {}\n  private func dry() {}\n}", ["mix()"]),
      // A comment that is not a documentation comment, and one of another declaration.
      ("// A pigment.\npublic struct Pigment {}", ["Pigment"]),
      ("///\npublic struct Pigment {}", ["Pigment"]),
      ("/// A pigment.\n\npublic struct Pigment {}", ["Pigment"]),
      ("/// Red.\npublic let red = 1\npublic let blue = 2", ["blue"]),
      ("/// Red.\n@inlinable public var red: Int { 1 }\npublic let blue = 2", ["blue"]),
      ("/// Red.\npublic let red = make(\n  1\n)\npublic let blue = 2", ["blue"]),
      ("/// Red.\n@available(*, deprecated)\n\npublic let red = 1", ["red"]),
      // Braces in texts and comments close nothing.
      ("/// A.\npublic enum A {\n  // }\n  static let a = \"}\"\n  case b\n}", ["b"]),
      ("/// A.\npublic enum A {\n  static let a = \"\"\"\n    }\n    \"\"\"\n  case b\n}", ["b"]),
    ])
  func undocumented(source: String, names: [String]) {
    #expect(Self.undocumented(source) == names)
  }

  @Test(
    "A declaration needs no comment when it has one, inherits one or is not public",
    arguments: [
      "/// A pigment.\npublic struct Pigment {}",
      "/// Red.\n@inlinable @inline(__always)\npublic func red() {}",
      "/// Red.\n// unowned(unsafe): the container owns it.\n@frozen\npublic struct Red {}",
      "/// Red.\n@available(\n  *, unavailable,\n  message: \"use blue()\"\n)\npublic func red() {}",
      "/// A kind.\npublic enum Kind {\n  /// Oil or water.\n  case oil, water\n}",
      "/// A kind.\npublic enum Kind {\n  var a: Int {\n    switch self {\n    case .oil: 1\n    }\n  }\n}",
      "struct Pigment {\n  let name: String\n}",
      "enum Kind {\n  case oil\n}",
      "protocol Store {\n  func open()\n}",
      "package let red = 1",
      "public import CopalModel",
      "extension Pigment: Hashable {\n  public static func == (a: Self, b: Self) -> Bool { true }\n}",
      "extension Pigment {\n  public func hash(into hasher: inout Hasher) {}\n}",
      "extension Pigment: Comparable {\n  public static func < (a: Self, b: Self) -> Bool { true }\n}",
    ])
  func documented(source: String) {
    #expect(Self.undocumented(source) == [])
  }

  private static func undocumented(_ source: String) -> [String] {
    PublicDeclarations(lines: source.components(separatedBy: "\n")).undocumented.map(\.name)
  }
}
