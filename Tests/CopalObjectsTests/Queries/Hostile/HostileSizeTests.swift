import Copal
import CopalModel
import CopalStore
import CopalTestSupport
import CopalTestTools
import Foundation
import Testing

@Suite("Conditions of hostile sizes in fetches")
struct HostileSizeTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Whether the condition can be fetched with; false when it must be an error.
    let isAccepted: Bool
    let make: @Sendable () throws -> FetchPredicate

    init(
      _ name: String, accepted: Bool = true, _ make: @escaping @Sendable () throws -> FetchPredicate
    ) {
      (testDescription, isAccepted, self.make) = (name, accepted, make)
    }

    /// A text with something inside of a number of openings and closings.
    static func nested(
      _ count: Int, _ opening: String, _ inner: String, _ closing: String, accepted: Bool
    ) -> Case {
      Case("\(count) times \(opening)", accepted: accepted) {
        try FetchPredicate(
          format: String(repeating: opening, count: count) + inner
            + String(repeating: closing, count: count))
      }
    }

    /// A text with a number of parts.
    static func chain(
      _ count: Int, _ sign: String, accepted: Bool = true,
      _ part: @escaping @Sendable (Int) -> String
    ) -> Case {
      Case("\(count) times \(part(0)) \(sign)", accepted: accepted) {
        try FetchPredicate(format: (0..<count).map(part).joined(separator: " \(sign) "))
      }
    }
  }

  static let nesting: [Case] = [
    .nested(100, "(", "label >= 0", ")", accepted: true),
    .nested(20_000, "(", "label >= 0", ")", accepted: false),
    .nested(98, "NOT ", "label >= 0", "", accepted: true),
    .nested(20_000, "NOT ", "label >= 0", "", accepted: false),
    .nested(20_000, "label >= 0 OR (label < 0 AND ", "budget == 1", ")", accepted: false),
    .nested(40, "label >= 0 OR (label < 0 AND ", "budget == 1", ")", accepted: true),
    .nested(10, "(1 + ", "label", ")) == 1 OR (label == (2", accepted: false),
    .nested(20_000, "abs:(", "label", ") == 1", accepted: false),
    .nested(20_000, "-", "label == 1", "", accepted: false),
    .nested(20_000, "SUBQUERY(students, $x, ", "label == 1", ").@count > 0", accepted: false),
    .nested(60, "SUBQUERY(students, $x, ", "label == 1", ").@count > 0", accepted: false),
    .nested(3, "SUBQUERY(students, $x, ", "label == 1", ").@count >= 0", accepted: true),
    .nested(20_000, "exists:(students, $x, ", "label == 1", ")", accepted: false),
    .nested(20_000, "TERNARY(TRUEPREDICATE, 1, ", "1", ") == 1", accepted: false),
    Case("1,000 negations of a program") {
      var condition = FetchPredicate.comparison(.property("label"), .greaterOrEqual, .constant(0))
      for _ in 0..<1000 { condition = .not(condition) }
      return condition
    },
    Case("1,000 levels of a program", accepted: false) {
      var condition = FetchPredicate.comparison(.property("label"), .greaterOrEqual, .constant(0))
      let other = FetchPredicate.comparison(.property("budget"), .equal, .constant(1))
      for level in 0..<1000 {
        condition = level.isMultiple(of: 2) ? .and([other, condition]) : .or([other, condition])
      }
      return condition
    },
    Case("1,000 sums of a program", accepted: false) {
      var value = FetchExpression.property("label")
      for _ in 0..<1000 { value = .call(.add, [value, .property("budget")]) }
      return .comparison(value, .equal, .constant(1))
    },
    Case("1,000 collections of a program", accepted: false) {
      var condition = FetchPredicate.comparison(.property("label"), .greaterOrEqual, .constant(0))
      for _ in 0..<1000 {
        condition = .exists(FetchCollection(.property("students"), where: condition))
      }
      return condition
    },
  ]

  static let length: [Case] = [
    .chain(5000, "OR") { "label == \($0)" },
    .chain(5000, "OR") { "label == \($0 * 2) AND budget == \($0)" },
    .chain(5000, "OR") { "budget == \($0) OR name == '\($0)'" },
    .chain(5000, "OR") { "name CONTAINS[cd] 'b\($0)'" },
    .chain(5000, "AND") { "budget != \($0)" },
    .chain(1000, "AND") { "NOT name LIKE '*b\($0)'" },
    .chain(200, "OR") { "name MATCHES 'a+b\($0)'" },
    .chain(5000, "OR") { "teacher.label == \($0)" },
    .chain(500, "OR") { "exists:(students, $x, $x.label == \($0))" },
    .chain(90, "+") { $0 == 89 ? "label == 1" : "label" },
    .chain(20_000, "+", accepted: false) { $0 == 19_999 ? "label == 1" : "label" },
    Case("a list of 100,000 numbers in a text") {
      try FetchPredicate(
        format: "label IN {" + (0..<100_000).map { "\($0)" }.joined(separator: ",") + "}")
    },
    Case("a list of 100,000 numbers") {
      try FetchPredicate(format: "label IN %@", (0..<100_000).map { PropertyValue.integer($0) })
    },
    Case("no value of a list of 100,000 texts") {
      try FetchPredicate(format: "NOT name IN %@", (0..<100_000).map { "name \($0)" })
    },
    Case("a list of 100,000 texts for related objects") {
      try FetchPredicate(format: "teacher.name IN %@", (0..<100_000).map { "name \($0)" })
    },
    Case("a list of 5,000 texts without case") {
      try FetchPredicate(format: "name IN[c] %@", (0..<5000).map { "name \($0)" })
    },
    Case("a text of 1 MB") {
      .comparison(.property("name"), .equal, .constant(.string(Self.big(1 << 20))))
    },
    Case("a part of 1 MB without case and diacritics") {
      .text(
        .property("name"), .contains([.caseInsensitive, .diacriticInsensitive]),
        .constant(.string(Self.big(1 << 20))))
    },
  ]

  private static func big(_ count: Int) -> String { String(repeating: "a", count: count) }

  static let patterns: [Case] =
    [
      big(100_000), String(repeating: "*a", count: 50_000), String(repeating: "*", count: 100_000),
      String(repeating: "?", count: 100_000), String(repeating: "*?", count: 50_000) + "b",
      String(repeating: "*a*", count: 30) + "b", String(repeating: "*aa", count: 200) + "*b",
      String(repeating: "a*", count: 2000) + "b", "*" + big(900) + "b",
      String(repeating: "\\*", count: 50_000), String(repeating: "*é", count: 20_000),
    ].flatMap { pattern in
      [[], [.caseInsensitive, .diacriticInsensitive]].map { (options: FetchPredicate.TextOptions) in
        Case(
          "LIKE \(pattern.prefix(12))… \(pattern.utf8.count)\(options.isEmpty ? "" : " [cd]")",
          // A pattern may have 1,000 characters.
          accepted: pattern.count <= 1000
        ) {
          .text(.property("name"), .like(options), .constant(.string(pattern)))
        }
      }
    }
    + [
      "(a+)+b", "(a|a)*b", "(.*)*x", "a{0,1000}b", "((a*)*)*b", "(a|aa)+b", "(a|a?)+b",
      "(a|b)*a(a|b){1000}", "(.*a){20}b", "(a(b?(c?(d?)*)*)*)*x", ".*.*.*.*.*=.*",
      String(repeating: "(", count: 50) + "a" + String(repeating: "*)", count: 50) + "b",
      ".*(?:ab|cd|[a-f]e?){280}.*x",
    ].map { pattern in
      Case("MATCHES \(pattern.prefix(30))") {
        .text(.property("name"), .matches, .constant(.string(pattern)))
      }
    }
    + [
      big(100_000), String(repeating: "(", count: 20_000), String(repeating: "(a*)*", count: 2000),
      "a{1000}{1000}{1000}", "(((a{100}){100}){100}){100}",
    ].map { pattern in
      Case("MATCHES \(pattern.prefix(20))… \(pattern.utf8.count)", accepted: false) {
        .text(.property("name"), .matches, .constant(.string(pattern)))
      }
    }

  /// A context with objects of which some are saved, or none.
  private func context(_ kind: StoreKind, isSaved: Bool) throws -> ManagedObjectContext {
    let context = try TestStore(kind).container(.graph).makeContext()
    for label in 0..<20 {
      let maker = Maker(context: context)
      (maker.label, maker.name) = (label, Self.big(label == 0 ? 2000 : 100) + "\(label)")
    }
    if isSaved { try context.save() }
    return context
  }

  /// A condition may need 30 seconds of the processor, which is much more than it needs in a debug
  /// build on a slow machine. `COPAL_TIMES` prints the times.
  private func check(_ item: Case, _ kind: StoreKind) throws {
    for isSaved in [true, false] {
      let context = try context(kind, isSaved: isSaved)
      let start = ProcessorTime.ofThread
      do {
        let predicate = try item.make()
        let request = FetchRequest<Maker>(predicate: predicate)
        #expect(try context.fetch(request).count <= 20)
        #expect(item.isAccepted)
      } catch let error as PersistenceError {
        #expect(!item.isAccepted, "\("\(error)".prefix(300))")
        #expect("\(error)".utf8.count < 2000)
      } catch let error as PredicateFormatError {
        #expect(!item.isAccepted, "\(error)")
        #expect("\(error)".utf8.count < 2000)
      }
      let seconds = ProcessorTime.ofThread - start
      if ProcessInfo.processInfo.environment["COPAL_TIMES"] != nil {
        print("TIME", seconds, kind, isSaved ? "saved" : "unsaved", item.testDescription.prefix(60))
      }
      // With a sanitizer, everything is slower.
      let isSanitized = ProcessInfo.processInfo.environment["COPAL_SANITIZER"] != nil
      #expect(seconds < 30 || isSanitized)
    }
  }

  @Test(
    "a nested condition has a result or a typed error", .endsHangs,
    arguments: nesting,
    StoreKind.allCases)
  func checkNesting(_ item: Case, kind: StoreKind) throws { try check(item, kind) }

  @Test(
    "a long condition has a result or a typed error", .endsHangs, arguments: length,
    StoreKind.allCases)
  func checkLength(_ item: Case, kind: StoreKind) throws { try check(item, kind) }

  @Test(
    "a hostile pattern has a result or a typed error", .endsHangs,
    arguments: patterns, StoreKind.allCases)
  func checkPatterns(_ item: Case, kind: StoreKind) throws { try check(item, kind) }
}
