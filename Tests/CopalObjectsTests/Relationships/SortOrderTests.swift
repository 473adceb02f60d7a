import CopalTestSupport
import Foundation
import Testing

@testable import Copal
@testable import CopalObjects

@Suite("The sort order of a relationship")
struct SortOrderTests {
  /// The order that a relationship keeps, if it is known. Each sort makes a new one; a changed
  /// member only gets its place.
  private func kept(
    _ name: String, of owner: ManagedObject, _ context: ManagedObjectContext
  ) throws -> SortedMembers? {
    let relationship = try #require(owner.runtime.relationship(named: name))
    return SortOrder(context.state, relationship, of: owner).current()
  }

  @Test("a loop over positions sorts once for each change", arguments: bothStores)
  func once(_ kind: StoreKind) throws {
    let container = try TestStore(kind).catalog()
    let writer = container.makeContext()
    let dish = Dish(context: writer, name: "salad")
    for number in 0..<300 {
      let note = Note(context: writer, text: "\(number % 7)")
      note.rank = Int64(number * 37 % 101)
      note.dish = dish
    }
    try writer.save()
    let context = container.makeContext()
    let read = try #require(try context.fetch(Dish.self).first)
    func sorted() -> [Note] {
      Array(read.notes).sorted {
        ($1.rank ?? -1, $0.text, $0.objectID.key) < ($0.rank ?? -1, $1.text, $1.objectID.key)
      }
    }
    func looped() -> [Note] { read.notes.indices.map { read.notes[$0] } }
    #expect(looped() == sorted())
    let first = try #require(try kept("notes", of: read, context))
    #expect(looped() == sorted() && read.notes.firstIndex(of: looped()[7]) == 7)
    #expect(read.notes.last === looped().last)
    #expect(try kept("notes", of: read, context) === first)

    read.notes[3].rank = 1
    #expect(looped() == sorted())
    #expect(try kept("notes", of: read, context) === first)
    let last = Note(context: context, text: "a")
    (last.rank, last.dish) = (-1, read)
    #expect(read.notes.last === last && looped() == sorted())
    last.dish = nil
    #expect(looped() == sorted())
    #expect(try kept("notes", of: read, context) === first)
    // Many changes at once.
    for note in looped() { note.rank = -(note.rank ?? 0) }
    #expect(looped() == sorted())
    let second = try kept("notes", of: read, context)
    #expect(second != nil && second !== first)

    // A save changes neither the members nor their values. The notes are held, so that the context
    // does not release them.
    let notes = looped()
    read.name = "soup"
    try context.save()
    #expect(looped() == notes)
    #expect(try kept("notes", of: read, context) === second)
  }

  @Test("an attribute that the order does not use keeps the order", arguments: bothStores)
  func otherAttribute(_ kind: StoreKind) throws {
    let context = try TestStore(kind).catalog().makeContext()
    let season = Season(context: context, name: "summer")
    for name in ["b", "c", "a"] { season.dishes.insert(Dish(context: context, name: name)) }
    #expect(season.dishes.map(\.name) == ["c", "b", "a"])
    let first = try kept("dishes", of: season, context)
    for index in season.dishes.indices { season.dishes[index].code = UUID() }
    #expect(try first != nil && kept("dishes", of: season, context) === first)
    season.dishes[1].name = "d"
    #expect(season.dishes[0].name == "d" && season.dishes[2].name == "a")
    season.dishes.insert(Dish(context: context, name: "bb"))
    #expect(season.dishes[2].name == "bb")
    #expect(try kept("dishes", of: season, context) === first)
  }

  @Test("keys in chunks are the same as a sorted array, whatever is inserted and removed")
  func chunks() {
    var random = SplitMix(seed: 7)
    let sorted = SortedMembers()
    // Each key is its own value, so the numbers between them are free.
    var plain = Array(stride(from: 0, to: 20_000, by: 10)) as [Int64]
    sorted.set(ContiguousArray(plain))
    for step in 0..<6000 {
      // First mostly new keys, so that chunks are divided, and then fewer and fewer.
      let isNew = Int.random(in: 0..<6000, using: &random) > step
      let key =
        isNew
        ? Int64.random(in: -5...20_005, using: &random) : plain.randomElement(using: &random) ?? 0
      if let place = plain.firstIndex(of: key) {
        plain.remove(at: place)
        sorted.remove(key)
      } else {
        plain.insert(key, at: plain.firstIndex { $0 > key } ?? plain.count)
        sorted.insert(key) { $0 < key }
      }
      if step % 100 == 0 {
        #expect(sorted.keys.elementsEqual(plain) && sorted.count == plain.count)
        #expect(sorted.key(at: plain.count / 3) == (plain.isEmpty ? nil : plain[plain.count / 3]))
      }
    }
    for key in plain.shuffled(using: &random) { sorted.remove(key) }
    #expect(sorted.keys.isEmpty && sorted.key(at: 0) == nil)
    sorted.insert(3) { $0 < 3 }
    #expect(sorted.keys == [3])
  }

