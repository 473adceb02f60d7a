import Copal
import CopalTestSupport
import Foundation
import Testing

@Suite("Typed conditions on relationships and calculations")
struct TypedCollectionTests {
  private static func makers(_ condition: (QueryProperties<Maker>) -> FetchPredicate) -> String {
    condition(QueryProperties()).format
  }
  private static func wares(_ condition: (QueryProperties<Ware>) -> FetchPredicate) -> String {
    condition(QueryProperties()).format
  }

  @Test("a typed condition on a to-many relationship is this text")
  func collections() {
    #expect(Self.makers { $0.ware.contains { $0.count > 3 } } == "exists:(ware, $x, $x.count > 3)")
    #expect(Self.makers { $0.ware.isEmpty } == "NOT exists:(ware)")
    #expect(Self.makers { $0.ware.count > 3 } == "ware.@count > 3")
    #expect(
      Self.makers { $0.ware.allSatisfy { $0.isSold == true } }
        == "NOT exists:(ware, $x, NOT $x.isSold == TRUE)")
    #expect(
      Self.makers { $0.ware.filter { $0.name.hasPrefix("U") }.count >= 2 }
        == #"SUBQUERY(ware, $x, $x.name BEGINSWITH "U").@count >= 2"#)
    #expect(Self.makers { $0.ware.sum { $0.count } == 7 } == "ware.@sum.count == 7")
    #expect(Self.makers { $0.ware.min { $0.name } == "a" } == #"ware.@min.name == "a""#)
    #expect(Self.wares { $0.maker.ware.isEmpty } == "NOT exists:(maker.ware)")
    #expect(
      Self.wares { $0.maker.students.contains { $0.name == "Berthe" } }
        == #"exists:(maker.students, $x, $x.name == "Berthe")"#)
  }

  @Test("a closure inside another one can name the objects of both")
  func nested() {
    #expect(
      Self.makers { maker in maker.ware.contains { $0.count > 3 && $0.name == maker.name } }
        == "exists:(ware, $x, $x.count > 3 AND $x.name == name)")
    #expect(
      Self.makers { maker in
        maker.ware.contains { ware in
          ware.tags.contains { $0.name == ware.name || $0.name == maker.name }
        }
      } == "exists:(ware, $x, exists:($x.tags, $y, $y.name == $x.name OR $y.name == name))")
    #expect(
      Self.makers { maker in
        maker.ware.contains { _ in maker.students.contains { $0.name == maker.name } }
      } == "exists:(ware, $x, exists:(students, $y, $y.name == name))")
    let rich: (QueryProperties<Maker>) -> FetchPredicate = { $0.budget > 3 }
    #expect(
      Self.makers { maker in maker.ware.contains { $0.count == 1 && rich(maker) } }
        == "exists:(ware, $x, $x.count == 1 AND budget > 3)")
  }

  @Test("a typed calculation is this text")
  func calculations() {
    #expect(Self.makers { $0.budget * 2 + 1 > 10 } == "budget * 2 + 1 > 10")
    #expect(Self.makers { ($0.budget ?? 0) == 0 } == "ifnil:(budget, 0) == 0")
    #expect(
      Self.wares { $0.count.asInteger % 2 == 1 } == "modulus:by:(CAST(count, \"integer\"), 2) == 1")
    #expect(Self.makers { -$0.rating < $0.rating / 2 } == "-rating < rating / 2.0")
    #expect(Self.wares { $0.maker.name == $0.name } == "maker.name == name")
    #expect(Self.wares { $0.name.lowercased() == "a" } == #"lowercase:(name) == "a""#)
    #expect(Self.wares { $0.name.count > 3 } == "length:(name) > 3")
    #expect(
      Self.makers { ($0.founded + 60) > Date(timeIntervalSinceReferenceDate: 0) }
        == #"founded + 60.0 > CAST("2001-01-01T00:00:00Z", "NSDate")"#)
  }

  @Test(
    "a number that is compared with zero is EXISTS, where a count would read all objects",
    .modelAsIs)
  func existence() throws {
    let context = try TestStore(.sqlite).container(.graph).makeContext()
    func statement(_ condition: (QueryProperties<Maker>) -> FetchPredicate) throws -> String {
      try context.explain(Maker.fetchRequest().filter(condition)).statement ?? ""
    }
    let some = try statement { $0.ware.filter { $0.count > 3 }.count > 0 }
    #expect(try some == statement { $0.ware.contains { $0.count > 3 } })
    #expect(try some == statement { $0.ware.filter { $0.count > 3 }.count >= 1 })
    #expect(try some == statement { $0.ware.filter { $0.count > 3 }.count != 0 })
    #expect(try some == statement { !($0.ware.filter { $0.count > 3 }.count < 1) })
    let none = try statement { $0.ware.count == 0 }
    #expect(try none == statement { $0.ware.isEmpty })
    #expect(try none == statement { $0.ware.count <= 0 })
    #expect(try !statement { $0.ware.count > 1 }.contains("EXISTS"))
    // Without a teacher, the number is nil.
    #expect(try statement { $0.teacher.students.count == 0 }.contains("count(*)"))
  }

  @Test(
    "a condition on a collection behind a to-one relationship names the object that has the path",
    arguments: StoreKind.allCases)
  func objectAroundPath(kind: StoreKind) throws {
    let context = try TestStore(kind).container(.graph).makeContext()
    let maker = Maker(context: context)
    maker.name = "Oak"
    for count in 1...3 {
      let ware = Ware(context: context)
      (ware.name, ware.count, ware.maker) = ("\(count)", Int32(count), maker)
    }
    let alone = Ware(context: context)
    (alone.name, alone.count) = ("alone", 1)
    func check() throws {
      let more = try context.fetch(Ware.self) { ware in
        ware.maker.ware.contains { $0.count > ware.count }
      }
      #expect(Set(more.map(\.name)) == ["1", "2"])
      let most = try context.fetch(Ware.self) { ware in
        ware.maker.ware.allSatisfy { $0.count <= ware.count }
      }
      #expect(Set(most.map(\.name)) == ["3", "alone"])
      let sums = try context.fetch(Ware.self) { ware in
        ware.maker.ware.filter { $0.count >= ware.count }.count == 2
      }
      #expect(sums.map(\.name) == ["2"])
      let byText = try FetchPredicate(format: "ANY maker.ware.name == name AND count > 1")
      #expect(
        try Set(context.fetch(FetchRequest<Ware>(predicate: byText)).map(\.name)) == ["2", "3"])
      // 1 + 2 + 3 and three times the count of the object itself.
      let added = FetchPredicate.comparison(
        .aggregate(
          .sum, FetchCollection(.property("maker.ware")),
          of: .call(.add, [.property("count"), .outer(1, .property("count"))])),
        .equal, .constant(12))
      #expect(try context.fetch(FetchRequest<Ware>(predicate: added)).map(\.name) == ["2"])
    }
    try check()
    try context.save()
    context.reset()
    try check()
  }

  @Test("inside a collection, a collection behind a path of the object outside is refused")
  func pathOfObjectAround() throws {
    let context = try TestStore(.memory).container(.graph).makeContext()
    let error = #expect(throws: PersistenceError.self) {
      try context.fetch(Maker.self) { maker in
        maker.ware.contains { ware in maker.teacher.ware.contains { $0.name == ware.name } }
      }
    }
    #expect(error?.code == .invalidExpression)
    #expect(error?.description.contains("use a relationship of that object itself") == true)
    // The path can be outside.
    _ = try context.fetch(Maker.self) { maker in
      maker.teacher.ware.contains { ware in maker.ware.contains { $0.name == ware.name } }
    }
  }

  @Test(
    "a condition behind a to-one relationship about the object outside is EXISTS in SQL",
    .modelAsIs)
  func objectAroundInSQL() throws {
    let context = try TestStore(.sqlite).container(.graph).makeContext()
    let explanation = try context.explain(
      Ware.fetchRequest().filter { ware in ware.maker.ware.contains { $0.count > ware.count } })
    #expect(
      explanation.statement?.components(separatedBy: " WHERE ").dropFirst().joined(separator: "; ")
        == """
        EXISTS (SELECT 1 FROM "Maker" AS "copal_1"; "copal_1"."copal_id" = "Ware"."maker" AND \
        EXISTS (SELECT 1 FROM "Ware" AS "copal_2"; "copal_2"."maker" = "copal_1"."copal_id" AND \
        "copal_2"."count" > "Ware"."count")) ORDER BY "copal_id"
        """)
  }

  @Test(
    "an unsaved change counts in a condition behind a to-one relationship about the object outside",
    arguments: StoreKind.allCases)
  func changesAroundPath(kind: StoreKind) throws {
    let context = try TestStore(kind).container(.graph).makeContext()
    let makers = (0..<2).map { _ in Maker(context: context) }
    let ware = [1, 2, 3, 4].map { count in
      let ware = Ware(context: context)
      (ware.name, ware.count, ware.maker) = ("\(count)", Int32(count), makers[count % 2])
      return ware
    }
    try context.save()
    func more() throws -> Set<String> {
      let found = try context.fetch(Ware.self) { ware in
        ware.maker.ware.contains { $0.count > ware.count }
      }
      return Set(found.compactMap(\.name))
    }
    #expect(try more() == ["1", "2"])
    ware[0].count = 30
    #expect(try more() == ["3", "2"])
    ware[3].maker = makers[1]
    #expect(try more() == ["3", "4"])
    context.delete(ware[0])
    #expect(try more() == ["3"])
  }

  @Test("nine clauses type-check and find what they say", arguments: StoreKind.allCases)
  func nineClauses(kind: StoreKind) throws {
    let context = try TestStore(kind).container(.graph).makeContext()
    let maker = Maker(context: context)
    (maker.name, maker.budget, maker.fee) = ("Kremer", 10, Decimal(string: "12.5"))
    let ware = Ware(context: context)
    (ware.name, ware.count, ware.price, ware.maker) = ("Ultramarine", 4, Decimal(20), maker)
    try context.save()
    let found = try context.fetch(Ware.self) {
      $0.price > 10 && $0.maker.name == "Kremer" && $0.maker.budget * 2 >= 20
        && $0.name.contains("ULTRA", [.caseInsensitive, .diacriticInsensitive])
        && $0.count.isIn([3, 4])
        && $0.maker.ware.contains { $0.count > 3 } && ($0.weight ?? 0) == 0 && $0.isSold == false
        && $0.added == nil
    }
    #expect(found == [ware])
  }

  @Test("columns and groups are tuples", arguments: StoreKind.allCases)
  func values(kind: StoreKind) throws {
    let context = try TestStore(kind).container(.graph).makeContext()
    for (name, prices) in [("Kremer", ["1.10", "2.20"]), ("Zecchi", ["10"])] {
      let maker = Maker(context: context)
      maker.name = name
      for price in prices {
        let ware = Ware(context: context)
        (ware.name, ware.price, ware.maker) = ("\(name) \(price)", Decimal(string: price), maker)
      }
    }
    try context.save()
    let rows = try context.fetchValues(Ware.self, sortedBy: { [$0.price.sum.sortedDescending] }) {
      ($0.maker.name, $0.objectID.count, $0.price.sum, $0.price.average, $0.name.minimum)
    }
    #expect(rows.map(\.0) == ["Zecchi", "Kremer"])
    #expect(rows.map(\.1) == [1, 2])
    #expect(rows.map(\.2) == [10, Decimal(string: "3.3")])
    #expect(rows.map(\.3) == [10, Decimal(string: "1.65")])
    #expect(rows.map(\.4) == ["Zecchi 10", "Kremer 1.10"])
    let large = try context.fetchValues(Ware.self, having: { $0.objectID.count > 1 }) {
      ($0.maker.name, $0.maker)
    }
    #expect(large.map(\.0) == ["Kremer"] && large.first?.1 != nil)
    let grouped = try context.fetchValues(Ware.self, having: { $0.objectID.count > 1 }) {
      $0.maker.name
    }
    #expect(grouped == ["Kremer"])
    #expect(try context.fetchValue(Ware.self) { $0.price.sum } == Decimal(string: "13.3"))
    #expect(try context.fetchValue(Ware.self, where: { $0.price > 100 }) { $0.price.sum } == 0)
    #expect(
      try context.fetchValue(Ware.self, where: { $0.price > 100 }) { $0.price.maximum } == nil)
    #expect(try context.fetchValue(Ware.self) { $0.maker.name.distinctCount } == 2)
    let names = try context.fetchValues(Ware.self, isDistinct: true) { $0.maker.name }
    #expect(names == ["Kremer", "Zecchi"])
  }

  @Test("objects are sorted by a path", arguments: StoreKind.allCases)
  func paths(kind: StoreKind) throws {
    let container = try TestStore(kind).container(.graph)
    let context = container.makeContext()
    for (number, name) in ["b", "a", nil, "C"].enumerated() {
      let ware = Ware(context: context)
      ware.label = number
      guard let name else { continue }
      let maker = Maker(context: context)
      (maker.name, ware.maker) = (name, maker)
    }
    func labels(_ context: ManagedObjectContext) throws -> [Int] {
      try context.fetch(Ware.self, sortedBy: \.maker.name.ascending).map(\.label)
    }
    #expect(try labels(context) == [2, 3, 1, 0])
    try context.save()
    #expect(try labels(context) == [2, 3, 1, 0])
    #expect(
      try context.fetch(Ware.self, sortedBy: \.maker.name.alphabetical.descending).map(\.label)
        == [3, 0, 1, 2])
    #expect(
      try context.fetch(Ware.self, sortedBy: \.maker.name.ascending, limit: 2, offset: 1).map(
        \.label)
        == [3, 1])
    // The maker of the first ware gets another name, which is not saved.
    let first = try #require(try context.one(Ware.self) { $0.label == 0 })
    first.maker?.name = "A"
    #expect(try labels(context) == [2, 0, 3, 1])
    #expect(try labels(container.makeContext()) == [2, 3, 1, 0])
  }

  @Test("pages follow each other in every order", arguments: StoreKind.allCases)
  func pages(kind: StoreKind) throws {
    let container = try TestStore(kind).container(.graph)
    let context = container.makeContext()
    var graph = RandomGraph(seed: 7)
    try graph.fill(context, count: 60)
    let orders: [[FetchSortKey]] = [
      [], [.ascending("price")], [.descending("price")], [.ascending("price").nilsLast],
      [.descending("price").nilsFirst], [.ascending("name"), .descending("count")],
      [.ascending("name").alphabetical, .ascending("label")], [.descending("maker.name")],
      [.ascending("density"), .ascending("added").nilsLast, .descending("weight")],
    ]
    // The second time, some objects have unsaved changes.
    for round in 0..<2 {
      if round == 1 { try graph.change(context) }
      for order in orders {
        let request = FetchRequest<Ware>(
          predicate: .comparison(.property("isSold"), .equal, .constant(true)), sortKeys: order)
        let all = try context.fetch(request).map(\.objectID)
        var paged: [ManagedObjectID] = []
        var cursor: FetchCursor?
        repeat {
          let page = try context.fetchPage(request, size: 4, after: cursor)
          #expect(page.objects.count == 4 || page.next == nil)
          paged += page.objects.map(\.objectID)
          cursor = try page.next.map {
            try JSONDecoder().decode(FetchCursor.self, from: JSONEncoder().encode($0))
          }
        } while cursor != nil && paged.count <= all.count
        // The id of an object that is not saved is another one after it has been decoded.
        if round == 0 {
          #expect(paged == all, "\(order)")
        } else {
          #expect(paged.count == all.count, "\(order)")
        }
      }
    }
    let page = try context.fetchPage(Ware.self, sortedBy: \.price.ascending, size: 1)
    #expect(throws: PersistenceError.self) {
      try context.fetchPage(Ware.self, size: 1, after: page.next)
    }
  }

  @Test("the explanation of a fetch has the statement, the plan and what is done in memory")
  func explanation() throws {
    let context = try TestStore(.sqlite).container(.graph).makeContext()
    let maker = Maker(context: context)
    maker.name = "Kremer"
    try context.save()
    let all = try context.explain(Maker.fetchRequest().filter { $0.name == "Kremer" })
    #expect(
      all.statement?.hasSuffix(#"FROM "Maker" WHERE "name" = ? ORDER BY "copal_id""#) == true
        || ModelShape.current != .alone)
    #expect(all.bindings.contains("text") && all.objectCount == 1)
    if ModelShape.current == .alone { #expect(all.scannedTables == ["Maker"] && !all.usesIndexes) }
    #expect(all.inMemory.isEmpty)
    // A table in a selection inside another one has its own name here.
    let nested = try context.explain(
      Mark.fetchRequest().filter { $0.ware.filter { $0.maker.name == "Kremer" }.count > 0 })
    #expect(!nested.scannedTables.contains { $0.hasPrefix("copal_") }, "\(nested)")
    maker.name = "Zecchi"
    let changed = try context.explain(
      Ware.fetchRequest().filter { $0.maker.name == "Zecchi" || $0.count == 1 })
    #expect(
      changed.inMemory == [
        "Related objects have unsaved changes: the objects that they affect are evaluated."
      ])
    #expect(!changed.description.contains("Zecchi"))
  }

  @Test("a collection that is made before a closure means the same inside of it")
  func collectionOutside() {
    // The same conditions, with the collection written inside.
    let inside = Self.makers { maker in
      maker.students.contains { student in
        maker.ware.contains { $0.name == maker.name } && student.budget > 3
      }
    }
    #expect(
      Self.makers { maker in
        let own = maker.ware.contains { $0.name == maker.name }
        return maker.students.contains { student in own && student.budget > 3 }
      } == inside)
    #expect(
      Self.makers { maker in
        let own = maker.ware.filter { $0.name == maker.name }
        return maker.students.contains { student in !own.isEmpty && student.budget > 3 }
      } == inside.replacing("exists:(ware", with: "NOT NOT exists:(ware"))
    let sum = Self.makers { maker in
      maker.students.contains { student in
        student.students.contains { _ in
          student.ware.sum { $0.label + student.label } > 3
        }
      }
    }
    #expect(
      Self.makers { maker in
        maker.students.contains { student in
          let total = student.ware.sum { $0.label + student.label }
          return student.students.contains { _ in total > 3 }
        }
      } == sum)
    #expect(
      Self.makers { maker in
        let own = maker.ware.filter { $0.name == maker.name }
        return maker.students.contains { student in
          own.contains { $0.count > 3 || $0.name == student.name || $0.name == maker.name }
        }
      }
        == Self.makers { maker in
          maker.students.contains { student in
            maker.ware.contains {
              $0.name == maker.name
                && ($0.count > 3 || $0.name == student.name || $0.name == maker.name)
            }
          }
        })
  }
}
