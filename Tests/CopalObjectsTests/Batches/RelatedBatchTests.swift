import Copal
import CopalTestSupport
import CopalTestTools
import Foundation
import Testing

@Suite("Batches that set relationships")
struct RelatedBatchTests {
  private struct Row {
    var text: String
    var order: Int64?
    var sku: String?
    var tags: [String] = []
  }

  private func container(_ kind: StoreKind) throws -> PersistentContainer {
    try TestStore(kind).container(.orders, transformers: [])
  }

  /// A container with orders 1 to 3, two products, a gift and two tags.
  private func shop(_ kind: StoreKind) throws -> PersistentContainer {
    let container = try container(kind)
    let context = container.makeContext()
    for number in 1...3 { _ = Order(context: context, number: Int64(number)) }
    for sku in ["a", "b"] { _ = Product(context: context, sku: sku) }
    _ = Gift(context: context, sku: "g", card: "yours")
    for name in ["x", "y"] { _ = Ribbon(context: context, name: name) }
    try context.save()
    return container
  }

  /// The lines of all orders in their order, with products and tags.
  private func lines(_ context: ManagedObjectContext) throws -> [String] {
    try context.fetch(Order.self, sortedBy: \.number.ascending).map { order in
      let lines = order.lines.map { line in
        "\(line.text) \(line.product?.sku ?? "-") \(line.tags.map(\.name).joined())"
      }
      return "\(order.number): \(lines.joined(separator: ", "))"
    }
  }

  // MARK: Inserting

  @Test(
    "to-ones are set by object, by id and by a unique attribute; lists keep the order of the rows",
    arguments: StoreKind.allCases)
  func toOnes(_ kind: StoreKind) throws {
    let container = try shop(kind)
    let context = container.makeContext()
    let loaded = try context.fetch(Order.self)
    #expect(loaded.map(\.lines.count) == [0, 0, 0])
    let order = try #require(try context.one(Order.self) { $0.number == 2 })
    let gift = try #require(try context.first(Gift.self))
    let ids = try context.insertAll(OrderLine.self, from: ["p", "q", "r"]) { line, text in
      line.text.set(to: text)
      line.order.set(to: order)
      line.product.set(to: gift.objectID)
    }
    #expect(ids.count == 3)
    let rows = [
      Row(text: "s", order: 2, sku: "b", tags: ["y", "x"]), Row(text: "t", order: 1, sku: "g"),
      Row(text: "u", order: 2, sku: "a", tags: ["x", "x"]),
    ]
    try context.insertAll(OrderLine.self, from: rows) { line, row in
      line.text.set(to: row.text)
      line.order.set(toObjectWhere: \.number, row.order)
      line.product.set(toObjectWhere: \.sku, row.sku)
      line.tags.set(toObjectsWhere: \.name, row.tags)
    }
    let expected = ["1: t g ", "2: p g , q g , r g , s b yx, u a x", "3: "]
    // The lists that the context had loaded follow.
    #expect(loaded.map(\.lines.count) == [1, 5, 0])
    #expect(try lines(context) == expected)
    #expect(try lines(container.makeContext()) == expected)
    #expect(try context.one(Ribbon.self, where: Ribbon.properties.name == "x")?.lines.count == 2)
  }

