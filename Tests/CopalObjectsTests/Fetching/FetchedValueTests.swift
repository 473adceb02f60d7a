import Copal
import CopalTestSupport
import Testing

@Suite("Fetching values and groups")
struct FetchedValueTests {
  /// A maker called A with two of its ware, and one called B without any.
  private func context(_ kind: StoreKind, isSaved: Bool) throws -> ManagedObjectContext {
    let context = try TestStore(kind).container(.graph).makeContext()
    let makers = ["A", "B"].map { name in
      let maker = Maker(context: context)
      maker.name = name
      return maker
    }
    for (name, count) in [("x", Int32(1)), ("y", 3)] {
      let ware = Ware(context: context)
      (ware.name, ware.count, ware.maker) = (name, count, makers[0])
    }
    if isSaved { try context.save() }
    return context
  }

  @Test(
    "a condition on the number of related objects filters rows", arguments: StoreKind.allCases,
    [true, false])
  func numberOfRelatedObjects(kind: StoreKind, isSaved: Bool) throws {
    let context = try context(kind, isSaved: isSaved)
    func names(_ condition: @escaping (QueryProperties<Maker>) -> FetchPredicate) throws
      -> [String?]
    {
      try context.fetchValues(Maker.self, having: condition) { $0.name }
    }
    #expect(try names { $0.ware.count > 0 } == ["A"])
    #expect(try names { $0.ware.count == 0 } == ["B"])
    #expect(try names { $0.ware.count > 1 } == ["A"])
    let rows = try context.fetchValues(Maker.self, having: { $0.ware.count != 0 }) {
      ($0.name, $0.ware.count)
    }
    #expect(rows.map(\.1) == [2])
    // One more unsaved object of B.
    let ware = Ware(context: context)
    ware.maker = try context.one(Maker.self) { $0.name == "B" }
    #expect(try names { $0.ware.count > 0 } == ["A", "B"])
    let error = #expect(throws: PersistenceError.self) {
      try context.fetchValues(Maker.self, having: { $0.ware.count > 0 }) {
        ($0.isOpen, $0.objectID.count)
      }
    }
    #expect(error?.code == .invalidExpression)
  }

  @Test(
    "an order, and a condition on groups, can repeat a calculated column with constants",
    arguments: StoreKind.allCases, [true, false])
  func repeatedColumns(kind: StoreKind, isSaved: Bool) throws {
    let context = try context(kind, isSaved: isSaved)
    let doubled = try context.fetchValues(
      Ware.self, having: { ($0.count ?? 0) * 2 > 2 },
      sortedBy: { [(($0.count ?? 0) * 2).sortedDescending] }
    ) { (($0.count ?? 0) * 2, $0.objectID.count) }
    #expect(doubled.map(\.0) == [6] && doubled.map(\.1) == [1])
    let names = try context.fetchValues(
      Maker.self, sortedBy: { [($0.name ?? "-").sortedDescending] }, isDistinct: true
    ) { $0.name ?? "-" }
    #expect(names == ["B", "A"])
    let sums = try context.fetchValues(
      Ware.self, sortedBy: { [((($0.count ?? 0) * 10).sum).sortedDescending] }
    ) { ($0.name, (($0.count ?? 0) * 10).sum) }
    #expect(sums.map(\.1) == [30, 10])
  }

  @Test("a condition of a choice can have an aggregate of a group", arguments: StoreKind.allCases)
  func choiceByGroup(kind: StoreKind) throws {
    let context = try context(kind, isSaved: true)
    let size = FetchExpression.conditional(
      .comparison(.objectCount, .greater, .constant(1)), .constant("several"), .constant("one"))
    let request = ValueRequest(entityName: "Ware", columns: [.init("size", size)])
    #expect(try context.fetchValues(request) == [["several"]])
  }

  @Test(
    "unsaved objects come last in an order by objects, as after the save",
    arguments: StoreKind.allCases)
  func orderOfObjects(kind: StoreKind) throws {
    let context = try context(kind, isSaved: true)
    let maker = Maker(context: context)
    maker.name = "C"
    for owner in [maker, try context.one(Maker.self) { $0.name == "B" }] {
      Ware(context: context).maker = owner
    }
    func names() throws -> [String?] {
      try context.fetchValues(Ware.self) { ($0.maker, $0.objectID.count) }
        .map { row in
          try row.0.map { try context.existingObject(with: $0).value(forKey: "name") } ?? nil
        }
        .map { $0 as? String }
    }
    #expect(try names() == ["A", "B", "C"])
    try context.save()
    #expect(try names() == ["A", "B", "C"])
  }

  @Test(
    "a count notices a batch of another context, as a fetch does", arguments: StoreKind.allCases)
  func batches(kind: StoreKind) throws {
    let container = try TestStore(kind).container(.graph)
    let (context, other) = (container.makeContext(), container.makeContext())
    let maker = Maker(context: context)
    let ware = Ware(context: context)
    ware.maker = maker
    try context.save()
    #expect(maker.ware.count == 1)
    try other.deleteAll(Ware.self)
    Ware(context: context).maker = maker
    #expect(try context.count(Maker.self) { $0.ware.count >= 2 } == 0)
    #expect(try context.fetchIDs(Maker.self) { $0.ware.count == 1 }.count == 1)
    let counts = try context.fetchValues(Maker.self) { $0.ware.count }
    #expect(counts.compactMap(\.self) == [1])
  }
}

