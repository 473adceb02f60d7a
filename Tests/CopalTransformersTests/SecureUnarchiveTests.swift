import Copal
import CopalArchive
import CopalTestSupport
import Foundation
import Synchronization
import Testing

/// A brush of an app whose module is Palette. It counts how often one is made of an archive.
struct Brush: ArchivableObject, Hashable {
  static let archivedClassName = "Palette.Brush"
  static let otherClassNames: Set<String> = ["Brush"]
  static let fieldClassNames: Set<String> = ["NSArray"]
  static let madeCount = Mutex(0)

  var name: String
  var width: Double
  var tags: [String]

  init(_ name: String, width: Double, tags: [String] = []) {
    (self.name, self.width, self.tags) = (name, width, tags)
  }

  init(archived object: ArchivedObject) throws {
    Self.madeCount.withLock { $0 += 1 }
    name = try object.string("name")
    width = try object.double("width")
    tags = try object.optionalValue("tags") ?? []
  }

  var archivedFields: [String: ArchivedValue] {
    ["name": .string(name), "width": .real(width), "tags": tags.archivedValue]
  }
}

@Suite("SecureUnarchiveTransformer", .serialized)
struct SecureUnarchiveTests {
  private let brush = Brush("Kolinsky № 8 — 貂", width: 0.1, tags: ["fine", "red"])

  private func roundTrip<Value: Archivable & Equatable>(_ value: Value) throws -> Bool {
    let transformer = SecureUnarchiveTransformer<Value>("T")
    return try transformer.decode(transformer.encode(value)) == value
  }

  @Test("row 36: every type is read back as it was archived, bit for bit")
  func values() throws {
    #expect(try roundTrip("é\0 朱") && roundTrip("") && roundTrip(true) && roundTrip(false))
    #expect(try roundTrip(Int.min) && roundTrip(Int16.max) && roundTrip(UInt64.max))
    #expect(try roundTrip(0.1) && roundTrip(-Double.infinity) && roundTrip(Float(0.1)))
    #expect(try roundTrip(Data()) && roundTrip(Data([0, 255])))
    #expect(try roundTrip(Date(timeIntervalSinceReferenceDate: 0.1)) && roundTrip(UUID()))
    #expect(try roundTrip(#require(URL(string: "https://example.org/a%20b?c#d"))))
    #expect(try roundTrip([[1, 2], []]) && roundTrip(Set(["a", "b"])) && roundTrip([String]()))
    #expect(try roundTrip(["k": [Date.distantPast]]) && roundTrip([3: "c", -1: ""]))
    #expect(try roundTrip(brush) && roundTrip([brush, brush]) && roundTrip([UUID(): brush]))
  }

  @Test("an optional value in an array is not a part of an archive; nil in a field is left out")
  func optionals() throws {
    var object = ArchivedObject(
      classNames: ["Brush"], fields: ["name": .string("b"), "width": .integer(2), "tags": .null])
    #expect(try Brush(archived: object) == Brush("b", width: 2))
    object = ArchivedObject(classNames: ["Brush"], fields: ["name": .string("b")])
    let error = try #require(throws: ArchiveError.self) { try Brush(archived: object) }
    #expect(error.code == .fieldForm && error.key == "width" && error.className == "Brush")
  }

  @Test("equal sets and dictionaries have equal bytes")
  func stableBytes() throws {
    let transformer = SecureUnarchiveTransformer<[String: Set<Int>]>("T")
    let keys = (0..<40).map { "key \($0)" }
    var other = [String: Set<Int>](minimumCapacity: 400)
    for key in keys.reversed() { other[key] = Set((0..<9).reversed()) }
    let one = Dictionary(uniqueKeysWithValues: keys.map { ($0, Set(0..<9)) })
    #expect(try transformer.encode(one) == transformer.encode(other))
  }

  /// What is archived, what is allowed, and the class and the container that the error names.
  static let refusals:
    [(value: ArchivedValue, allowed: Set<String>, found: String, isContainer: Bool)] =
      [
        (.object(ArchivedObject(classNames: ["Bomb"], fields: [:])), ["NSArray"], "Bomb", false),
        (.array([Brush("b", width: 1).archivedValue]), ["Palette.Brush"], "NSArray", true),
        (.set([.integer(1)]), ["NSArray"], "NSSet", true),
        (.dictionary([]), ["NSArray"], "NSDictionary", true),
        (
          .array([Brush("b", width: 1, tags: ["x"]).archivedValue]), ["NSArray", "NSObjects"],
          "Palette.Brush", false
        ),
        (
          .object(
            ArchivedObject(
              classNames: ["Palette.Brush"],
              fields: ["hidden": .object(ArchivedObject(classNames: ["Bomb"], fields: [:]))])),
          ["Palette.Brush"], "Bomb", false
        ),
      ]

