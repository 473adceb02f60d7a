import Copal
import CopalColor
import CopalModel
import CopalStore
import CopalTestSupport
import Testing

@testable import CopalObjects

/// Collects what it receives.
private final class Journal: ChangeRecorder {
  enum Entry {
    case insert(ManagedObject)
    case write(ManagedObject, Int, FormerValue)
    case delete(ManagedObject)
  }
  var entries: [Entry] = []

  func didInsert(_ object: ManagedObject) { entries.append(.insert(object)) }
  func willWrite(_ object: ManagedObject, _ slot: Int, former: FormerValue) {
    entries.append(.write(object, slot, former))
  }
  func willDelete(_ object: ManagedObject) { entries.append(.delete(object)) }

  /// The changes as words.
  var words: [String] {
    entries.map {
      switch $0 {
      case .insert(let object): "insert \(object.entityName)"
      case .write(let object, let slot, let former):
        "\(object.runtime.layout.attributes[slot].name): \(former.cell.map { "\($0)" } ?? "row")"
          + (former.decoded.map { " \($0.value == nil ? "nil" : "decoded")" } ?? "")
      case .delete(let object): "delete \(object.entityName)"
      }
    }
  }
}

@Suite("The recorder of changes")
struct ChangeRecorderTests {
  @Test("it receives each insert, write and deletion, with the former value")
  func receives() throws {
    let context = try TestStore(.memory).atelier().makeContext()
    let painter = Painter(context: context, name: "Berthe")
    try context.save()
    let journal = Journal()
    context.state.recorder = journal
    painter.prizes = 1
    painter.prizes = 2
    let new = Painter(context: context)
    new.name = "Édouard"
    painter.setPrimitiveValue(Int16(7), forSlot: "prizes")
    context.delete(painter)
    #expect(
      journal.words == [
        "prizes: row", "prizes: integer(1)", "insert Painter", "name: row", "delete Painter",
      ])
  }

  @Test("it receives the decoded value of a transformable")
  func transformable() throws {
    let context = try TestStore(.memory).atelier().makeContext()
    let pigment = Pigment(context: context, name: "Ultramarine")
    pigment.color = SerializableColor(red: 0, green: 0, blue: 1)
    try context.save()
    _ = pigment.color
    let journal = Journal()
    context.state.recorder = journal
    pigment.color = nil
    pigment.color = SerializableColor(red: 1, green: 0, blue: 0)
    #expect(journal.words == ["color: row decoded", "color: null nil"])
  }

  @Test("objects that have changes already are recorded, and none after it was removed")
  func installing() throws {
    let context = try TestStore(.memory).atelier().makeContext()
    let painter = Painter(context: context, name: "Berthe")
    let journal = Journal()
    context.state.recorder = journal
    painter.prizes = 1
    #expect(journal.words == ["prizes: integer(0)"])
    context.state.recorder = nil
    painter.prizes = 2
    #expect(journal.words.count == 1)
    try context.save()
    painter.prizes = 3
    #expect(journal.words.count == 1 && painter.flags.isDisjoint(with: .recorded))
  }

  @Test("a fetch, a refresh, a rollback and a save are no writes")
  func noWrites() throws {
    let context = try TestStore(.memory).atelier().makeContext()
    let painter = Painter(context: context, name: "Berthe")
    let journal = Journal()
    context.state.recorder = journal
    try context.save()
    try context.refresh(painter, mergeChanges: false)
    _ = try context.fetch(Painter.self)
    painter.prizes = 1
    context.rollback()
    #expect(journal.words == ["prizes: row"])
  }
}

extension ManagedObject {
  fileprivate func setPrimitiveValue(_ value: Any?, forSlot name: String) {
    try? setPrimitiveValue(value, forKey: name)
  }
}
