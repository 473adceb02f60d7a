import Copal
import CopalTestSupport
import Foundation
import Testing

@Suite("Ready transformers")
struct ReadyTransformerTests {
  @Test("row 28: each value is read back as it was saved", arguments: StoreKind.allCases)
  func roundTrip(_ kind: StoreKind) throws {
    let store = try TestStore(kind)
    let container = try store.shelf()
    let context = container.makeContext()
    let scan = Scan(
      taken: Date(timeIntervalSinceReferenceDate: 0.1), pixels: Data([0, 255]), levels: ["é": 1])
    let recipe = Recipe(title: "Ultramarin „dunkel“ / 2", parts: ["oil": 0.1, "wax": .infinity])
    let tube = Tube(context: context)
    tube.finish = .gloss
    tube.grade = .conservator
    tube.techniques = [.oil, Techniques(rawValue: 1 << 63)]
    tube.batch = BatchNumber(number: 12, year: 2026)
    tube.recipe = recipe
    tube.scan = scan
    tube.finishes = [.matt, .gloss, .matt]
    tube.suits = [.satin, .matt]
    tube.notes = [3: recipe, -1: Recipe(title: "", parts: [:])]
    try context.save()

    let found = try #require(try container.makeContext().fetch(Tube.self).first)
    #expect(found.finish == .gloss && found.grade == .conservator)
    #expect(found.techniques == [.oil, Techniques(rawValue: 1 << 63)])
    #expect(found.batch == BatchNumber(number: 12, year: 2026))
    #expect(found.recipe == recipe && found.scan == scan)
    #expect(found.finishes == [.matt, .gloss, .matt] && found.suits == [.satin, .matt])
    #expect(found.notes == [3: recipe, -1: Recipe(title: "", parts: [:])])
    #expect(store.takeReadFailures().isEmpty)
  }

