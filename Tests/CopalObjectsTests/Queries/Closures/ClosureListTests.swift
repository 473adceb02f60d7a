import Copal
import CopalModel
import CopalTestSupport
import Foundation
import Testing

@Suite("Closures with texts, lists and ranges, and their texts")
struct ClosureListTests {
  static let texts = ClosureCases { cases in
    cases.same(Pigment.self, #"name BEGINSWITH "U""#) { $0.name.hasPrefix("U") }
    cases.same(Pigment.self, #"name ENDSWITH "e""#) { $0.name.hasSuffix("e") }
    cases.same(Pigment.self, #"name CONTAINS "mari""#) { $0.name.contains("mari") }
    cases.same(Pigment.self, #"code LIKE "P?*""#) { $0.code.like("P?*") }
    cases.same(Pigment.self, #"code MATCHES "P[BR]\\d+""#) { $0.code.matches(#"P[BR]\d+"#) }
    cases.same(Pigment.self, #"name ==[c] "woad""#) {
      $0.name.isEqual(to: "woad", .caseInsensitive)
    }
    cases.same(Pigment.self, #"name ==[d] "woad""#) {
      $0.name.isEqual(to: "woad", .diacriticInsensitive)
    }
    cases.same(Pigment.self, #"name ==[n] "woad""#) { $0.name.isEqual(to: "woad", []) }
    cases.same(Pigment.self, #"name !=[c] "woad""#) {
      !$0.name.isEqual(to: "woad", .caseInsensitive)
    }
    cases.same(Pigment.self, #"name CONTAINS[cd] "é""#) {
      $0.name.contains("é", [.caseInsensitive, .diacriticInsensitive])
    }
    cases.same(Pigment.self, "name BEGINSWITH[c] %@", "\" OR 1=1") {
      $0.name.hasPrefix("\" OR 1=1", .caseInsensitive)
    }
    cases.same(Pigment.self, #"name ENDSWITH[d] "\n""#) {
      $0.name.hasSuffix("\n", .diacriticInsensitive)
    }
    cases.same(Pigment.self, #"name LIKE[cd] "*\\**""#) {
      $0.name.like(#"*\**"#, [.caseInsensitive, .diacriticInsensitive])
    }
    cases.same(Pigment.self, #"NOT code BEGINSWITH "PB""#) { !$0.code.hasPrefix("PB") }
    cases.same(Pigment.self, "name CONTAINS code") { $0.name.contains($0.code) }
    cases.same(Pigment.self, "name BEGINSWITH[c] code") {
      $0.name.hasPrefix($0.code, .caseInsensitive)
    }
    cases.same(Pigment.self, "code ENDSWITH name") { $0.code.hasSuffix($0.name) }
    cases.same(Pigment.self, "code ==[cd] name") {
      $0.code.isEqual(to: $0.name, [.caseInsensitive, .diacriticInsensitive])
    }
    cases.same(Pigment.self, #"lowercase:(name) == "ochre""#) { $0.name.lowercased() == "ochre" }
    cases.same(Pigment.self, "uppercase:(code) == code") { $0.code.uppercased() == $0.code }
    cases.same(Pigment.self, "length:(name) < 6") { $0.name.count < 6 }
    cases.same(Pigment.self, "length:(code) == length:(name)") { $0.code.count == $0.name.count }
    cases.same(Pigment.self, #"lowercase:(name) CONTAINS "o""#) {
      $0.name.lowercased().contains("o")
    }
    cases.same(Pigment.self, #"ifnil:(code, "none") BEGINSWITH "n""#) {
      ($0.code ?? "none").hasPrefix("n")
    }
    cases.same(Ware.self, #"maker.name MATCHES "K.*""#) { $0.maker.name.matches("K.*") }
    cases.same(Ware.self, "maker.name BEGINSWITH name") { $0.maker.name.hasPrefix($0.name) }
    cases.same(Ware.self, #"maker.teacher.name ==[c] "anna""#) {
      $0.maker.teacher.name.isEqual(to: "anna", .caseInsensitive)
    }
  }

  static let day = Date(timeIntervalSinceReferenceDate: 0)
  static let later = Date(timeIntervalSinceReferenceDate: 86_400)
  static let id = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))

  static let lists = ClosureCases { cases in
    cases.same(Pigment.self, #"name IN {"Woad", "Ochre"}"#) { $0.name.isIn(["Woad", "Ochre"]) }
    cases.same(Pigment.self, "name IN %@", ["it's", "\"", "\\"]) {
      $0.name.isIn(["it's", "\"", "\\"])
    }
    cases.same(Pigment.self, "name IN {}") { $0.name.isIn([]) }
    cases.same(Pigment.self, #"NOT code IN {"PB29"}"#) { !$0.code.isIn(["PB29"]) }
    cases.same(Pigment.self, "price IN %@", [Decimal(1), Decimal(2)]) { $0.price.isIn([1, 2]) }
    cases.same(Painting.self, "id IN %@", [id]) { $0.id.isIn([id]) }
    cases.same(Painting.self, "views IN {1, -2}") { $0.views.isIn([1, -2]) }
    cases.same(Painter.self, "born IN %@", [day, later]) { $0.born.isIn([day, later]) }
    cases.same(Maker.self, "rating IN {0.5, 1.0}") { $0.rating.isIn([0.5, 1]) }
    cases.same(Maker.self, "isOpen IN {TRUE}") { $0.isOpen.isIn([true]) }
    cases.same(Artwork.self, #"technique IN {"oil", "default"}"#) {
      $0.technique.isIn([.oil, .default])
    }
    cases.same(Artwork.self, "rank IN {1, 20}") { $0.rank.isIn([.low, .high]) }
    cases.same(Maker.self, "budget + 1 IN {2, 3}") { ($0.budget + 1).isIn([2, 3]) }
    cases.same(Ware.self, #"maker.name IN {"Kremer"}"#) { $0.maker.name.isIn(["Kremer"]) }
    cases.same(Maker.self, "ware.@count IN {0, 2}") { $0.ware.count.isIn([0, 2]) }
  }

  static let ranges = ClosureCases { cases in
    cases.same(
      Maker.self, "budget BETWEEN {1, 9}", prints: "budget >= 1 AND budget <= 9"
    ) { $0.budget.isBetween(1, and: 9) }
    cases.same(
      Maker.self, "budget BETWEEN %@", [1, 9], prints: "budget >= 1 AND budget <= 9"
    ) { $0.budget.isIn(1...9) }
    cases.same(Maker.self, "budget >= 1 AND budget < 9") { $0.budget.isIn(1..<9) }
    cases.same(Maker.self, "budget >= 1") { $0.budget.isIn(1...) }
    cases.same(Maker.self, "budget < 9") { $0.budget.isIn(..<9) }
    cases.same(Maker.self, "budget <= 9") { $0.budget.isIn(...9) }
    cases.same(Maker.self, "NOT (budget >= 1 AND budget <= 9)") { !$0.budget.isIn(1...9) }
    cases.same(Maker.self, "fee BETWEEN {%@, %@}", Decimal(1), Decimal(9)) { $0.fee.isIn(1...9) }
    cases.same(Maker.self, "founded >= %@ AND founded < %@", day, later) {
      $0.founded.isIn(day..<later)
    }
    cases.same(Pigment.self, #"name >= "A" AND name < "B""#) { $0.name.isIn("A"..<"B") }
    cases.same(Pigment.self, "opacity >= 0.0 AND opacity <= 1.0") { $0.opacity.isIn(0...1) }
    cases.same(Ware.self, "maker.budget >= 1 AND maker.budget <= 9") {
      $0.maker.budget.isIn(1...9)
    }
    cases.same(
      Ware.self, "maker.budget BETWEEN {1, 9}", prints: "maker.budget >= 1 AND maker.budget <= 9"
    ) {
      $0.maker.budget.isBetween(1, and: 9)
    }
    cases.same(Maker.self, "budget * 2 >= 1 AND budget * 2 <= 9") {
      ($0.budget * 2).isIn(1...9)
    }
    cases.same(Maker.self, "ware.@count >= 1 AND ware.@count <= 3") {
      $0.ware.count.isBetween(1, and: 3)
    }
    cases.same(Pigment.self, "length:(name) >= 3 AND length:(name) < 6") {
      $0.name.count.isIn(3..<6)
    }
  }

  @Test("a test of a text is its text", arguments: texts.all)
  func checkTexts(_ item: ClosureCase) throws { try item.check() }

  @Test("a value in a list is its text", arguments: lists.all)
  func checkLists(_ item: ClosureCase) throws { try item.check() }

  @Test("a value in a range is its text", arguments: ranges.all)
  func checkRanges(_ item: ClosureCase) throws { try item.check() }
}
