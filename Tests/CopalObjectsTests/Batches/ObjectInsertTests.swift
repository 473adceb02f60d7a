import Copal
import CopalColor
import CopalTestSupport
import CopalTestTools
import Foundation
import Testing

@Suite("Batches that objects fill")
struct ObjectInsertTests {
  private struct Stop: Error {}

  /// Calls a closure for the numbers below a count.
  @discardableResult
  private func insert<T: QueryableObject>(
    _ type: T.Type, _ count: Int, _ context: ManagedObjectContext,
    _ fill: (T, Int, inout BatchRow<T>) throws -> Void
  ) throws -> Int {
    var next = 0
    return try context.insertAll(type) { object, row in
      if next == count { return .end }
      defer { next += 1 }
      try fill(object, next, &row)
      return .insert
    }
  }

  @Test(
    "objects fill the rows: with defaults, transformables and custom accessors",
    arguments: StoreKind.allCases)
  func attributes(_ kind: StoreKind) throws {
    let container = try TestStore(kind).atelier()
    let context = container.makeContext()
    var rest = [1, 2, 3]
    let count = try context.insertAll(Painting.self) { painting in
      guard let number = rest.popLast() else { return .end }
      #expect(painting.managedObjectContext == nil && painting.title == "Untitled")
      (painting.widthMillimetres, painting.heightMillimetres) = (Int32(number), 10)
      painting.palette = [SerializableColor(red: 1, green: 0, blue: 0)]
      // Worked out from the two lengths.
      painting.views = Int64(painting.areaSquareMillimetres ?? 0)
      return .insert
    }
    #expect(count == 3)
    #expect(try context.fetchIDs(Painting.self).count == 3)
    let read = try container.makeContext().fetch(Painting.self, sortedBy: \.views.ascending)
    #expect(read.map(\.views) == [10, 20, 30])
    #expect(Set(read.map(\.id)).count == 3)
    #expect(read.allSatisfy { $0.palette == [SerializableColor(red: 1, green: 0, blue: 0)] })
  }

  @Test("relationships are set as in other batches", arguments: StoreKind.allCases)
  func relationships(_ kind: StoreKind) throws {
    let container = try TestStore(kind).container(.orders, transformers: [])
    let context = container.makeContext()
    let orders = (1...3).map { Order(context: context, number: Int64($0)) }
    let gift = Gift(context: context, sku: "g")
    let ribbons = ["x", "y"].map { Ribbon(context: context, name: $0) }
    try context.save()
    // The list of an order that has been read follows.
    #expect(orders.map(\.lines.count) == [0, 0, 0])
    let count = try insert(OrderLine.self, 2500, context) { line, number, row in
      line.text = "\(number)"
      line.quantity = Int32(number)
      line.product = number.isMultiple(of: 2) ? gift : nil
      #expect(line.product === (number.isMultiple(of: 2) ? gift : nil))
      if number < 3 {
        line.order = orders[number]
        line.tags = [ribbons[1]]
        line.tags.insert(ribbons[0], at: 0)
        #expect(Array(line.tags) == ribbons)
        if number == 2 { line.tags.remove(ribbons[0]) }
        // No other object learns of it.
        #expect(orders[number].lines.isEmpty && ribbons[1].lines.isEmpty)
      } else {
        row.set { $0.order.set(toObjectWhere: \.number, Int64(number % 3 + 1)) }
      }
    }
    #expect(count == 2500)
    #expect(orders.map(\.lines.count) == [834, 833, 833])
    #expect(!context.hasChanges)
    let other = container.makeContext()
    let read = try other.fetch(Order.self, sortedBy: \.number.ascending)
    for (place, order) in read.enumerated() {
      // The lists are in the order of the rows.
      #expect(order.lines.map(\.quantity) == (0..<2500).filter { $0 % 3 == place }.map(Int32.init))
    }
    #expect(read.map { $0.lines[0].tags.map(\.name) } == [["x", "y"], ["x", "y"], ["y"]])
    #expect(try other.count(OrderLine.self) { $0.product.sku == "g" } == 1250)
  }

