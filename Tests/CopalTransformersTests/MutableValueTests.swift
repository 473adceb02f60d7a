import Copal
import CopalTestSupport
import Foundation
import Testing

/// A list that changes in place.
final class PaintList {
  var names: [String]
  init(_ names: [String]) { self.names = names }
}

/// Stores a list of paints, but not one without names.
private struct PaintListTransformer: AttributeTransformer {
  struct NoPaint: Error {}
  func encode(_ list: PaintList) throws -> String {
    if list.names.isEmpty { throw NoPaint() }
    return list.names.joined(separator: ",")
  }
  func decode(_ stored: String) -> PaintList {
    PaintList(stored.split(separator: ",").map(String.init))
  }
}

@Suite("Values that change in place")
struct MutableValueTests {
  /// A container with one mixture of umber and ocher.
  private func container(_ store: TestStore) throws -> PersistentContainer {
    let container = try store.container(.mixtures, transformers: [PaintListTransformer()])
    let context = container.makeContext()
    let mixture = Mixture(context: context)
    mixture.paints = PaintList(["umber", "ocher"])
    mixture.others = PaintList(["umber"])
    try context.save()
    return container
  }

  private func stored(_ container: PersistentContainer) throws -> [[String]?] {
    try container.makeContext().fetch(Mixture.self).map { $0.paints?.names }
  }

  @Test(
    "a save writes a value that has changed in place, if its attribute is mutable",
    arguments: StoreKind.allCases)
  func changed(_ kind: StoreKind) throws {
    let container = try container(try TestStore(kind))
    let context = container.makeContext()
    let mixture = try #require(try context.fetch(Mixture.self).first)
    mixture.paints?.names.append("lead white")
    mixture.others?.names.append("lead white")
    #expect(!context.hasChanges)
    try context.save()
    #expect(try stored(container) == [["umber", "ocher", "lead white"]])
    #expect(try container.makeContext().fetch(Mixture.self).map { $0.others?.names } == [["umber"]])
    // Again after the save, with the value that the property then has.
    mixture.paints?.names.removeFirst()
    try context.save()
    #expect(try stored(container) == [["ocher", "lead white"]])
  }

  @Test("a save of values that were only read writes nothing")
  func unchanged() throws {
    let store = try TestStore()
    let context = try container(store).makeContext()
    let mixture = try #require(try context.fetch(Mixture.self).first)
    #expect(mixture.paints?.names.count == 2)
    let statements = try store.recorder.statements(of: { try context.save() })
    #expect(statements == [])
  }

  @Test(
    "a change in place and a change of another attribute are saved together, with the hooks and rules of a change"
  )
  func together() throws {
    let store = try TestStore()
    let container = try container(store)
    let context = container.makeContext()
    let mixture = try #require(try context.fetch(Mixture.self).first)
    mixture.paints?.names = ["bone black"]
    mixture.label = "dark"
    try context.save()
    #expect(try stored(container) == [["bone black"]])
  }

  @Test("a value that cannot be encoded any more fails the save, and the row stays")
  func failing() throws {
    let container = try container(try TestStore())
    let context = container.makeContext()
    let mixture = try #require(try context.fetch(Mixture.self).first)
    mixture.paints?.names = []
    let error = try #require(throws: PersistenceError.self) { try context.save() }
    #expect((error.causes.first as? PersistenceError)?.code == .encodeFailed)
    #expect(try stored(container) == [["umber", "ocher"]])
    context.rollback()
    #expect(mixture.paints?.names == ["umber", "ocher"])
  }

  @Test(
    "rollback and refresh without merging discard a change in place; refresh with merging keeps it")
  func discarded() throws {
    let container = try container(try TestStore())
    let context = container.makeContext()
    let mixture = try #require(try context.fetch(Mixture.self).first)
    mixture.paints?.names.append("a")
    context.rollback()
    #expect(mixture.paints?.names == ["umber", "ocher"])
    mixture.paints?.names.append("b")
    try context.refresh(mixture, mergeChanges: false)
    #expect(mixture.paints?.names == ["umber", "ocher"])
    mixture.paints?.names.append("c")
    try context.refresh(mixture, mergeChanges: true)
    try context.save()
    #expect(try stored(container) == [["umber", "ocher", "c"]])
    mixture.paints?.names.append("d")
    context.refreshAllObjects()
    try context.save()
    #expect(try stored(container) == [["umber", "ocher", "c", "d"]])
  }

  @Test("two contexts that change one value in place conflict, as for any attribute")
  func conflict() throws {
    let container = try container(try TestStore())
    let (first, second) = (container.makeContext(), container.makeContext())
    let a = try #require(try first.fetch(Mixture.self).first)
    let b = try #require(try second.fetch(Mixture.self).first)
    a.paints?.names.append("a")
    b.paints?.names.append("b")
    try first.save()
    let error = try #require(throws: PersistenceError.self) { try second.save() }
    #expect((error.causes.first as? PersistenceError ?? error).code == .conflict)
    #expect(try stored(container) == [["umber", "ocher", "a"]])
  }

  @Test(
    "objects that were read and released are forgotten, so that a long run of reads needs no more memory"
  )
  func released() throws {
    let container = try container(try TestStore(.memory))
    let context = container.makeContext()
    for _ in 0..<2000 {
      let mixture = try #require(try context.fetch(Mixture.self).first)
      #expect(mixture.paints?.names.count == 2)
      try context.refresh(mixture, mergeChanges: false)
    }
    let held = try #require(try context.fetch(Mixture.self).first)
    held.paints?.names = ["one"]
    try context.save()
    #expect(try stored(container) == [["one"]])
  }
}
