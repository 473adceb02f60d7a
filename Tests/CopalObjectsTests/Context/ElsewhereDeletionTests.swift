import Copal
import CopalTestSupport
import Testing

@Suite("Deleting an object that another context has deleted")
struct ElsewhereDeletionTests {
  @Test(
    "a loaded list that has no inverse loses the object, and a rollback gives it back",
    arguments: StoreKind.allCases)
  func oneWayList(kind: StoreKind) throws {
    let container = try TestStore(kind).container(.graph)
    let (mine, other) = (container.makeContext(), container.makeContext())
    let (owner, first, second) = (Ware(context: mine), Ware(context: mine), Ware(context: mine))
    owner.list.append(first)
    owner.list.append(second)
    try mine.save()
    #expect(Array(owner.list) == [first, second])
    try other.delete(other.existingObject(with: first.objectID, as: Ware.self))
    try other.save()

    mine.delete(first)
    #expect(Array(owner.list) == [second])
    mine.rollback()
    #expect(Array(owner.list).contains(second))
  }

  @Test(
    "a loaded list of a relationship with an inverse loses the object",
    arguments: StoreKind.allCases)
  func twoWayList(kind: StoreKind) throws {
    let container = try TestStore(kind).container(.graph)
    let (mine, other) = (container.makeContext(), container.makeContext())
    let (mark, ware) = (Mark(context: mine), Ware(context: mine))
    mark.ware.insert(ware)
    try mine.save()
    let fresh = container.makeContext()
    let list = try fresh.existingObject(with: mark.objectID, as: Mark.self)
    let member = try #require(list.ware.first)
    try other.delete(other.existingObject(with: ware.objectID, as: Ware.self))
    try other.save()

    fresh.delete(member)
    #expect(Array(list.ware).isEmpty)
  }

  @Test("the deletion of an object without links leaves the loaded lists as they are")
  func withoutLinks() throws {
    let store = try TestStore(.sqlite)
    let context = try store.container(.graph).makeContext()
    let (owner, member, lonely) = (
      Ware(context: context), Ware(context: context), Ware(context: context)
    )
    owner.list.append(member)
    try context.save()
    #expect(owner.list.count == 1)
    context.delete(lonely)
    #expect(Array(owner.list) == [member])
  }
}
