import Copal
import CopalModel
import CopalTestSupport
import Foundation
import Testing

@Suite("Closures in closures, closures about subentities, joined conditions, and their texts")
struct ClosureNestingTests {
  static let nested = ClosureCases { cases in
    cases.same(Maker.self, "exists:(ware, $x, $x.name == name)") { maker in
      maker.ware.contains { $0.name == maker.name }
    }
    cases.same(Maker.self, "exists:(ware, $x, $x.price > fee)") { maker in
      maker.ware.contains { $0.price > maker.fee }
    }
    cases.same(Maker.self, "exists:(ware, $x, $x.label + budget > 3)") { maker in
      maker.ware.contains { $0.label + maker.budget > 3 }
    }
    cases.same(Maker.self, "NOT exists:(ware, $x, NOT $x.added > founded)") { maker in
      maker.ware.allSatisfy { $0.added > maker.founded }
    }
    cases.same(Maker.self, "SUBQUERY(ware, $x, $x.label < label).@count > 1") { maker in
      maker.ware.filter { $0.label < maker.label }.count > 1
    }
    cases.same(Maker.self, "exists:(ware, $x, $x.maker.teacher.name == teacher.name)") { maker in
      maker.ware.contains { $0.maker.teacher.name == maker.teacher.name }
    }
    cases.same(Maker.self, "exists:(ware, $x, exists:($x.tags, $y, $y.rank > 3))") {
      $0.ware.contains { $0.tags.contains { $0.rank > 3 } }
    }
    cases.same(
      Maker.self, "exists:(ware, $x, exists:($x.tags, $y, $y.name == $x.name AND $y.name == name))"
    ) { maker in
      maker.ware.contains { ware in
        ware.tags.contains { $0.name == ware.name && $0.name == maker.name }
      }
    }
    cases.same(Maker.self, "exists:(ware, $x, $x.tags.@count > budget)") { maker in
      maker.ware.contains { $0.tags.count > maker.budget }
    }
    cases.same(Maker.self, "exists:(ware, $x, students.@count > $x.label)") { maker in
      maker.ware.contains { maker.students.count > $0.label }
    }
    cases.same(Maker.self, "exists:(ware, $x, exists:(students, $y, $y.name == $x.name))") {
      maker in
      maker.ware.contains { ware in maker.students.contains { $0.name == ware.name } }
    }
    cases.same(Maker.self, "sum:(ware, $x, $x.price * fee) > debt") { maker in
      maker.ware.sum { $0.price * maker.fee } > maker.debt
    }
    cases.same(
      Maker.self, "max:(ware, $x, $x.label, $x.name == name) > 3",
      prints: "SUBQUERY(ware, $x, $x.name == name).@max.label > 3"
    ) { maker in maker.ware.filter { $0.name == maker.name }.max { $0.label } > 3 }
    cases.same(Maker.self, "sum:(students, $x, $x.ware.@count) > 3") {
      $0.students.sum { $0.ware.count } > 3
    }
    cases.same(
      Maker.self,
      "NOT exists:(students, $x, NOT exists:($x.students, $y, exists:($y.ware, $z, $z.label == label)))"
    ) { maker in
      maker.students.allSatisfy {
        $0.students.contains { $0.ware.contains { $0.label == maker.label } }
      }
    }
    cases.same(Maker.self, "exists:(ware, $x, isOpen == TRUE)") { maker in
      maker.ware.contains { _ in maker.isOpen == true }
    }
    cases.same(Maker.self, "exists:(ware, $x, ifnil:($x.name, name) == \"Kremer\")") { maker in
      maker.ware.contains { ($0.name ?? maker.name) == "Kremer" }
    }
    cases.same(Maker.self, "exists:(ware, $x, $x.name CONTAINS[c] name)") { maker in
      maker.ware.contains { $0.name.contains(maker.name, .caseInsensitive) }
    }
  }