@Suite("Pages of a fetch whose objects have other values in memory")
struct FetchedPageTests {
  /// The counts of ware 10, 20 and 30, page by page, one object each.
  private func pages(
    _ context: ManagedObjectContext, _ request: FetchRequest<Ware>
  ) throws -> [String?] {
    var names: [String?] = []
    var cursor: FetchCursor?
    repeat {
      let page = try context.fetchPage(request, size: 1, after: cursor)
      names += page.objects.map(\.name)
      cursor = page.next
    } while cursor != nil && names.count < 10
    return names
  }

  private func ware(_ context: ManagedObjectContext) throws -> [Ware] {
    let ware = [20, 100, 200].map { count in
      let ware = Ware(context: context)
      (ware.name, ware.count) = ("\(count)", Int32(count))
      return ware
    }
    try context.save()
    return ware
  }

  @Test("unsaved changes that do not count do not count in a cursor", arguments: StoreKind.allCases)
  func ignoredChanges(kind: StoreKind) throws {
    let context = try TestStore(kind).container(.graph).makeContext()
    let ware = try ware(context)
    ware[1].count = 10
    var request = Ware.fetchRequest().sorted(by: \.count.ascending)
    #expect(try pages(context, request) == ["100", "20", "200"])
    request.includesPendingChanges = false
    #expect(try pages(context, request) == ["20", "100", "200"])
    let batches = try context.fetchBatches(request)
    #expect(batches.map(\.name) == ["20", "100", "200"])
    #expect(try context.explain(request).inMemory == [])
    _ = Ware(context: context)
    #expect(try context.fetchBatches(request).count == 3)
    #expect(try context.fetchBatches(Ware.fetchRequest()).count == 4)
  }

  @Test("a cursor has the value by which the store has sorted", arguments: StoreKind.allCases)
  func staleObjects(kind: StoreKind) throws {
    let container = try TestStore(kind).container(.graph)
    let (context, other) = (container.makeContext(), container.makeContext())
    let ware = try ware(context)
    try other.one(Ware.self) { $0.name == "20" }?.count = 150
    try other.save()
    #expect(ware[0].count == 20)
    #expect(
      try pages(context, Ware.fetchRequest().sorted(by: \.count.ascending)) == ["100", "20", "200"])
  }

  @Test(
    "an order by a related object is refused, with the way to sort by an attribute of it",
    arguments: StoreKind.allCases)
  func orderByObject(kind: StoreKind) throws {
    let context = try TestStore(kind).container(.graph).makeContext()
    let error = #expect(throws: PersistenceError.self) {
      try context.fetch(FetchRequest<Ware>(sortKeys: [.ascending("maker")]))
    }
    #expect(error?.code == .notQueryable && error?.property == "maker")
    #expect(error?.description.contains("with a path that begins with 'maker.'") == true)
  }
}
