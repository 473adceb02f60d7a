import Copal
import CopalModel
import CopalTestSupport
import Foundation
import Testing

@Suite("Closures that calculate, and their texts")
struct ClosureCalculationTests {
  static let day = Date(timeIntervalSinceReferenceDate: 0)

  static let arithmetic = ClosureCases { cases in
    cases.same(Maker.self, "budget + 1 > 3") { $0.budget + 1 > 3 }
    cases.same(Maker.self, "1 + budget > 3") { 1 + $0.budget > 3 }
    cases.same(Maker.self, "budget - 1 > 3") { $0.budget - 1 > 3 }
    cases.same(Maker.self, "10 - budget > 3") { 10 - $0.budget > 3 }
    cases.same(Maker.self, "budget * 2 == 4") { $0.budget * 2 == 4 }
    cases.same(Maker.self, "2 * budget == 4") { 2 * $0.budget == 4 }
    cases.same(Maker.self, "budget / 2 != 4") { $0.budget / 2 != 4 }
    cases.same(Maker.self, "100 / budget != 4") { 100 / $0.budget != 4 }
    cases.same(Maker.self, "budget %% 2 == 1", prints: "modulus:by:(budget, 2) == 1") {
      $0.budget % 2 == 1
    }
    cases.same(Maker.self, "modulus:by:(budget, label) == 1") { $0.budget % $0.label == 1 }
    cases.same(Maker.self, "budget + label < 9") { $0.budget + $0.label < 9 }
    cases.same(Maker.self, "budget * label - 1 < 9") { $0.budget * $0.label - 1 < 9 }
    cases.same(Maker.self, "budget - (label - 1) < 9") { $0.budget - ($0.label - 1) < 9 }
    cases.same(Maker.self, "(budget + label) * 2 < 9") { ($0.budget + $0.label) * 2 < 9 }
    cases.same(Maker.self, "budget + label * 2 < 9") { $0.budget + $0.label * 2 < 9 }
    cases.same(Maker.self, "-budget < 0") { -$0.budget < 0 }
    cases.same(Maker.self, "-(budget + 1) < 0") { -($0.budget + 1) < 0 }
    cases.same(Maker.self, "rating / 2.0 > rating - 1.5") { $0.rating / 2 > $0.rating - 1.5 }
    cases.same(Maker.self, "fee * %@ > debt", Decimal(2)) { $0.fee * 2 > $0.debt }
    cases.same(Maker.self, "fee + debt == %@", Decimal(0)) { $0.fee + $0.debt == 0 }
    cases.same(Maker.self, "fee / debt > %@", Decimal(1)) { $0.fee / $0.debt > 1 }
    cases.same(Maker.self, "budget + 1 == budget * 2") { $0.budget + 1 == $0.budget * 2 }
    cases.same(Maker.self, "budget > label + 1") { $0.budget > $0.label + 1 }
    cases.same(Maker.self, "budget + 1 == nil") { $0.budget + 1 == nil }
    cases.same(Ware.self, "price * maker.fee > %@", Decimal(3)) { $0.price * $0.maker.fee > 3 }
    cases.same(Ware.self, "count - 1 >= 0") { $0.count - 1 >= 0 }
    cases.same(Ware.self, "density * 2.0 < 1.0") { $0.density * 2 < 1 }
  }

