import Copal
import CopalTestSupport
import Foundation
import Testing

@Suite("A change that no save writes")
struct LostChangeTests {
  @Test("is reported once for an object that a save has deleted", arguments: bothStores)
  func savedDeletion(_ kind: StoreKind) throws {
    let store = try TestStore(kind)
    let context = try store.atelier().makeContext()
    let painter = Painter(context: context, name: "Rosa")
    try context.save()
    context.delete(painter)
    try context.save()
    painter.name = "Judith"
    painter.name = "Paula"
    let reports = store.takeReadFailures()
    #expect(reports.map(\.code) == [.changeLost] && reports.first?.objectID == painter.objectID)
    #expect(
      reports.first?.description
        == "Painter p1 was changed, and the change is not saved: the object is deleted; check isDeleted and managedObjectContext before you change an object [object.changeLost]"
    )
    #expect(painter.name == "Paula" && !context.hasChanges)
  }

  @Test("is reported for an object that the next save deletes", arguments: bothStores)
  func deletion(_ kind: StoreKind) throws {
    let store = try TestStore(kind)
    let container = try store.atelier()
    let context = container.makeContext()
    let painter = Painter(context: context, name: "Rosa")
    try context.save()
    // Also where a change came first.
    painter.name = "Judith"
    context.delete(painter)
    #expect(store.takeReadFailures().isEmpty)
    painter.name = "Paula"
    #expect(store.takeReadFailures().map(\.code) == [.changeLost])

    context.rollback()
    painter.name = "Frida"
    #expect(store.takeReadFailures().isEmpty)
    try context.save()
    #expect(try container.makeContext().fetch(Painter.self).map(\.name) == ["Frida"])
  }

  @Test(
    "is reported for a new object that was deleted, rolled back or reset", arguments: bothStores)
  func new(_ kind: StoreKind) throws {
    let store = try TestStore(kind)
    let context = try store.atelier().makeContext()
    let ends: [(Painter) -> Void] = [
      { context.delete($0) }, { _ in context.rollback() }, { _ in context.reset() },
    ]
    for end in ends {
      let painter = Painter(context: context, name: "Rosa")
      end(painter)
      #expect(store.takeReadFailures().isEmpty)
      painter.name = "Judith"
      let reports = store.takeReadFailures()
      #expect(reports.map(\.code) == [.changeLost])
      #expect(
        reports.first?.found
          == "the object was deleted before it was saved, or its context was released or reset")
    }
  }

  @Test("is reported for an object whose context was released or reset", arguments: bothStores)
  func context(_ kind: StoreKind) throws {
    let store = try TestStore(kind)
    let container = try store.atelier()
    let context = container.makeContext()
    for name in ["Rosa", "Judith"] { _ = Painter(context: context, name: name) }
    try context.save()
    let (rosa, judith) = try {
      let all = try container.makeContext().fetch(Painter.self)
      return (all[0], all[1])
    }()
    rosa.name = "Paula"
    #expect(store.takeReadFailures().map(\.objectID) == [rosa.objectID])
    try judith.setValue("Frida", forKey: "name")
    #expect(store.takeReadFailures().map(\.code) == [.changeLost])

    let own = try #require(try context.fetch(Painter.self).first)
    context.reset()
    own.name = "Lee"
    #expect(store.takeReadFailures().map(\.code) == [.changeLost])
    #expect(try container.makeContext().fetch(Painter.self).map(\.name) == ["Rosa", "Judith"])
  }

  @Test(
    "is not reported where a hook makes it while the object is being deleted",
    arguments: bothStores)
  func hooks(_ kind: StoreKind) throws {
    let store = try TestStore(kind)
    let context = try store.studio().makeContext()
    let apprentice = Apprentice(context: context, name: "Paul")
    try context.save()
    apprentice.onPrepareForDeletion = { [unowned apprentice] in apprentice.name = "gone" }
    apprentice.onWillSave = { [unowned apprentice] in apprentice.name = "going" }
    context.delete(apprentice)
    try context.save()
    #expect(store.takeReadFailures().isEmpty)
    #expect(try context.count(Apprentice.self) == 0)
  }
}