  @Test(
    "rows that break rules are reported with their numbers, and nothing is written",
    arguments: StoreKind.allCases)
  func failures(_ kind: StoreKind) throws {
    let context = try TestStore(kind).container(.orders, transformers: []).makeContext()
    let order = Order(context: context, number: 1)
    try context.save()
    let error = #expect(throws: PersistenceError.self) {
      try insert(OrderLine.self, 1500, context) { line, number, row in
        if number != 7 { line.text = "\(number)" }
        if number != 1200 { line.order = order }
        if number == 1300 { row.set { $0.order.set(toObjectWhere: \.number, 9) } }
      }
    }
    let causes = error?.causes.compactMap { $0 as? PersistenceError } ?? []
    #expect(causes.map(\.row) == [8, 1201])
    #expect(causes.allSatisfy { $0.code == .required })
    #expect(try context.count(OrderLine.self) == 0)
    // A row of a later part: an object that is not there, and a value that another row has.
    let missing = #expect(throws: PersistenceError.self) {
      try insert(OrderLine.self, 1500, context) { line, number, row in
        line.text = "\(number)"
        row.set { $0.order.set(toObjectWhere: \.number, number == 1300 ? 9 : 1) }
      }
    }
    #expect(missing?.code == .batchMissingObject && missing?.row == 1301)
    let unique = #expect(throws: PersistenceError.self) {
      try insert(Order.self, 1500, context) { order, number, _ in
        order.number = number == 1400 ? 12 : Int64(number + 10)
      }
    }
    #expect(unique?.code == .uniqueConflict && unique?.row == 1401)
    #expect(try context.count(OrderLine.self) == 0)
    #expect(try context.count(Order.self) == 1)
  }

  @Test("an error of the closure undoes everything", arguments: StoreKind.allCases)
  func thrown(_ kind: StoreKind) throws {
    let context = try TestStore(kind).atelier().makeContext()
    #expect(throws: Stop.self) {
      try insert(Pigment.self, 3000, context) { pigment, number, _ in
        pigment.name = "\(number)"
        if number == 2500 { throw Stop() }
      }
    }
    #expect(try context.count(Pigment.self) == 0)
    #expect(try insert(Pigment.self, 0, context) { _, _, _ in } == 0)
    _ = Pigment(context: context, name: "Woad")
    let error = #expect(throws: PersistenceError.self) {
      try insert(Pigment.self, 1, context) { pigment, _, _ in pigment.name = "Ochre" }
    }
    #expect(error?.code == .transactionPendingChanges)
  }

  @Test(
    "an object that is not saved, and one of the batch itself, cannot be set",
    arguments: StoreKind.allCases)
  func unsavedTargets(_ kind: StoreKind) throws {
    let context = try TestStore(kind).container(.orders, transformers: []).makeContext()
    var first: Category?
    let error = #expect(throws: PersistenceError.self) {
      try insert(Category.self, 2, context) { category, number, _ in
        category.name = "\(number)"
        category.parent = first
        first = category
      }
    }
    #expect(error?.code == .batchNotAssignable && error?.row == 2)
    #expect(error?.found?.contains("has not been saved") == true)
    // A tree is made by names.
    let count = try insert(Category.self, 1200, context) { category, number, row in
      category.name = "\(number)"
      row.set { $0.parent.set(toObjectWhere: \.name, number == 0 ? nil : "\(number - 1)") }
    }
    #expect(count == 1200)
    #expect(try context.count(Category.self) { $0.parent == nil } == 1)
  }

  @Test("an object of a family fills a row of its class", arguments: StoreKind.allCases)
  func families(_ kind: StoreKind) throws {
    let container = try TestStore(kind).container(.archive, transformers: [])
    let context = container.makeContext()
    let exhibit = Exhibit(context: context, title: "Delft")
    try context.save()
    let portraits = try insert(Portrait.self, 3, context) { portrait, number, _ in
      portrait.name = "p\(number)"
      (portrait.width, portrait.bytes, portrait.sitter) = (4, 5, "s\(number)")
      portrait.exhibit = exhibit
      #expect(portrait.exhibit === exhibit)
    }
    let memos = try insert(Memo.self, 2, context) { memo, number, _ in
      (memo.name, memo.text, memo.exhibit) = ("m\(number)", "t", exhibit)
    }
    #expect(portraits == 3 && memos == 2)
    let other = container.makeContext()
    let read = try other.fetch(Attachment.self, sortedBy: \.name.ascending)
    #expect(
      read.map { "\(type(of: $0)) \($0.name)" }
        == ["Memo m0", "Memo m1", "Portrait p0", "Portrait p1", "Portrait p2"])
    #expect((read[3] as? Portrait)?.sitter == "s1" && (read[3] as? Portrait)?.bytes == 5)
    let order = try other.first(Exhibit.self)?.attachments.map(\.name)
    #expect(order == ["p0", "p1", "p2", "m0", "m1"])
    let abstract = #expect(throws: PersistenceError.self) {
      try insert(Media.self, 1, context) { media, _, _ in media.name = "x" }
    }
    #expect(abstract?.code == .abstractEntity)
  }

  @Test(
    "the closure can read the store; an object that it inserts is saved later, or refused",
    arguments: StoreKind.allCases)
  func reads(_ kind: StoreKind) throws {
    let container = try TestStore(kind).container(.orders, transformers: [])
    let context = container.makeContext()
    for number in 1...3 { _ = Order(context: context, number: Int64(number)) }
    try context.save()
    let reader = container.makeContext()
    _ = try insert(OrderLine.self, 2100, reader) { line, number, _ in
      line.text = "\(number)"
      line.order = try reader.first(Order.self) { $0.number == Int64(number % 3 + 1) }
      // Rows of earlier parts are there, those of this part are not yet.
      if number == 2050 { #expect(try reader.count(OrderLine.self) == 2000) }
    }
    #expect(try context.fetch(Order.self).map(\.lines.count) == [700, 700, 700])
    let pending = #expect(throws: PersistenceError.self) {
      try insert(OrderLine.self, 1500, reader) { line, number, _ in
        line.text = "\(number)"
        line.order = try reader.first(Order.self)
        if number == 1200 { _ = OrderLine(context: reader, text: "mine") }
      }
    }
    #expect(pending?.code == .batchPendingChanges)
    #expect(try context.count(OrderLine.self) == 2100 && !reader.hasChanges)
    // An object of another entity is as if it had been inserted afterwards.
    try insert(Ribbon.self, 2, reader) { ribbon, number, _ in
      ribbon.name = "\(number)"
      if number == 0 { _ = Category(context: reader, name: "mine") }
    }
    #expect(try context.count(Ribbon.self) == 2 && context.count(Category.self) == 0)
    try reader.save()
    #expect(try context.count(Category.self) == 1)
    let toMany = #expect(throws: PersistenceError.self) {
      let line = try reader.first(OrderLine.self)
      try insert(Order.self, 1, reader) { order, _, _ in
        order.number = 9
        order.lines = OrderedToMany([line].compactMap(\.self))
      }
    }
    #expect(toMany?.code == .batchNotAssignable && toMany?.property == "lines")
  }

  @Test("large values go into files, and go with the rows that are undone")
  func largeValues() throws {
    let files = try NegativeFiles()
    let count = try insert(Negative.self, 1003, files.context) { negative, number, _ in
      negative.title = "\(number)"
      if number.isMultiple(of: 250) { negative.scan = bytes(5000, UInt8(number / 250)) }
    }
    #expect(count == 1003 && files.names().count == 5)
    let read = try files.container.makeContext().fetch(Negative.self) { $0.scan != nil }
    for negative in read {
      #expect(negative.scan == bytes(5000, UInt8((Int(negative.title) ?? 0) / 250)))
    }
    #expect(read.count == 5)
    #expect(throws: Stop.self) {
      try insert(Negative.self, 1500, files.context) { negative, number, _ in
        negative.title = "again \(number)"
        if number == 3 { negative.scan = bytes(6000) }
        if number == 1200 { throw Stop() }
      }
    }
    try files.container.store.removeUnreferencedFiles(checkingAll: true)
    #expect(files.names().count == 5)
  }

  @Test("the rows are those that saved objects have", arguments: StoreKind.allCases)
  func sameAsObjects(_ kind: StoreKind) throws {
    var random = SplitMix(seed: 4)
    let container = try TestStore(kind).atelier()
    let (batched, saved) = (container.makeContext(), container.makeContext())
    func fill(_ pigment: Pigment, _ number: Int, _ prefix: String, _ random: inout SplitMix) {
      pigment.name = "\(prefix)\(number)"
      if Bool.random(using: &random) {
        pigment.price = Decimal(Int.random(in: 0...9_999, using: &random)) / 100
      }
      if Bool.random(using: &random) { pigment.density = Decimal(string: "1.25") }
      if Bool.random(using: &random) { pigment.opacity = .random(in: 0...1, using: &random) }
      if Bool.random(using: &random) { pigment.isLightfast.toggle() }
      if Bool.random(using: &random) { pigment.origin = URL(filePath: "/\(number)") }
      if Bool.random(using: &random) { pigment.spectrum = Data(repeating: 7, count: number % 40) }
      if Bool.random(using: &random) {
        pigment.color = SerializableColor(
          red: 0.5, green: 0.25, blue: .random(in: 0...1, using: &random))
      }
      if Bool.random(using: &random) {
        pigment.introduced = Date(
          timeIntervalSinceReferenceDate: .random(in: -1e8...1e8, using: &random))
      }
    }
    var second = random
    _ = try insert(Pigment.self, 300, batched) { pigment, number, _ in
      fill(pigment, number, "b", &random)
    }
    for number in 0..<300 {
      let pigment = Pigment(context: saved, name: "")
      fill(pigment, number, "s", &second)
    }
    try saved.save()
    let context = container.makeContext()
    let pairs = try ["b", "s"].map { prefix in
      try context.fetch(
        Pigment.self, sortedBy: \.name.natural.ascending,
        where: Pigment.properties.name.hasPrefix(prefix))
    }
    #expect(pairs.map(\.count) == [300, 300])
    for (a, b) in zip(pairs[0], pairs[1]) {
      #expect(a.name.dropFirst() == b.name.dropFirst())
      for attribute in a.entity.attributes where attribute.name != "name" && !attribute.isTransient
      {
        let name = attribute.name
        let (first, second) = (try a.value(forKey: name), try b.value(forKey: name))
        #expect("\(first as Any)" == "\(second as Any)", "\(name)")
      }
    }
  }
}
