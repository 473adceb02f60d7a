import Copal
import CopalColor
import CopalTestSupport
import Foundation
import Testing

/// Mistakes of a program end it, with the culprit in the message.
@Suite("Mistakes of the program")
struct PreconditionTests {
  private func says(_ text: String, _ result: ExitTest.Result?) -> Bool {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self).contains(text)
  }

  @Test("a class of another model")
  func foreignClass() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let context = try TestStore(.memory).studio().makeContext()
      _ = Painter(context: context, name: "Rosa")
    }
    #expect(says("Painter serves no entity of the model 'Studio'", result))
  }

  @Test("deleting an object of another context")
  func delete() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let container = try TestStore(.memory).atelier()
      let (mine, other) = (container.makeContext(), container.makeContext())
      mine.delete(Painter(context: other, name: "Rosa"))
    }
    #expect(says("belongs to another context", result))
  }

  @Test("refreshing an object of another context")
  func refresh() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let container = try TestStore(.memory).atelier()
      let (mine, other) = (container.makeContext(), container.makeContext())
      try mine.refresh(Painter(context: other, name: "Rosa"), mergeChanges: true)
    }
    #expect(says("belongs to another context", result))
  }

  @Test("fulfilling an object of another context")
  func fulfill() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let container = try TestStore(.memory).atelier()
      let (mine, other) = (container.makeContext(), container.makeContext())
      try mine.fulfill(Painter(context: other, name: "Rosa"))
    }
    #expect(says("belongs to another context", result))
  }

  @Test("fulfilling several, one of another context")
  func fulfillMany() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let container = try TestStore(.memory).atelier()
      let (mine, other) = (container.makeContext(), container.makeContext())
      try mine.fulfill([
        Painter(context: mine, name: "Rosa"), Painter(context: other, name: "Berthe"),
      ])
    }
    #expect(says("belongs to another context", result))
  }

  @Test("saving in a hook of the save")
  func nestedSave() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let context = try TestStore(.memory).studio().makeContext()
      let apprentice = Apprentice(context: context, name: "Paul")
      apprentice.onWillSave = { try? context.save() }
      try context.save()
    }
    #expect(says("save() was called by a hook of a save", result))
  }

  @Test("decoding bytes with a transformer that stores something else")
  func decodeBytes() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = try [UInt8(1)].withUnsafeBytes { try GradeTransformer().decode(bytes: $0) }
    }
    #expect(says("GradeTransformer does not", result))
  }

  @Test("marking an attribute as changed that is none")
  func unknownAttribute() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let context = try TestStore(.memory).atelier().makeContext()
      Pigment(context: context, name: "Ochre").didChangeValue(forKey: "colour")
    }
    #expect(says("Pigment has no attribute 'colour'", result))
  }
}