  @Test("row 24: other programs read raw values, texts and JSON in the columns", .modelAsIs)
  func columns() throws {
    let store = try TestStore()
    let context = try store.shelf().makeContext()
    let tube = Tube(context: context)
    tube.finish = .satin
    tube.grade = .conservator
    tube.techniques = [.oil, .tempera]
    tube.batch = BatchNumber(number: 7, year: 2025)
    tube.recipe = Recipe(title: "a/b", parts: ["b": .nan, "a": 0.25])
    try context.save()
    #expect(
      try store.sqlite3("SELECT finish, grade, techniques, batch, recipe FROM Tube")
        == #"satin|-3|3|7/2025|{"parts":{"a":0.25,"b":"NaN"},"title":"a/b"}"#)
    #expect(
      try store.sqlite3(
        "SELECT typeof(finish), typeof(grade), typeof(batch), typeof(recipe) FROM Tube")
        == "text|integer|text|text")
  }

  @Test("row 31: an empty collection is a value, and not nil", arguments: StoreKind.allCases)
  func emptyCollections(_ kind: StoreKind) throws {
    let container = try TestStore(kind).shelf()
    let context = container.makeContext()
    let tube = Tube(context: context)
    (tube.finishes, tube.suits, tube.notes) = ([], [], [:])
    _ = Tube(context: context)
    try context.save()
    let found = try container.makeContext().fetch(Tube.self)
    #expect(found.map(\.finishes) == [[], nil] && found.map(\.suits) == [[], nil])
    #expect(found.map(\.notes) == [[:], nil])
  }

  @Test(
    "equal sets, dictionaries and Codable values have equal bytes, whatever the order of their hashes"
  )
  func stableForms() throws {
    let suits = SetTransformer("S", of: RawValueTransformer<Finish>("F"))
    let scans = PropertyListTransformer<Scan>("P")
    let notes = DictionaryTransformer<String, _>("D", of: LosslessStringTransformer<Int>("I"))
    let levels = Dictionary(uniqueKeysWithValues: (0..<50).map { ("level \($0)", $0) })
    func rebuilt<Key: Hashable, Value>(_ values: [Key: Value]) -> [Key: Value] {
      // Another capacity gives another order.
      var copy = [Key: Value](minimumCapacity: 1000)
      for (key, value) in values { copy[key] = value }
      return copy
    }
    let scan = Scan(taken: .distantPast, pixels: Data(), levels: levels)
    var other = scan
    other.levels = rebuilt(levels)
    #expect(try scans.encode(scan) == scans.encode(other))
    #expect(try notes.encode(levels) == notes.encode(rebuilt(levels)))
    var many = Set<Finish>(minimumCapacity: 500)
    for finish in Finish.allCases.reversed() { many.insert(finish) }
    #expect(try suits.encode(Set(Finish.allCases)) == suits.encode(many))
  }

  @Test("a save of an equal value writes nothing")
  func equalValues() throws {
    let store = try TestStore()
    let context = try store.shelf().makeContext()
    let tube = Tube(context: context)
    let notes = Dictionary(
      uniqueKeysWithValues: (0..<20).map { ($0, Recipe(title: "\($0)", parts: [:])) })
    tube.notes = notes
    try context.save()
    tube.notes = notes.filter { _ in true }
    let statements = try store.recorder.statements(of: { try context.save() })
    #expect(statements.filter { $0.hasPrefix("UPDATE") }.isEmpty)
  }

  /// A statement that damages a column, the error that the attribute then gives, and the part of
  /// its text.
  static let damages: [(set: String, attribute: String, code: PersistenceError.Code?)] = [
    ("finish = 'velvet'", "finish", .unknownRawValue),
    ("grade = 99", "grade", .unknownRawValue),
    ("grade = 99999999", "grade", .unknownRawValue),
    ("batch = 'seven'", "batch", .invalidText),
    ("recipe = '{'", "recipe", nil),
    ("recipe = ''", "recipe", nil),
    ("scan = x'00'", "scan", nil),
    ("scan = zeroblob(0)", "scan", nil),
    ("finishes = x'62706c697374'", "finishes", nil),
    ("finishes = (SELECT notes FROM Tube)", "finishes", .collectionForm),
    ("notes = (SELECT finishes FROM Tube)", "notes", .collectionForm),
    ("finishes = (SELECT scan FROM Tube)", "finishes", nil),
  ]

  @Test(
    "rows 25 and 27: a damaged value is a typed error of its attribute; the others can be read and saved, and its bytes stay",
    .modelAsIs, arguments: damages)
  func damagedValue(_ damage: (set: String, attribute: String, code: PersistenceError.Code?)) throws
  {
    let store = try TestStore()
    do {
      let context = try store.shelf().makeContext()
      let tube = Tube(context: context)
      tube.finishes = [.matt]
      tube.notes = [1: Recipe(title: "", parts: [:])]
      tube.scan = Scan(taken: .distantPast, pixels: Data(), levels: [:])
      try context.save()
    }
    _ = try store.sqlite3("UPDATE Tube SET \(damage.set)")
    let stored = try store.sqlite3("SELECT quote(\(damage.attribute)) FROM Tube")
    let context = try store.shelf().makeContext()
    let tube = try #require(try context.fetch(Tube.self).first)
    let error = try #require(throws: PersistenceError.self) {
      _ = try tube.value(of: damage.attribute, as: Any.self)
    }
    #expect(error.code == .decodeFailed && error.property == damage.attribute)
    #expect(error.objectID == tube.objectID && error.causes.count == 1)
    if let code = damage.code { #expect((error.causes.first as? PersistenceError)?.code == code) }
    tube.label = "readable"
    try context.save()
    #expect(try store.sqlite3("SELECT label FROM Tube") == "readable")
    #expect(try store.sqlite3("SELECT quote(\(damage.attribute)) FROM Tube") == stored)
    _ = store.takeReadFailures()
  }

  @Test("the error of an element has its index, and the error of the element's transformer")
  func elements() throws {
    let readers = ArrayTransformer("A", of: LosslessStringTransformer<BatchNumber>("B"))
    let texts = ArrayTransformer("A", of: LosslessStringTransformer<String>("T"))
    let error = try #require(throws: PersistenceError.self) {
      try readers.decode(texts.encode(["1/2", "x"]))
    }
    #expect(error.code == .decodedElement && error.found == "index 1")
    #expect((error.causes.first as? PersistenceError)?.code == .invalidText)
    #expect(
      "\(error)".hasPrefix(
        "the element at index 1 could not be decoded; the stored value is kept unchanged"))
    let numbers = ArrayTransformer("A", of: RawValueTransformer<Grade>("G"))
    let form = try #require(throws: PersistenceError.self) {
      try numbers.decode(texts.encode(["1"]))
    }
    #expect((form.causes.first as? PersistenceError)?.code == .collectionForm)
  }

  struct Initial: LosslessStringConvertible, Hashable {
    var name: String
    init(_ name: String) { self.name = name }
    var description: String { String(name.prefix(1)) }
  }

  @Test("two keys with one text are an error, because a value would be lost")
  func equalKeys() throws {
    let transformer = DictionaryTransformer<Initial, _>(
      "D", of: LosslessStringTransformer<Int>("I"))
    let error = try #require(throws: PersistenceError.self) {
      try transformer.encode([Initial("Anna"): 1, Initial("Ada"): 2, Initial("Bo"): 3])
    }
    #expect(error.code == .equalKeys && error.found == "index 1 in the order of the keys")
  }

  /// Property lists that claim more than they have.
  static let bombs: [(name: String, list: [UInt8])] = [
    ("not a property list", [1, 2, 3]),
    ("an array that contains itself", bomb(objects: [[0xA1, 0]])),
    ("arrays of arrays", bomb(objects: [[0xA2, 1, 1], [0xA2, 2, 2], [0xA2, 3, 3], [0x08]])),
  ]

  /// A binary property list with objects of less than 256 bytes.
  static func bomb(objects: [[UInt8]]) -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in objects {
      offsets.append(UInt8(bytes.count))
      bytes += object
    }
    let table = UInt8(bytes.count)
    bytes += offsets
    bytes += [0, 0, 0, 0, 0, 0, 1, 1]
    for number in [UInt8(objects.count), 0, table] { bytes += [0, 0, 0, 0, 0, 0, 0, number] }
    return bytes
  }

  @Test("a damaged property list is an error before Foundation sees it", arguments: bombs)
  func damagedLists(_ bomb: (name: String, list: [UInt8])) throws {
    #expect(throws: (any Error).self) {
      try PropertyListTransformer<[Scan]>("P").decode(Data(bomb.list))
    }
    #expect(throws: (any Error).self) {
      try ArrayTransformer("A", of: RawValueTransformer<Finish>("F")).decode(Data(bomb.list))
    }
  }

  @Test(
    "a transformer registered again with the same parameters is the same one, with others another one"
  )
  func registering() throws {
    let registry = TransformerRegistry()
    let finish = RawValueTransformer<Finish>("FinishTransformer")
    try registry.register(finish)
    try registry.register(RawValueTransformer<Finish>("FinishTransformer"))
    try registry.register(ArrayTransformer("Finishes", of: finish))
    try registry.register(ArrayTransformer("Finishes", of: finish))
    #expect(throws: PersistenceError.self) {
      try registry.register(SetTransformer("Finishes", of: finish))
    }
    #expect(registry.names == ["FinishTransformer", "Finishes"])
  }
}
