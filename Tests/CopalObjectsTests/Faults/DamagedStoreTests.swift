import Copal
import CopalTestSupport
import CopalTestTools
import Foundation
import Testing

/// Damaged copies of stores. The oracle is SQLite's own check, without any code of Copal.
@Suite("A damaged file")
struct DamagedStoreTests {
  /// The number of damaged copies; 60 unless `COPAL_DAMAGE` says another one.
  private static let count =
    ProcessInfo.processInfo.environment["COPAL_DAMAGE"].flatMap(Int.init) ?? 60

  /// A store without faults, as one file.
  private struct Sample {
    let name: String
    let bytes: [UInt8]
    let open: (TestStore) throws -> PersistentContainer

    init(
      _ name: String, open: @escaping (TestStore) throws -> PersistentContainer,
      fill: (ManagedObjectContext) throws -> Void
    ) throws {
      self.name = name
      self.open = open
      let test = try TestStore()
      try { () throws in
        let context = try open(test).makeContext()
        try fill(context)
        try context.save()
      }()
      // Moves the log into the file.
      _ = try test.sqlite3("PRAGMA wal_checkpoint(TRUNCATE)")
      bytes = [UInt8](try Data(contentsOf: test.file))
    }
  }

  private static func samples() throws -> [Sample] {
    [
      try Sample("atelier", open: { try $0.atelier() }) { context in
        for number in 0..<300 {
          let painter = Painter(context: context)
          painter.name = "Painter \(number)"
          let painting = Painting(context: context)
          painting.title = String(repeating: "long ", count: number)
          (painting.widthMillimetres, painting.heightMillimetres) = (10, 20)
          let pigment = Pigment(context: context)
          (pigment.name, pigment.spectrum) = ("Pigment \(number)", Data(count: number * 20))
        }
      },
      try Sample("gallery", open: { try $0.gallery() }) { context in
        for number in 1...300 {
          let work = Work(context: context, title: "\(number)")
          work.artist = Artist(context: context, name: "\(number)")
          work.museum = Museum(context: context, name: "\(number)")
          Topic(context: context, name: "\(number)").parent = Topic(context: context, name: "up")
        }
      },
      try Sample("warehouse", open: open(Warehouse.model, "Warehouse")) { context in
        for number in 1...400 {
          let dog = try context.insert(number.isMultiple(of: 3) ? "Cat" : "Dog")
          try dog.setValue("call \(number)", forKey: "call")
          let item = try context.insert("Item")
          try item.setValue("item", forKey: "name")
          try item.setValue(Int16(7), forKey: "small")
          try item.setValue("code \(number * 7919 % 400)", forKey: "code")
          try item.setValue(Int64(number), forKey: "large")
        }
      },
      try Sample("library", open: open(library, "Library")) { context in
        for number in 1...400 {
          try context.insert("Book").setValue("Title \(number * 7919 % 400)", forKey: "title")
        }
      },
      // Almost nothing but pages of one table.
      try Sample("notes", open: open(notes, "Notes")) { context in
        for number in 1...200 {
          let text = String(repeating: "\(number) ", count: 300)
          try context.insert("Note").setValue(text, forKey: "text")
        }
      },
    ]
  }

  private static let library = """
    { "copal": 1, "model": "Library", "entities": { "Book": { "codegen": "none", "attributes": {
      "title": { "type": "string", "search": ["normalized", "substring"] } } } } }
    """
  private static let notes = """
    { "copal": 1, "model": "Notes", "entities": { "Note": { "codegen": "none", "attributes": {
      "text": "string?" } } } }
    """

  private static func open(_ json: String, _ name: String) -> (TestStore) throws
    -> PersistentContainer
  {
    { test in
      try PersistentContainer(
        model: ModelBinding(name: name, json: json, classes: []), store: test.configuration())
    }
  }

  private static func damage(_ bytes: inout [UInt8], _ random: inout SplitMix) -> String {
    let size = 4096
    let pages = bytes.count / size
    func page() -> Int { Int.random(in: 0..<pages, using: &random) * size }
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      let count = Int.random(in: 1...8, using: &random)
      for _ in 0..<count {
        bytes[Int.random(in: bytes.indices, using: &random)] ^=
          UInt8.random(in: 1...255, using: &random)
      }
      return "\(count) bytes"
    case 1:
      let (one, other) = (page(), page())
      for place in 0..<size { bytes.swapAt(one + place, other + place) }
      return "the pages at \(one) and \(other)"
    case 2:
      let start = Int.random(in: bytes.indices, using: &random)
      let end = min(bytes.count, start + Int.random(in: 1...2 * size, using: &random))
      for place in start..<end { bytes[place] = 0 }
      return "zeros from \(start) to \(end)"
    default:
      // The head of a page and its list of cells.
      let start = page()
      bytes[start + Int.random(in: 0..<40, using: &random)] ^=
        UInt8.random(in: 1...255, using: &random)
      return "the head of the page at \(start)"
    }
  }

  /// What a container says of a file; nil for nothing.
  private static func words(_ sample: Sample, _ test: TestStore) throws -> String? {
    do {
      let container = try sample.open(test)
      return try container.check(.everything).first?.description
    } catch let error as PersistenceError {
      return error.code.rawValue
    }
  }

  @Test(
    "M1: at least 95 % of the damage that SQLite finds is named by opening and by the check",
    .modelAsIs)
  func named() throws {
    let samples = try Self.samples()
    var (damaged, named) = (0, 0)
    var silent: [String] = []
    for number in 0..<Self.count {
      var random = SplitMix(seed: UInt64(number))
      let sample = samples[number % samples.count]
      let test = try TestStore()
      test.allowsDamage()
      var bytes = sample.bytes
      let change = Self.damage(&bytes, &random)
      try Data(bytes).write(to: test.file)
      let oracle = StoreFile(test.file).problems(.integrity, isImmutable: true)
      let words = try Self.words(sample, test)
      if oracle.isEmpty { continue }
      damaged += 1
      if words != nil {
        named += 1
      } else {
        silent.append("\(number), \(sample.name), \(change): \(oracle[0])")
      }
    }
    #expect(damaged >= Self.count / 4)
    #expect(Double(named) >= 0.95 * Double(damaged), "\(silent.joined(separator: "\n"))")
    if Self.count > 60 { print("damage: \(named) of \(damaged) named, of \(Self.count) copies") }
  }

  @Test("the files from which damaged copies are made have no problem", .modelAsIs)
  func sound() throws {
    for sample in try Self.samples() {
      let test = try TestStore()
      try Data(sample.bytes).write(to: test.file)
      #expect(StoreFile(test.file).problems(.integrity, isImmutable: true) == [])
      #expect(try sample.open(test).check(.everything) == [], "\(sample.name)")
    }
  }
}