  @Test("a tree is inserted in one batch, in any order of its rows", arguments: StoreKind.allCases)
  func tree(_ kind: StoreKind) throws {
    let context = try container(kind).makeContext()
    _ = Category(context: context, name: "root")
    try context.save()
    let rows = [("c", "b"), ("a", "root"), ("b", "a"), ("d", "a"), ("e", nil)]
    try context.insertAll(Category.self, from: rows) { category, row in
      category.name.set(to: row.0)
      category.parent.set(toObjectWhere: \.name, row.1)
      category.similar.set(toObjectsWhere: \.name, row.0 == "a" ? ["c", "root"] : [])
    }
    let found = try context.fetch(Category.self, sortedBy: \.name.ascending).map {
      "\($0.name) < \($0.parent?.name ?? "-"): \($0.children.map(\.name)) ~ \($0.similar.map(\.name).sorted())"
    }
    #expect(
      found == [
        #"a < root: ["b", "d"] ~ ["c", "root"]"#, #"b < a: ["c"] ~ []"#, #"c < b: [] ~ ["a"]"#,
        #"d < a: [] ~ []"#, #"e < -: [] ~ []"#, #"root < -: ["a"] ~ ["a"]"#,
      ])
  }

  @Test(
    "all missing objects are reported with their rows, and nothing is written",
    arguments: StoreKind.allCases)
  func missing(_ kind: StoreKind) throws {
    let context = try shop(kind).makeContext()
    let rows = [
      Row(text: "a", order: 1, sku: "a"), Row(text: "b", order: 9, sku: "zz", tags: ["x", "no"]),
      Row(text: "c", order: 9), Row(text: "d", order: 8),
    ]
    let error = #expect(throws: PersistenceError.self) {
      try context.insertAll(OrderLine.self, from: rows) { line, row in
        line.text.set(to: row.text)
        line.order.set(toObjectWhere: \.number, row.order)
        line.product.set(toObjectWhere: \.sku, row.sku)
        line.tags.set(toObjectsWhere: \.name, row.tags)
      }
    }
    let causes = error?.causes.compactMap { $0 as? PersistenceError } ?? []
    #expect(causes.allSatisfy { $0.code == .batchMissingObject && $0.entity == "OrderLine" })
    #expect(
      Set(causes.map { "\($0.property ?? "") \($0.row ?? 0)" })
        == ["order 2", "order 4", "product 2", "tags 2"])
    // No value of an attribute is in the error.
    #expect(!"\(error.map { "\($0) \($0.causes)" } ?? "")".contains("zz"))
    #expect(try context.count(OrderLine.self) == 0)
  }

  @Test("what a batch cannot set is refused with a reason", arguments: StoreKind.allCases)
  func refused(_ kind: StoreKind) throws {
    let context = try shop(kind).makeContext()
    let tag = try #require(try context.first(Ribbon.self))
    func code(_ row: [BatchAssignment], _ entity: String = "OrderLine") -> PersistenceError.Code? {
      #expect(throws: PersistenceError.self) {
        try context.insertAll(entity, [[BatchAssignment("text", .constant("t"))] + row])
      }?.code
    }
    let order = BatchAssignment("order", toObjectWhere: "number", 1)
    #expect(code([]) == .required)
    #expect(code([BatchAssignment("order", toObject: nil)]) == .required)
    #expect(code([BatchAssignment("order", toObject: tag.objectID)]) == .batchNotAssignable)
    #expect(code([BatchAssignment("order", .constant(5))]) == .batchNotAssignable)
    #expect(code([BatchAssignment("order", toObjectWhere: "customer", "c")]) == .batchNoConstraint)
    #expect(code([BatchAssignment("order", toObjectWhere: "numbr", 1)]) == .unknownProperty)
    #expect(code([BatchAssignment("order", toObjectWhere: "number", "1")]) == .wrongValueType)
    #expect(code([BatchAssignment("order", toObjects: [])]) == .batchNotAssignable)
    #expect(code([order, BatchAssignment("tags", toObject: tag.objectID)]) == .batchNotAssignable)
    let new = Order(context: context, number: 50)
    #expect(code([BatchAssignment("order", toObject: new.objectID)]) == .batchNotAssignable)
    context.rollback()
    let lines = #expect(throws: PersistenceError.self) {
      try context.insertAll(Order.self, from: [5]) { order, number in
        order.number.set(to: Int64(number))
        order.lines.set(to: [ManagedObjectID]())
      }
    }
    #expect(lines?.code == .batchNotAssignable)
    let partner = #expect(throws: PersistenceError.self) {
      try context.insertAll(Chest.self, from: ["c"]) { crate, label in
        crate.label.set(to: label)
        crate.partner.set(toObjectWhere: \.label, label)
      }
    }
    #expect(partner?.code == .batchNotAssignable)
    #expect(try context.count(OrderLine.self) == 0 && context.count(Order.self) == 3)
  }

  // MARK: Limits

  @Test(
    "numbers of members are checked as sets, and a batch that breaks one writes nothing",
    arguments: StoreKind.allCases)
  func limits(_ kind: StoreKind) throws {
    let container = try container(kind)
    let context = container.makeContext()
    let stamps = ["s", "t"].map { Stamp(context: context, label: $0) }
    let crate = Chest(context: context, label: "c")
    let first = Parcel(context: context, label: "1", crate: crate)
    first.stamps.insert(stamps[0])
    try context.save()
    let version = { try container.makeContext().fetchRows(sql: "SELECT 1") }
    _ = version
    func insert(_ labels: [String], stamps: [String], crate: String? = "c") throws {
      try context.insertAll(Parcel.self, from: labels) { parcel, label in
        parcel.label.set(to: label)
        parcel.crate.set(toObjectWhere: \.label, crate)
        parcel.stamps.set(toObjectsWhere: \.label, stamps)
      }
    }
    func code(_ body: () throws -> Void) -> (PersistenceError.Code?, String?, String?) {
      let error = #expect(throws: PersistenceError.self) { try body() }
      return (error?.code, error?.property, error?.found)
    }
    #expect(code { try insert(["2"], stamps: []) } == (.tooFewObjects, "stamps", "0"))
    #expect(
      code { try insert(["2"], stamps: ["s", "t", "u"]) } == (.tooManyObjects, "stamps", "3"))
    #expect(
      code { try insert(["2", "3", "4"], stamps: ["t"]) } == (.tooManyObjects, "parcels", "4"))
    #expect(
      code { try insert(["2", "3", "4"], stamps: ["s"], crate: nil) } == (
        .tooManyObjects, "parcels", "4"
      ))
    #expect(try context.count(Parcel.self) == 1)
    // A save that adds at the same time finds a conflict.
    let other = container.makeContext()
    let same = try #require(try other.first(Chest.self))
    #expect(same.parcels.count == 1)
    try insert(["2", "3"], stamps: ["t"])
    #expect(crate.parcels.count == 3 && stamps[1].parcels.count == 2)
    Parcel(context: other, label: "4", crate: same).stamps.insert(
      try #require(try other.one(Stamp.self) { $0.label == "s" }))
    #expect(throws: PersistenceError.self) { try other.save() }
    // A batch for all: the former owners are checked, too.
    #expect(
      code { _ = try context.updateAll(Parcel.self) { $0.crate.set(to: nil as Chest?) } } == (
        .tooFewObjects, "parcels", "0"
      ))
    #expect(
      try context.updateAll(Parcel.self, where: { $0.label == "2" }) {
        $0.crate.set(to: nil as Chest?)
      } == 1)
    #expect(crate.parcels.count == 2)
  }

  // MARK: Updating

  @Test(
    "updateAll sets and clears to-ones, at the end of an ordered list",
    arguments: StoreKind.allCases)
  func updating(_ kind: StoreKind) throws {
    let container = try shop(kind)
    let context = container.makeContext()
    try context.insertAll(OrderLine.self, from: Array("pqrstu").map(String.init)) { line, text in
      line.text.set(to: text)
      line.order.set(toObjectWhere: \.number, text < "s" ? 1 : 2)
      line.product.set(toObjectWhere: \.sku, "a")
    }
    let loaded = try context.fetch(Order.self)
    #expect(loaded.map(\.lines.count) == [3, 3, 0])
    #expect(
      try context.updateAll(OrderLine.self, where: { $0.text >= "r" && $0.text <= "s" }) {
        $0.order.set(toObjectWhere: \.number, 1)
        $0.product.set(toObjectWhere: \.sku, nil)
        $0.quantity.set(to: $0.quantity + 4)
      } == 2)
    #expect(try lines(context) == ["1: p a , q a , r - , s - ", "2: t a , u a ", "3: "])
    #expect(loaded.map(\.lines.count) == [4, 2, 0])
    #expect(
      try context.fetch(OrderLine.self, sortedBy: \.text.ascending).map(\.quantity) == [
        1, 1, 5, 5, 1, 1,
      ])
    let third = try #require(try context.one(Order.self) { $0.number == 3 })
    try context.updateAll(OrderLine.self, where: { $0.text == "u" }) { $0.order.set(to: third) }
    #expect(
      try lines(container.makeContext()) == ["1: p a , q a , r - , s - ", "2: t a ", "3: u a "])
    let required = #expect(throws: PersistenceError.self) {
      try context.updateAll(OrderLine.self) { $0.order.set(to: nil as Order?) }
    }
    #expect(required?.code == .required)
    let missing = #expect(throws: PersistenceError.self) {
      try context.updateAll(OrderLine.self) { $0.order.set(toObjectWhere: \.number, 77) }
    }
    #expect(missing?.code == .batchMissingObject)
    try context.deleteAll(Order.self) { $0.number == 3 }
    let gone = #expect(throws: PersistenceError.self) {
      try context.updateAll(OrderLine.self) { $0.order.set(to: third.objectID) }
    }
    #expect(gone?.code == .missingReference)
    #expect(try lines(context) == ["1: p a , q a , r - , s - ", "2: t a "])
  }

  // MARK: Upserting

  @Test("an upsert sets relationships of new and of stored objects", arguments: StoreKind.allCases)
  func upserting(_ kind: StoreKind) throws {
    let container = try container(kind)
    let context = container.makeContext()
    let root = Category(context: context, name: "root")
    let a = Category(context: context, name: "a", parent: root)
    a.similar.insert(root)
    try context.save()
    let rows: [(String, String?, [String])] = [
      ("b", "a", []), ("a", "new", ["b", "new"]), ("new", "root", []), ("b", "root", ["root"]),
    ]
    let result = try context.upsertAll(Category.self, from: rows, on: \.name) { category, row in
      category.name.set(to: row.0)
      category.parent.set(toObjectWhere: \.name, row.1)
      category.similar.set(toObjectsWhere: \.name, row.2)
    }
    #expect(result.inserted.count == 2 && result.updated == [a.objectID])
    for context in [context, container.makeContext()] {
      let found = try context.fetch(Category.self, sortedBy: \.name.ascending).map {
        "\($0.name) < \($0.parent?.name ?? "-"): \($0.children.map(\.name)) ~ \($0.similar.map(\.name).sorted())"
      }
      #expect(
        found == [
          #"a < new: [] ~ ["b", "new"]"#, #"b < root: [] ~ ["a", "root"]"#,
          #"new < root: ["a"] ~ ["a"]"#, #"root < -: ["new", "b"] ~ ["b"]"#,
        ])
    }
  }

  // MARK: Random imports

  /// What a random import sets for a category.
  private struct Import {
    var name: String
    var parent: String?
    var similar: [String]
  }

  /// The tree and the links of all categories.
  private func tree(_ context: ManagedObjectContext) throws -> [String] {
    try context.fetch(Category.self, sortedBy: \.name.ascending).map {
      "\($0.name) < \($0.parent?.name ?? "-"): \($0.children.map(\.name)) ~ \($0.similar.map(\.name).sorted())"
    }
  }

  @Test(
    "random upserts of trees and links, and updates of all, do what the same changes of objects do",
    arguments: 1...12, StoreKind.allCases)
  func random(seed: UInt64, kind: StoreKind) throws {
    var random = SplitMix(seed: seed)
    let (batched, plain) = (try container(kind), try container(.memory))
    let (context, objects) = (batched.makeContext(), plain.makeContext())
    // Lists that stay loaded.
    var watched: [Category] = []
    for _ in 0..<12 {
      let names = (0..<14).map { "\($0)" }
      let known = Set(try objects.fetch(Category.self).map(\.name))
      let rows = names.shuffled(using: &random).prefix(Int.random(in: 1...8, using: &random)).map {
        Import(name: $0, parent: nil, similar: [])
      }
      let possible = Array(known.union(rows.map(\.name))).sorted()
      let imports = rows.map { row in
        var row = row
        row.parent =
          Bool.random(using: &random) ? possible.randomElement(using: &random) : nil
        row.similar = Array(
          possible.filter { $0 != row.name }.shuffled(using: &random)
            .prefix(Int.random(in: 0...2, using: &random)))
        return row
      }
      try context.upsertAll(Category.self, from: imports, on: \.name) { category, row in
        category.name.set(to: row.name)
        category.parent.set(toObjectWhere: \.name, row.parent)
        category.similar.set(toObjectsWhere: \.name, row.similar)
      }
      var byName = Dictionary(
        uniqueKeysWithValues: try objects.fetch(Category.self).map { ($0.name, $0) })
      for row in imports where byName[row.name] == nil {
        byName[row.name] = Category(context: objects, name: row.name)
      }
      for row in imports {
        guard let category = byName[row.name] else { continue }
        let parent = row.parent.flatMap { byName[$0] }
        // A batch appends every object that it gives a parent.
        category.parent = nil
        category.parent = parent
      }
      // Each row replaces the list of its object; a link of two rows stays if either has it.
      let lists = Dictionary(uniqueKeysWithValues: imports.map { ($0.name, Set($0.similar)) })
      for row in imports {
        guard let category = byName[row.name] else { continue }
        for other in Array(category.similar)
        where !row.similar.contains(other.name) && lists[other.name]?.contains(row.name) != true {
          category.similar.remove(other)
        }
      }
      for row in imports {
        for name in row.similar { byName[name].map { byName[row.name]?.similar.insert($0) } }
      }
      try objects.save()
      if Bool.random(using: &random), let target = possible.randomElement(using: &random) {
        let limit = names.randomElement(using: &random) ?? "5"
        try context.updateAll(Category.self, where: { $0.name > limit }) {
          $0.parent.set(toObjectWhere: \.name, target)
        }
        for category in try objects.fetch(Category.self, where: { $0.name > limit }) {
          category.parent = nil
          category.parent = byName[target]
        }
        try objects.save()
      }
      let expected = try tree(objects)
      #expect(try tree(context) == expected)
      #expect(try tree(batched.makeContext()) == expected)
      #expect(watched.allSatisfy { !$0.isDeleted })
      watched = try context.fetch(Category.self)
      for category in watched { _ = (category.children.count, category.similar.count) }
    }
  }
}
