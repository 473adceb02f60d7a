import Copal
import CopalColor
import CopalTestSupport
import Foundation
import Testing

@Suite("Transformers in a store")
struct TransformerTests {
  @Test("row 24: a transformer can store a value as TEXT, INTEGER, REAL or BLOB", .modelAsIs)
  func storedForms() throws {
    let store = try TestStore()
    let container = try store.studio()
    let context = container.makeContext()
    let sample = Sample(context: context)
    sample.finish = .satin
    sample.grade = Grade(number: -7)
    sample.weight = Weight(grams: 0.1)
    sample.recipe = Recipe(text: "oil")
    try context.save()
    #expect(
      try store.sqlite3(
        "SELECT typeof(finish), finish, typeof(grade), grade, typeof(weight), weight, typeof(recipe), CAST(recipe AS TEXT) FROM Sample"
      ) == "text|satin|integer|-7|real|0.1|blob|oil")
  }

  @Test("a transformed value is read back from each storage class", arguments: bothStores)
  func roundTrip(_ kind: StoreKind) throws {
    let container = try TestStore(kind).studio()
    let context = container.makeContext()
    let sample = Sample(context: context)
    sample.finish = .gloss
    sample.grade = Grade(number: .min)
    sample.weight = Weight(grams: .leastNonzeroMagnitude)
    sample.recipe = Recipe(text: "")
    try context.save()
    let found = try #require(try container.makeContext().fetch(Sample.self).first)
    #expect(found.finish == .gloss && found.grade == Grade(number: .min))
    #expect(found.weight == Weight(grams: .leastNonzeroMagnitude))
    #expect(found.recipe == Recipe(text: "") && found.nickname == nil)
  }

  @Test(
    "row 41: stored colors keep their bits, and arrays their order; an empty array is not nil",
    arguments: bothStores)
  func colors(_ kind: StoreKind) throws {
    let container = try TestStore(kind).atelier()
    let context = container.makeContext()
    let rainbow: [SerializableColor] = [.red, .yellow, .orange, .green, .blue]
    let palettes = [rainbow, [], nil]
    for palette in palettes {
      Painting(context: context, widthMillimetres: 1, heightMillimetres: 1).palette = palette
    }
    let odd = try SerializableColor(
      colorSpace: ColorSpace(rawValue: 7), components: [-0.5, .leastNonzeroMagnitude, 3, 0.1])
    Pigment(context: context, name: "From a newer version").color = odd
    try context.save()
    let other = container.makeContext()
    #expect(try other.fetch(Painting.self).map(\.palette) == palettes)
    let pigment = try #require(try other.fetch(Pigment.self).first)
    #expect(pigment.color == odd)
    pigment.opacity = 0.5
    try other.save()
    #expect(try container.makeContext().fetch(Pigment.self).first?.color == odd)
  }

  @Test(
    "row 15: after a save a property has the value that its transformer has normalized",
    arguments: bothStores)
  func normalizing(_ kind: StoreKind) throws {
    let container = try TestStore(kind).studio()
    let context = container.makeContext()
    let sample = Sample(context: context)
    sample.nickname = "rose madder"
    #expect(sample.nickname == "rose madder")
    try context.save()
    #expect(sample.nickname == "Rose Madder")
    #expect(try container.makeContext().fetch(Sample.self).first?.nickname == "Rose Madder")
    sample.nickname = "rose MADDER"
    #expect(sample.changedValues().isEmpty)
  }

  @Test(
    "row 26: a value that cannot be encoded makes the save fail, naming the attribute, and nothing is written",
    arguments: bothStores)
  func encoding(_ kind: StoreKind) throws {
    let container = try TestStore(kind).studio()
    let context = container.makeContext()
    let (first, second) = (Sample(context: context), Sample(context: context))
    first.recipe = Recipe(text: "oil")
    try context.save()
    first.recipe = Recipe(text: "unwritable")
    second.label = "also changed"
    let new = Sample(context: context)
    new.recipe = Recipe(text: "unwritable")
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(error?.code == .saveFailed && error?.causeCodes == [.encodeFailed, .encodeFailed])
    let cause = try #require(error?.firstCause)
    #expect(cause.entity == "Sample" && cause.property == "recipe")
    #expect(cause.objectID == first.objectID && cause.found == "RecipeTransformer")
    #expect(cause.causes.first is Unwritable)
    let stored = try container.makeContext().fetch(Sample.self)
    #expect(stored.map(\.recipe) == [Recipe(text: "oil"), nil])
    #expect(stored.map(\.label) == [nil, nil])
    #expect(first.recipe == Recipe(text: "unwritable") && new.isInserted)
    first.recipe = Recipe(text: "egg")
    new.recipe = nil
    try context.save()
    #expect(
      try container.makeContext().fetch(Sample.self).map(\.recipe) == [
        Recipe(text: "egg"), nil, nil,
      ])
  }

  /// Stores bytes that can be encoded and not decoded.
  private func damaged(_ kind: StoreKind) throws -> (
    PersistentContainer, Sample, ManagedObjectContext
  ) {
    let container = try TestStore(kind).studio()
    let filling = container.makeContext()
    let sample = Sample(context: filling)
    (sample.label, sample.recipe) = ("kept", Recipe(text: "unreadable"))
    sample.finish = .matt
    try filling.save()
    let context = container.makeContext()
    return (container, try #require(try context.fetch(Sample.self).first), context)
  }

  @Test(
    "row 25: bytes that cannot be decoded read as nil and are reported once; other properties are readable",
    arguments: bothStores)
  func decoding(_ kind: StoreKind) throws {
    let (_, sample, context) = try damaged(kind)
    var reported: [PersistenceError] = []
    context.readFailureHandler = { reported.append($0) }
    #expect(sample.recipe == nil && sample.recipe == nil)
    #expect(sample.label == "kept" && sample.finish == .matt)
    #expect(reported.map(\.code) == [.decodeFailed])
    #expect(reported.first?.property == "recipe" && reported.first?.objectID == sample.objectID)
    let error = #expect(throws: PersistenceError.self) {
      try sample.value(of: "recipe", as: Recipe.self)
    }
    #expect(error?.code == .decodeFailed && error?.expected == "10 bytes")
    #expect(error?.found == "RecipeTransformer" && error?.causes.first is Unreadable)
    #expect(reported.count == 1 && !context.hasChanges)
  }

  @Test(
    "bytes that cannot be decoded stay unchanged in a save of another attribute, until they are replaced",
    arguments: bothStores)
  func untouched(_ kind: StoreKind) throws {
    let (container, sample, context) = try damaged(kind)
    #expect(sample.recipe == nil)
    sample.label = "changed"
    try context.save()
    let again = try #require(try container.makeContext().fetch(Sample.self).first)
    #expect(again.label == "changed")
    #expect(throws: PersistenceError.self) { try again.value(of: "recipe", as: Recipe.self) }
    sample.recipe = Recipe(text: "egg")
    try context.save()
    #expect(try sample.value(of: "recipe", as: Recipe.self) == Recipe(text: "egg"))
    #expect(try container.makeContext().fetch(Sample.self).first?.recipe == Recipe(text: "egg"))
  }

  @Test("setting nil over bytes that cannot be decoded is a change", arguments: bothStores)
  func nilOverDamage(_ kind: StoreKind) throws {
    let (container, sample, context) = try damaged(kind)
    #expect(sample.recipe == nil)
    sample.recipe = nil
    try context.save()
    #expect(try container.makeContext().count(Sample.self) { $0.recipe == nil } == 1)
  }

  @Test(
    "a value of another storage class is reported as a type mismatch and not changed", .modelAsIs)
  func foreign() throws {
    let store = try TestStore()
    let container = try store.studio()
    let filling = container.makeContext()
    let sample = Sample(context: filling)
    (sample.label, sample.finish) = ("kept", .matt)
    try filling.save()
    _ = try store.sqlite3("UPDATE Sample SET finish = x'00ff', copal_version = 2")
    let context = container.makeContext()
    let found = try #require(try context.fetch(Sample.self).first)
    #expect(found.finish == nil && found.label == "kept")
    let error = #expect(throws: PersistenceError.self) {
      try found.value(of: "finish", as: Finish.self)
    }
    #expect(error?.code == .typeMismatch && error?.found == "a BLOB" || error?.found == "BLOB")
    found.label = "changed"
    try context.save()
    #expect(try store.sqlite3("SELECT hex(finish), label FROM Sample") == "00FF|changed")
  }
}
