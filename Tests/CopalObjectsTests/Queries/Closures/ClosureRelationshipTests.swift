import Copal
import CopalModel
import CopalTestSupport
import Foundation
import Testing

@Suite("Closures about relationships, and their texts")
struct ClosureRelationshipTests {
  static let store = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
  static let maker = ManagedObjectID(store: store, entityName: "Maker", key: 7)
  static let ware = ManagedObjectID(store: store, entityName: "Ware", key: 8)
  static let mark = ManagedObjectID(store: store, entityName: "Mark", key: 9)

  static let toOne = ClosureCases { cases in
    let missing: ManagedObjectID? = nil
    cases.same(Ware.self, "maker == nil") { $0.maker == nil }
    cases.same(Ware.self, "maker != nil") { $0.maker != nil }
    cases.same(Ware.self, "maker == %@", maker) { $0.maker == maker }
    cases.same(Ware.self, "maker != %@", maker) { $0.maker != maker }
    cases.same(Ware.self, "maker == %@", missing, prints: "maker == nil") { $0.maker == missing }
    cases.same(Ware.self, "maker.teacher == %@", maker) { $0.maker.teacher == maker }
    cases.same(Ware.self, "maker.teacher == nil") { $0.maker.teacher == nil }
    cases.same(Ware.self, #"maker.name == "Kremer""#) { $0.maker.name == "Kremer" }
    cases.same(Ware.self, "maker.name != nil") { $0.maker.name != nil }
    cases.same(Ware.self, "maker.label >= 3") { $0.maker.label >= 3 }
    cases.same(Ware.self, "maker.budget == label") { $0.maker.budget == $0.label }
    cases.same(Ware.self, "name < maker.name") { $0.name < $0.maker.name }
    cases.same(Ware.self, "maker.teacher.teacher.budget > 3") {
      $0.maker.teacher.teacher.budget > 3
    }
    cases.same(Maker.self, "teacher.isOpen == TRUE") { $0.teacher.isOpen == true }
    cases.same(Maker.self, "teacher.fee == fee") { $0.teacher.fee == $0.fee }
    cases.same(Maker.self, "teacher.founded < founded") { $0.teacher.founded < $0.founded }
  }

  static let objects = ClosureCases { cases in
    cases.same(Ware.self, "SELF == %@", ware) { $0.objectID == ware }
    cases.same(Ware.self, "SELF != %@", ware) { $0.objectID != ware }
    cases.same(Ware.self, "SELF IN %@", [ware]) { $0.objectID.isIn([ware]) }
    cases.same(Ware.self, "NOT SELF IN {}") { !$0.objectID.isIn([]) }
    cases.same(Maker.self, "%@ IN ware", ware) { $0.ware.contains(ware) }
    cases.same(Maker.self, "NOT %@ IN ware", ware) { !$0.ware.contains(ware) }
    cases.same(Maker.self, "ware CONTAINS %@", ware) { $0.ware.contains(ware) }
    cases.same(Ware.self, "%@ IN maker.students", maker) { $0.maker.students.contains(maker) }
  }

  static let collections = ClosureCases { cases in
    cases.same(Maker.self, "NOT exists:(ware)") { $0.ware.isEmpty }
    cases.same(Maker.self, "NOT NOT exists:(ware)") { !$0.ware.isEmpty }
    cases.same(Maker.self, "exists:(ware, $x, $x.count > 3)") { $0.ware.contains { $0.count > 3 } }
    cases.same(
      Maker.self, "exists:(ware, $w, $w.count > 3)", prints: "exists:(ware, $x, $x.count > 3)"
    ) { $0.ware.contains { $0.count > 3 } }
    cases.same(Maker.self, "NOT exists:(ware, $x, $x.isSold == TRUE)") {
      !$0.ware.contains { $0.isSold == true }
    }
    cases.same(Maker.self, "NOT exists:(ware, $x, NOT $x.count > 3)") {
      $0.ware.allSatisfy { $0.count > 3 }
    }
    cases.same(Maker.self, "ware.@count == 0") { $0.ware.count == 0 }
    cases.same(Maker.self, "ware[SIZE] > 3", prints: "ware.@count > 3") { $0.ware.count > 3 }
    cases.same(Maker.self, "ware.@count > students.@count") { $0.ware.count > $0.students.count }
    cases.same(Maker.self, "ware.@count > budget") { $0.ware.count > $0.budget }
    cases.same(Maker.self, "SUBQUERY(ware, $x, $x.name == nil).@count >= 2") {
      $0.ware.filter { $0.name == nil }.count >= 2
    }
    cases.same(
      Maker.self, "SUBQUERY(ware, $x, $x.count > 1 AND $x.isSold == TRUE).@count >= 2"
    ) { $0.ware.filter { $0.count > 1 }.filter { $0.isSold == true }.count >= 2 }
    cases.same(Maker.self, #"NOT exists:(ware, $x, $x.name BEGINSWITH "U")"#) {
      $0.ware.filter { $0.name.hasPrefix("U") }.isEmpty
    }
    cases.same(Maker.self, "exists:(ware, $x, $x.count > 1 AND $x.label == 2)") {
      $0.ware.filter { $0.count > 1 }.contains { $0.label == 2 }
    }
    cases.same(Maker.self, "ware.@sum.count == 7") { $0.ware.sum { $0.count } == 7 }
    cases.same(Maker.self, "ware.@min.price < %@", Decimal(3)) { $0.ware.min { $0.price } < 3 }
    cases.same(Maker.self, #"ware.@max.name == "Woad""#) { $0.ware.max { $0.name } == "Woad" }
    cases.same(Maker.self, "ware.@avg.count > 2.5") { $0.ware.average { $0.count } > 2.5 }
    cases.same(Maker.self, "ware.@avg.price >= %@", Decimal(2)) {
      $0.ware.average { $0.price } >= 2
    }
    cases.same(Maker.self, "ware.@max.added == nil") { $0.ware.max { $0.added } == nil }
    cases.same(Maker.self, "SUBQUERY(ware, $x, $x.isSold == FALSE).@sum.price > fee") {
      $0.ware.filter { $0.isSold == false }.sum { $0.price } > $0.fee
    }
    cases.same(Maker.self, "sum:(ware, $x, $x.price * $x.weight) > debt") {
      $0.ware.sum { $0.price * $0.weight } > $0.debt
    }
    cases.same(
      Maker.self, #"max:(ware, $x, CAST($x.count, "integer") + $x.label, $x.isSold == TRUE) > 3"#
    ) {
      $0.ware.filter { $0.isSold == true }.max { $0.count.asInteger + $0.label } > 3
    }
    cases.same(Maker.self, "average:(ware, $x, -$x.density) < 0.0") {
      $0.ware.average { -$0.density } < 0
    }
    cases.same(Maker.self, "min:(ware, $x, length:($x.name)) == 3") {
      $0.ware.min { $0.name.count } == 3
    }
    cases.same(Ware.self, "maker.ware.@count > 1") { $0.maker.ware.count > 1 }
    cases.same(Ware.self, "maker.ware.@sum.price > price") {
      $0.maker.ware.sum { $0.price } > $0.price
    }
    cases.same(Ware.self, "exists:(maker.teacher.students, $x, $x.budget == nil)") {
      $0.maker.teacher.students.contains { $0.budget == nil }
    }
    cases.same(Ware.self, #"exists:(tags, $x, $x.name ==[c] "old")"#) {
      $0.tags.contains { $0.name.isEqual(to: "old", .caseInsensitive) }
    }
    cases.same(Ware.self, "exists:(list, $x, $x.maker == nil)") {
      $0.list.contains { $0.maker == nil }
    }
    cases.same(Maker.self, "exists:(ware.tags, $x, $x.rank > 3)") {
      $0.ware.tags.contains { $0.rank > 3 }
    }
    cases.same(Maker.self, "ware.tags.@count > 3") { $0.ware.tags.count > 3 }
  }

  @Test("a condition on a to-one relationship is its text", arguments: toOne.all)
  func checkToOne(_ item: ClosureCase) throws { try item.check() }

  @Test("a condition on an object itself is its text", arguments: objects.all)
  func checkObjects(_ item: ClosureCase) throws { try item.check() }

  @Test("a condition on a to-many relationship is its text", arguments: collections.all)
  func checkCollections(_ item: ClosureCase) throws { try item.check() }

  @Test("a closure takes an object where the text takes it as a value")
  func values() throws {
    let context = try TestStore(.memory).container(.graph).makeContext()
    let (maker, ware) = (Maker(context: context), Ware(context: context))
    let checks = ClosureCases { cases in
      cases.same(Ware.self, "maker == %@", maker.objectID) { $0.maker == maker }
      cases.same(Ware.self, "maker != %@", maker.objectID) { $0.maker != maker }
      cases.same(Ware.self, "maker IN %@", [maker.objectID]) { $0.maker.isIn([maker]) }
      cases.same(Ware.self, "maker.teacher IN %@", [maker.objectID]) {
        $0.maker.teacher.isIn([maker])
      }
      cases.same(Maker.self, "%@ IN ware", ware.objectID) { $0.ware.contains(ware) }
    }
    for item in checks.all { try item.check() }
  }
}
