import CopalModel
import CopalObjects
import CopalStore
import CopalTestSupport
import Foundation
import Testing

@Suite("The sentences of errors")
struct ErrorSentenceTests {
  struct TooYoung: Error, CustomStringConvertible { var description: String { "too young" } }

  private static func id(_ key: Int64) -> ManagedObjectID {
    ManagedObjectID(EntityIdentity(store: UUID(), name: "Pigment"), key)
  }

  static let sentences: [(PersistenceError, String)] = [
    (
      PersistenceError(.objectMissing, entity: "Pigment", objectID: id(1)),
      "Pigment p1 does not exist in the store any more [object.missing]"
    ),
    (
      PersistenceError(
        .objectMissing, objectID: id(1), found: "its context has ended or was reset"),
      "Pigment p1 cannot be read any more: its context has ended or was reset [object.missing]"
    ),
    (
      PersistenceError(.objectMissing, objectID: id(1)),
      "Pigment p1 does not exist in the store any more [object.missing]"
    ),
    (
      PersistenceError(
        .objectMissing, objectID: id(1), found: "its context has ended or was reset"),
      "Pigment p1 cannot be read any more: its context has ended or was reset [object.missing]"
    ),
    (
      PersistenceError(.belowMinimum, property: "price", objectID: id(1), expected: "0"),
      "Pigment.price of Pigment p1 is below its minimum of 0 [save.belowMinimum]"
    ),
    (
      PersistenceError(.objectUnsaved, entity: "Pigment", objectID: id(-3)),
      "the new Pigment t3 is not known to this context, which has never saved it, or has deleted it "
        + "since; save an object in the context that made it, then pass its permanent id [object.unsaved]"
    ),
    (
      PersistenceError(
        .validationFailed, entity: "Pigment", objectID: id(1), found: "too young",
        causes: [TooYoung()]),
      "Pigment p1 was refused by a hook of its class [save.validationFailed]\n  - too young"
    ),
    (
      PersistenceError(.validationFailed, entity: "Pigment", objectID: id(1), found: "too young"),
      "Pigment p1 is not valid: too young [save.validationFailed]"
    ),
    (
      PersistenceError(
        .uniqueConflict, entity: "Pigment", property: "name", objectID: id(2), otherID: id(1)),
      "Pigment allows each name once, and Pigment p2 has the one of Pigment p1; "
        + "change one of them and save again [save.uniqueConflict]"
    ),
    (
      PersistenceError(
        .uniqueConflict, entity: "Pigment", property: "group, select", objectID: id(2),
        otherID: id(1)),
      "Pigment allows each combination of group, select once, and Pigment p2 has the one of "
        + "Pigment p1; change one of them and save again [save.uniqueConflict]"
    ),
    (
      PersistenceError(.endlessHooks, found: "1000"),
      "the save was given up after 1000 rounds, since hooks or transformers kept making or changing "
        + "further objects; nothing was written; let them make or change an object only when that is "
        + "still needed [save.endlessHooks]"
    ),
    (
      PersistenceError(.diskFull, path: "a.sqlite"),
      "'a.sqlite' could not be written: the disk or the quota is full; "
        + "nothing was changed, make room and try again [store.diskFull]"
    ),
    (
      PersistenceError(.invalidLimit, entity: "Pigment", found: "offset -3"),
      "a fetch of Pigment has a negative offset -3; give zero or more [request.invalidLimit]"
    ),
  ]

  @Test("say what happened to what, once, and what to do", arguments: sentences)
  func sentence(error: PersistenceError, expected: String) {
    #expect(error.description == expected)
  }

  @Test("every code has a sentence of its own", arguments: PersistenceError.Code.all)
  func everyCode(code: PersistenceError.Code) {
    let sentence = PersistenceError(code, entity: "S", found: "F").description
    #expect(sentence != "S: F [\(code)]" && sentence.hasSuffix("[\(code)]"))
  }
}