  static let functions = ClosureCases { cases in
    cases.same(Maker.self, "abs:(budget) == 3") { $0.budget.magnitude == 3 }
    cases.same(Maker.self, "abs(rating - 1.0) < 0.5", prints: "abs:(rating - 1.0) < 0.5") {
      ($0.rating - 1).magnitude < 0.5
    }
    cases.same(Maker.self, "floor:(rating) == 2.0") { $0.rating.rounded(.down) == 2 }
    cases.same(Maker.self, "ceiling:(rating) == 2.0") { $0.rating.rounded(.up) == 2 }
    cases.same(Maker.self, "trunc:(fee) == %@", Decimal(2)) { $0.fee.rounded(.towardZero) == 2 }
    cases.same(Maker.self, "sqrt:(budget) > 1.5") { $0.budget.squareRoot() > 1.5 }
    cases.same(Maker.self, #"CAST(rating, "integer") == 2"#) { $0.rating.asInteger == 2 }
    cases.same(Maker.self, #"CAST(budget, "NSNumber") > 0.5"#) { $0.budget.asDouble > 0.5 }
    cases.same(Maker.self, #"CAST(budget, "NSDecimalNumber") == fee"#) {
      $0.budget.asDecimal == $0.fee
    }
    cases.same(Maker.self, #"CAST(budget, "NSString") LIKE "1*""#) { $0.budget.asString.like("1*") }
    cases.same(Maker.self, #"CAST(name, "NSDecimalNumber") > %@"#, Decimal(1)) {
      $0.name.asDecimal > 1
    }
    cases.same(Ware.self, #"modulus:by:(CAST(count, "integer"), 2) == 1"#) {
      $0.count.asInteger % 2 == 1
    }
    cases.same(Ware.self, #"CAST(density, "NSNumber") + maker.rating > 1.0"#) {
      $0.density.asDouble + $0.maker.rating > 1
    }
    cases.same(Ware.self, "floor:(maker.rating * 10.0) == 5.0") {
      ($0.maker.rating * 10).rounded(.down) == 5
    }
  }

  static let inPlaceOfNil = ClosureCases { cases in
    cases.same(Maker.self, "budget ?? 0 == 0", prints: "ifnil:(budget, 0) == 0") {
      ($0.budget ?? 0) == 0
    }
    cases.same(Maker.self, "ifnil:(budget, label) > 1") { ($0.budget ?? $0.label) > 1 }
    cases.same(
      Maker.self, "fee ?? debt ?? %@ > %@", Decimal(0), Decimal(1)
    ) { ($0.fee ?? ($0.debt ?? 0)) > 1 }
    cases.same(Maker.self, #"ifnil:(name, "") == "Kremer""#) { ($0.name ?? "") == "Kremer" }
    cases.same(Maker.self, "ifnil:(isOpen, FALSE) == TRUE") { ($0.isOpen ?? false) == true }
    cases.same(Maker.self, "ifnil:(founded, %@) > %@", day, day) { ($0.founded ?? day) > day }
    cases.same(Maker.self, "ifnil:(fee, debt) > %@", Decimal(1)) { ($0.fee ?? $0.debt) > 1 }
    cases.same(Pigment.self, "ifnil:(code, code) == name") { ($0.code ?? $0.code) == $0.name }
    cases.same(Maker.self, "ifnil:(budget * 2, budget + 1) == 3") {
      ($0.budget * 2 ?? $0.budget + 1) == 3
    }
    cases.same(Ware.self, "ifnil:(maker.budget, maker.label) == 3") {
      ($0.maker.budget ?? $0.maker.label) == 3
    }
    cases.same(Ware.self, "ifnil:(maker.budget, 1) + 1 == 2") { ($0.maker.budget ?? 1) + 1 == 2 }
    cases.same(Ware.self, #"ifnil:(name, maker.name) == "x""#) { ($0.name ?? $0.maker.name) == "x" }
    cases.same(Maker.self, "ifnil:(ware.@min.count, 5) > 3") { ($0.ware.min { $0.count } ?? 5) > 3 }
  }

  static let dates = ClosureCases { cases in
    cases.same(Maker.self, "founded + 60.0 > %@", day) { $0.founded + 60 > day }
    cases.same(Maker.self, "founded - 86400.0 < %@", day) { $0.founded - 86_400 < day }
    cases.same(Maker.self, "founded + rating > %@", day) { $0.founded + $0.rating > day }
    cases.same(Maker.self, "founded - rating > founded") { $0.founded - $0.rating > $0.founded }
    cases.same(Maker.self, "founded - %@ > 60.0", day) { $0.founded - day > 60 }
    cases.same(Maker.self, "%@ - founded > 60.0", day) { day - $0.founded > 60 }
    cases.same(Ware.self, "added - maker.founded < 3600.0") { $0.added - $0.maker.founded < 3600 }
    cases.same(Ware.self, #"added == CAST("2001-01-01T00:00:00.5Z", "NSDate")"#) {
      $0.added == day + 0.5
    }
  }

  @Test("arithmetic is its text", arguments: arithmetic.all)
  func checkArithmetic(_ item: ClosureCase) throws { try item.check() }

  @Test("a function is its text", arguments: functions.all)
  func checkFunctions(_ item: ClosureCase) throws { try item.check() }

  @Test("a value in place of nil is its text", arguments: inPlaceOfNil.all)
  func checkInPlaceOfNil(_ item: ClosureCase) throws { try item.check() }

  @Test("a calculation with dates is its text", arguments: dates.all)
  func checkDates(_ item: ClosureCase) throws { try item.check() }
}