  @Test("objects that a relationship keeps in an order can be released", arguments: bothStores)
  func release(_ kind: StoreKind) throws {
    let container = try TestStore(kind).catalog()
    let writer = container.makeContext()
    let dish = Dish(context: writer, name: "salad")
    for number in 0..<5 { Note(context: writer, text: "\(number)").dish = dish }
    try writer.save()
    let context = container.makeContext()
    let read = try #require(try context.fetch(Dish.self).first)
    weak let note = read.notes[2]
    #expect(note?.text == "2")
    context.state.sweep()
    #expect(note == nil)
    let written = try #require(writer.fetch(Note.self).first { $0.text == "2" })
    written.text = "9"
    try writer.save()
    #expect(read.notes.indices.map { read.notes[$0].text } == ["0", "1", "3", "4", "9"])
  }

  @Test("positions out of range and an owner without objects", arguments: bothStores)
  func bounds(_ kind: StoreKind) throws {
    let context = try TestStore(kind).catalog().makeContext()
    let dish = Dish(context: context, name: "salad")
    #expect(dish.notes.first == nil && dish.notes.indices.isEmpty)
    let note = Note(context: context, text: "a")
    dish.notes.insert(note)
    #expect(dish.notes[0] === note)
    context.delete(dish)
    #expect(dish.notes.first == nil && dish.notes.indices.isEmpty)
  }

  @Test("positions follow random changes of two contexts", arguments: bothStores)
  func random(_ kind: StoreKind) async throws {
    for seed in 1...40 as ClosedRange<UInt64> {
      await Task.yield()
      var run = try SortRun(TestStore(kind).catalog(), seed: seed)
      for _ in 0..<60 { try run.step() }
    }
  }
}

/// Random changes of objects in two relationships with a sort order: the notes of dishes, and the
/// dishes of seasons.
private struct SortRun {
  private let context: ManagedObjectContext
  private let other: ManagedObjectContext
  private let seasons: [Season]
  private let dishes: [Dish]
  private var held: [ManagedObject] = []
  private var random: SplitMix
  private var log: [String] = []

  init(_ container: PersistentContainer, seed: UInt64) throws {
    context = container.makeContext()
    other = container.makeContext()
    random = SplitMix(seed: seed)
    let context = context
    seasons = ["summer", "winter"].map { Season(context: context, name: $0) }
    dishes = (0..<4).map { Dish(context: context, name: "\($0)") }
    for number in 0..<8 {
      Note(context: context, text: "\(number % 3)").dish = dishes[number % 4]
      seasons[number % 2].dishes.insert(dishes[number % 4])
    }
    try context.save()
    log.append("seed \(seed)")
  }

  private mutating func note() throws -> Note? {
    try context.fetch(Note.self).randomElement(using: &random)
  }

  private mutating func dish() -> Dish { dishes[Int.random(in: 0..<4, using: &random)] }

  private mutating func season() -> Season { seasons[Int.random(in: 0..<2, using: &random)] }

  private mutating func number() -> Int64 { Int64.random(in: 0..<5, using: &random) }

  mutating func step() throws {
    let kind = Int.random(in: 0..<21, using: &random)
    log.append("\(kind)")
    switch kind {
    case 0...2: try note()?.rank = Bool.random(using: &random) ? number() : nil
    case 3: try note()?.text = "\(number())"
    case 4: try note()?.setPrimitiveValue(number(), forKey: "rank")
    case 5:
      let new = Note(context: context, text: "\(number())")
      new.dish = dish()
      held.append(new)
    case 6: try note()?.dish = dish()
    case 7: if let note = try note() { note.dish?.notes.remove(note) }
    case 8: if let note = try note() { context.delete(note) }
    case 9: dish().name = "\(number())"
    case 10: season().dishes.insert(dish())
    case 11: season().dishes.remove(dish())
    case 12...13:
      // The other context may have changed an object.
      do { try context.save() } catch { context.rollback() }
    case 14: context.rollback()
    case 15: try changeElsewhere()
    case 16:
      if let note = try note() {
        try? context.refresh(note, mergeChanges: Bool.random(using: &random))
      }
    case 17: context.refreshAllObjects()
    case 18:
      var request = Note.fetchRequest()
      request.refreshesObjects = true
      held = try context.fetch(request)
    case 19:
      held = []
      context.state.sweep()
    default: try context.refresh(dish(), mergeChanges: Bool.random(using: &random))
    }
    // Not after each step, so that orders meet several changes.
    if Bool.random(using: &random) { try check() }
  }

  private mutating func changeElsewhere() throws {
    other.refreshAllObjects()
    guard let note = try other.fetch(Note.self).randomElement(using: &random) else { return }
    note.rank = number()
    note.text = "\(number())"
    try other.save()
  }

  private func check() throws {
    func fail(_ words: String) { Issue.record("\(words) after \(log.joined(separator: " "))") }
    for dish in dishes where !dish.isDeleted {
      let notes = dish.notes.indices.map { dish.notes[$0] }
      let values = notes.map { ($0.rank ?? .min, $0.text) }
      for (a, b) in zip(values, values.dropFirst()) where (b.0, a.1) > (a.0, b.1) {
        fail("\(a) is before \(b)")
      }
      let expected = try context.fetch(Note.self).filter { $0.dish === dish }
      if Set(notes) != Set(expected) || notes.count != expected.count { fail("other notes") }
    }
    for season in seasons {
      let names = season.dishes.indices.map { season.dishes[$0].name }
      if names != names.sorted(by: >) { fail("the dishes are \(names)") }
    }
    for problem in context.graphProblems { fail(problem) }
  }
}