  @Test(
    "rows 16 and 17: a class that is not allowed is refused by name, also inside of others, before anything is made",
    arguments: refusals)
  func refused(
    _ refusal: (value: ArchivedValue, allowed: Set<String>, found: String, isContainer: Bool)
  ) throws {
    let transformer = SecureUnarchiveTransformer<[Brush]>("T", allowing: refusal.allowed)
    let count = Brush.madeCount.withLock { $0 }
    let error = try #require(throws: ArchiveError.self) {
      try transformer.decode(Data(KeyedArchive.bytes(of: refusal.value)))
    }
    #expect(error.code == .classNotAllowed && error.found == refusal.found)
    #expect((error.className != nil) == refusal.isContainer)
    #expect("\(error)".contains(refusal.found))
    #expect(Brush.madeCount.withLock { $0 } == count)
  }

  @Test(
    "row 17: an array of an allowed class is read only if the array is allowed too, and the error says that the array is what is missing"
  )
  func missingContainer() throws {
    let brushes = [brush, brush]
    let stored = try SecureUnarchiveTransformer<[Brush]>("T").encode(brushes)
    func transformer(_ allowed: Set<String>) -> SecureUnarchiveTransformer<[Brush]> {
      SecureUnarchiveTransformer<[Brush]>("T", allowing: allowed)
    }
    #expect(try transformer(["NSArray", "Palette.Brush"]).decode(stored) == brushes)
    let missing = try #require(throws: ArchiveError.self) {
      try transformer(["Palette.Brush"]).decode(stored)
    }
    #expect(missing.code == .classNotAllowed)
    #expect("\(missing)".contains("NSArray") && "\(missing)".contains("Palette.Brush"))
    #expect("\(missing)".contains("collection class NSArray"), "\(missing)")
    let element = try #require(throws: ArchiveError.self) {
      try transformer(["NSArray"]).decode(stored)
    }
    #expect(element.code == .classNotAllowed && element.found == "Palette.Brush")
    #expect(!"\(element)".contains("collection"), "\(element)")
  }

  @Test(
    "an archive of another app is read by its name without a module, and by the name of a subclass")
  func otherNames() throws {
    let transformer = SecureUnarchiveTransformer<Brush>("T")
    for names in [["Brush", "NSObject"], ["FlatBrush", "Palette.Brush", "NSObject"]] {
      let object = ArchivedObject(classNames: names, fields: brush.archivedFields)
      #expect(
        try transformer.decode(Data(KeyedArchive.bytes(of: .object(object)))) == brush)
    }
    let text = try #require(throws: ArchiveError.self) {
      try transformer.decode(Data(KeyedArchive.bytes(of: .string("no brush"))))
    }
    #expect(text.code == .fieldForm && text.found == "a string")
  }

  @Test("a value that is above the limits is refused when it is saved, and not when it is read")
  func limits() throws {
    let small = SecureUnarchiveTransformer<[Int]>("T", limits: ArchiveLimits(count: 100))
    #expect(try small.decode(small.encode(Array(0..<20))).count == 20)
    #expect(throws: ArchiveError.self) { try small.encode(Array(0..<200)) }
    let long = SecureUnarchiveTransformer<[Int]>("T", limits: ArchiveLimits(count: 1 << 22))
    #expect(try long.decode(long.encode(Array(0..<200_000))).count == 200_000)
  }

  @Test(
    "row 25: a damaged archive is a typed error of its attribute, and its bytes stay", .modelAsIs)
  func damaged() throws {
    let store = try TestStore()
    func container() throws -> PersistentContainer {
      try store.container(
        .brushes,
        transformers: [
          SecureUnarchiveTransformer<Brush>("BrushTransformer"),
          SecureUnarchiveTransformer<[Brush]>("BrushesTransformer"),
        ])
    }
    do {
      let context = try container().makeContext()
      let roll = BrushRoll(context: context)
      roll.brush = brush
      roll.brushes = [brush, Brush("flat", width: 12)]
      try context.save()
    }
    let bytes = [UInt8](try SecureUnarchiveTransformer<Brush>("T").encode(brush))
    var random = SplitMix(seed: 12)
    var errors = 0
    for count in 0..<300 {
      var damaged = bytes
      for _ in 0...Int.random(in: 0...2, using: &random) {
        damaged[Int.random(in: 0..<damaged.count, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      let hex = damaged.map { String(format: "%02x", $0) }.joined()
      _ = try store.sqlite3("UPDATE BrushRoll SET brush = x'\(hex)'")
      let context = try container().makeContext()
      let roll = try #require(try context.fetch(BrushRoll.self).first)
      do {
        _ = try roll.value(of: "brush", as: Brush.self)
      } catch let error as PersistenceError {
        #expect(error.code == .decodeFailed && error.property == "brush")
        errors += 1
      }
      #expect(roll.brushes?.count == 2)
      roll.label = "saved \(count)"
      try context.save()
      #expect(try store.sqlite3("SELECT lower(hex(brush)) FROM BrushRoll") == hex)
      _ = store.takeReadFailures()
    }
    #expect(errors > 100)
  }
}