  static let subentities = ClosureCases { cases in
    cases.same(Person.self, #"iskind:(SELF, "Artisan")"#) { $0.isKind(of: Artisan.self) }
    cases.same(Person.self, #"NOT iskind:(SELF, "Artisan")"#) { !$0.isKind(of: Artisan.self) }
    cases.same(Person.self, #"as:(SELF, "Artisan").style == "oil""#) {
      $0.as(Artisan.self).style == "oil"
    }
    cases.same(Person.self, #"as:(SELF, "Restorer").rate * 2.0 > 1.0"#) {
      $0.as(Restorer.self).rate * 2 > 1
    }
    cases.same(Person.self, #"as:(SELF, "Artisan").style == nil"#) {
      $0.as(Artisan.self).style == nil
    }
    cases.same(Person.self, #"as:(SELF, "Artisan").style LIKE[c] "o*""#) {
      $0.as(Artisan.self).style.like("o*", .caseInsensitive)
    }
    cases.same(Person.self, #"as:(SELF, "Artisan").teacher == nil"#) {
      $0.as(Artisan.self).teacher == nil
    }
    cases.same(Person.self, #"as:(SELF, "Artisan").pupils.@count > 2"#) {
      $0.as(Artisan.self).pupils.count > 2
    }
    cases.same(
      Person.self, #"exists:(as:(SELF, "Artisan").pupils, $x, $x.style == "oil")"#
    ) { $0.as(Artisan.self).pupils.contains { $0.style == "oil" } }
    cases.same(
      Artisan.self, #"exists:(pupils, $x, iskind:($x, "Restorer"))"#
    ) { $0.pupils.contains { $0.isKind(of: Restorer.self) } }
    cases.same(
      Artisan.self, #"exists:(pupils, $x, as:($x, "Restorer").rate > 1.0)"#
    ) { $0.pupils.contains { $0.as(Restorer.self).rate > 1 } }
    cases.same(
      Person.self, #"as:(SELF, "Artisan").style == name AND iskind:(SELF, "Restorer")"#
    ) { $0.as(Artisan.self).style == $0.name && $0.isKind(of: Restorer.self) }
    cases.same(Artwork.self, #"as:(SELF, "Etching").plate == "copper""#) {
      $0.as(Etching.self).plate == .copper
    }
  }

  static let joined = ClosureCases { cases in
    cases.same(Maker.self, "budget > 3 AND name != nil") { $0.budget > 3 && $0.name != nil }
    cases.same(Maker.self, "budget > 3 OR name != nil") { $0.budget > 3 || $0.name != nil }
    cases.same(Maker.self, "budget > 3 AND label == 1 AND name != nil") {
      $0.budget > 3 && $0.label == 1 && $0.name != nil
    }
    cases.same(Maker.self, "budget > 3 OR label == 1 OR name != nil") {
      $0.budget > 3 || $0.label == 1 || $0.name != nil
    }
    cases.same(
      Maker.self, "budget > 3 OR label == 1 AND name != nil",
      prints: "budget > 3 OR (label == 1 AND name != nil)"
    ) { $0.budget > 3 || $0.label == 1 && $0.name != nil }
    cases.same(Maker.self, "(budget > 3 OR label == 1) AND name != nil") {
      ($0.budget > 3 || $0.label == 1) && $0.name != nil
    }
    cases.same(Maker.self, "NOT (budget > 3 OR label == 1)") { !($0.budget > 3 || $0.label == 1) }
    cases.same(Maker.self, "NOT NOT budget > 3") { !(!($0.budget > 3)) }
    cases.same(
      Maker.self, "!(budget > 3 && label == 1) || isOpen == YES",
      prints: "NOT (budget > 3 AND label == 1) OR isOpen == TRUE"
    ) { !($0.budget > 3 && $0.label == 1) || $0.isOpen == true }
    cases.same(Maker.self, "TRUEPREDICATE") { _ in .constant(true) }
    cases.same(Maker.self, "FALSEPREDICATE OR budget == 1") { .constant(false) || $0.budget == 1 }
    cases.same(Maker.self, "budget > 1 AND (budget < 3 OR (label == 1 AND isOpen == nil))") {
      $0.budget > 1 && ($0.budget < 3 || ($0.label == 1 && $0.isOpen == nil))
    }
    cases.same(
      Ware.self,
      #"price > CAST("10", "NSDecimalNumber") AND maker.name == "Kremer" AND maker.budget * 2 >= 20 "#
        + #"AND name CONTAINS[cd] "ULTRA" AND count IN {3, 4} AND isSold == FALSE AND added == nil"#
    ) {
      $0.price > 10 && $0.maker.name == "Kremer" && $0.maker.budget * 2 >= 20
        && $0.name.contains("ULTRA", [.caseInsensitive, .diacriticInsensitive])
        && $0.count.isIn([3, 4]) && $0.isSold == false && $0.added == nil
    }
    cases.same(
      Ware.self,
      "maker.budget > 3 AND exists:(maker.ware, $x, $x.count > 3) AND ifnil:(label, 0) == 0"
    ) {
      $0.maker.budget > 3 && $0.maker.ware.contains { $0.count > 3 } && ($0.label ?? 0) == 0
    }
  }

  @Test("a closure inside another one is its text", arguments: nested.all)
  func checkNested(_ item: ClosureCase) throws { try item.check() }

  @Test("a condition on a subentity is its text", arguments: subentities.all)
  func checkSubentities(_ item: ClosureCase) throws { try item.check() }

  @Test("joined conditions are their text", arguments: joined.all)
  func checkJoined(_ item: ClosureCase) throws { try item.check() }

  @Test("there are more than 200 closures, all with different texts")
  func count() {
    let all =
      ClosureComparisonTests.requiredAttributes.all + ClosureComparisonTests.optionalAttributes.all
      + ClosureComparisonTests.attributesWithEachOther.all + ClosureListTests.texts.all
      + ClosureListTests.lists.all + ClosureListTests.ranges.all
      + ClosureCalculationTests.arithmetic.all + ClosureCalculationTests.functions.all
      + ClosureCalculationTests.inPlaceOfNil.all + ClosureCalculationTests.dates.all
      + ClosureRelationshipTests.toOne.all + ClosureRelationshipTests.objects.all
      + ClosureRelationshipTests.collections.all + Self.nested.all + Self.subentities.all
      + Self.joined.all
    #expect(Set(all.map { "\($0.text) \($0.arguments)" }).count > 200)
  }
}
