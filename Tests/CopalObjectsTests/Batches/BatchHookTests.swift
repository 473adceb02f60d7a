import Copal
import CopalModel
import CopalStore
import CopalTestSupport
import Testing

@Suite("Hooks that write to the store, or notice a batch, during an operation", .serialized)
struct BatchHookTests {
  /// An object whose hook does what a test wants.
  private final class Studio: ManagedObject {
    nonisolated(unsafe) static var onFetch: ((Studio) -> Void)?

    var number: Int {
      get { (try? value(of: "number")) ?? 0 }
      set { try? setValue(newValue, forKey: "number") }
    }

    override func awakeFromFetch() { Self.onFetch?(self) }
  }

  private final class Painter: ManagedObject {}

  /// Four studios with the numbers 1 to 4, each with a painter.
  private func container(_ kind: StoreKind) throws -> PersistentContainer {
    Studio.onFetch = nil
    let number = AttributeDescription("number", .integer, isOptional: true)
    let model = try ManagedObjectModel(
      name: "Studios",
      entities: [
        EntityDescription(
          "Painter", attributes: [number],
          relationships: [
            RelationshipDescription("studio", to: "Studio", isOptional: true, inverse: "painter")
          ]),
        EntityDescription(
          "Studio", attributes: [number],
          relationships: [
            RelationshipDescription("painter", to: "Painter", isOptional: true, inverse: "studio")
          ]),
      ])
    let container = try TestStore(kind).container(
      ModelBinding(
        model,
        classes: [
          EntityBinding("Painter", Painter.self, layoutHash: model.layoutHash(ofEntity: 0)),
          EntityBinding("Studio", Studio.self, layoutHash: model.layoutHash(ofEntity: 1)),
        ]))
    let context = container.makeContext()
    for number in 1...4 {
      let (painter, studio) = (try context.insert("Painter"), try context.insert("Studio"))
      try studio.setValue(number, forKey: "number")
      try painter.setValue(studio, forKey: "studio")
    }
    try context.save()
    return container
  }

  /// The numbers of the studios, two on each page.
  private func pages(_ context: ManagedObjectContext, _ order: FetchSortKey) throws -> [[Int]] {
    let request = FetchRequest<Studio>(entityName: "Studio", sortKeys: [order])
    var (pages, cursor): ([[Int]], FetchCursor?) = ([], nil)
    repeat {
      let page = try context.fetchPage(request, size: 2, after: cursor)
      pages.append(page.objects.map(\.number))
      cursor = page.next
    } while cursor != nil && pages.count < 5
    return pages
  }

  // The cursor was nil for every sort key: the first page came again, or the rest was lost.
  @Test("an object that a hook deletes is the end of a page like others", arguments: bothStores)
  func deletedByHook(_ kind: StoreKind) throws {
    for (order, expected) in [
      (FetchSortKey.ascending("number"), [[1, 2], [3, 4]]),
      (.descending("number"), [[4, 3], [2, 1]]),
    ] {
      let container = try container(kind)
      let last = expected[0][1]
      Studio.onFetch = { if $0.number == last { $0.managedObjectContext?.delete($0) } }
      #expect(try pages(container.makeContext(), order) == expected)
      // The deletion may also be saved at once.
      Studio.onFetch = { studio in
        guard studio.number == last, let context = studio.managedObjectContext else { return }
        context.delete(studio)
        _ = try? context.save()
      }
      #expect(try pages(container.makeContext(), order) == expected)
      Studio.onFetch = nil
    }
  }

  @Test("a page and its cursor see one state of the store", arguments: bothStores)
  func changedByOther(_ kind: StoreKind) throws {
    let container = try container(kind)
    let other = container.makeContext()
    Studio.onFetch = { studio in
      guard studio.number == 2 else { return }
      Studio.onFetch = nil
      (try? other.existingObject(with: studio.objectID) as? Studio)?.number = 4
      _ = try? other.save()
    }
    let pages = try pages(container.makeContext(), .ascending("number"))
    // The object of the first page has another number now, and is found again behind it.
    #expect(pages == [[1, 2], [3, 2], [4]])
    Studio.onFetch = nil
  }

  // The fault had no reference that could be compared, and the store kept one to a deleted object.
  @Test(
    "a deletion nullifies the reference of an object whose hook notices a batch",
    arguments: bothStores)
  func nullify(_ kind: StoreKind) throws {
    let container = try container(kind)
    let context = container.makeContext()
    let studio = try #require(try context.fetch(FetchRequest<Studio>(entityName: "Studio")).first)
    let painter = try #require(try studio.value(forKey: "painter") as? Painter)
    context.refreshAllObjects()
    try container.makeContext().updateAll("Studio", set: [BatchAssignment("number", .constant(9))])
    Studio.onFetch = {
      _ = try? $0.managedObjectContext?.count(FetchRequest<Painter>(entityName: "Painter"))
    }
    context.delete(painter)
    try context.save()
    Studio.onFetch = nil
    #expect(try studio.value(forKey: "painter") == nil)
    let other = container.makeContext()
    let stored = try other.fetch(FetchRequest<Studio>(entityName: "Studio"))
    let hasPainter = try stored.map { try $0.value(forKey: "painter") != nil }
    #expect(hasPainter == [false, true, true, true])
  }
}
