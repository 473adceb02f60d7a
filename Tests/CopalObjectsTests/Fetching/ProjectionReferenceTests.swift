import Copal
import CopalColor
import CopalTestSupport
import Foundation
import Testing

/// The projections of 200 colors and 200 URLs, as `Scripts/make-projection-reference` has written
/// them: from the definitions, without Copal.
@Suite("Projections, compared with Python's")
struct ProjectionReferenceTests {
  /// A color with the numbers that Python gives.
  struct Sample {
    let color: SerializableColor
    /// Lightness, chroma, hue and alpha.
    let numbers: [Double?]
  }

  static let names = ["lightness", "chroma", "hue", "alpha"]

  static func colors() throws -> [Sample] {
    try References.lines("Projections.txt").map { $0.split(separator: "\t") }
      .filter { $0[0] == "color" }
      .map { words in
        let numbers = words[2...].map { Double($0) }
        let parts = try numbers.prefix(4).map { Float(try #require($0)) }
        let color = SerializableColor(
          red: parts[0], green: parts[1], blue: parts[2], alpha: parts[3],
          colorSpace: words[1] == "sRGB" ? .sRGB : .displayP3)
        return Sample(color: color, numbers: Array(numbers[4...]) + [numbers[3]])
      }
  }

  /// The values of projections in a store, in the order of the objects.
  private func values(_ paths: [String], _ container: PersistentContainer) throws
    -> [[PropertyValue]]
  {
    var request = ValueRequest(
      entityName: "Swatch", columns: paths.map { .init($0, .property($0)) })
    request.sortKeys = [.init(.property("name"))]
    return try container.makeContext().fetchValues(request)
  }

  private func container(_ kind: StoreKind) throws -> (TestStore, PersistentContainer) {
    let store = try TestStore(kind)
    return (store, try store.container(.palette, transformers: PaletteTransformers.all))
  }

  @Test("the numbers of colors", arguments: StoreKind.allCases)
  func colors(kind: StoreKind) throws {
    let (_, container) = try container(kind)
    let context = container.makeContext()
    let samples = try Self.colors()
    #expect(samples.count == 200)
    for (number, sample) in samples.enumerated() {
      _ = Swatch(context: context, name: "\(number + 1000)", color: sample.color)
    }
    try context.save()
    let found = try values(Self.names.map { "color.\($0)" }, container)
    for (row, sample) in zip(found, samples) {
      for (place, expected) in sample.numbers.enumerated() {
        guard case .double(let number) = row[place], let expected else {
          #expect(row[place] == .null && expected == nil, "\(sample)")
          continue
        }
        let difference = abs(number - expected)
        // A hue is an angle of two small numbers near gray.
        let limit = place == 2 ? 1e-10 / max(sample.numbers[1] ?? 1, 1e-4) : 1e-12
        #expect(min(difference, abs(360 - difference)) < limit, "\(sample): \(number)")
      }
    }
  }

  @Test("the hosts and schemes of URLs", arguments: StoreKind.allCases)
  func urls(kind: StoreKind) throws {
    let (_, container) = try container(kind)
    let context = container.makeContext()
    let lines = try References.lines("Projections.txt").map { $0.split(separator: "\t") }
      .filter { $0[0] == "url" }
    #expect(lines.count == 200)
    for (number, words) in lines.enumerated() {
      let url = try #require(URL(string: String(words[1])))
      _ = Swatch(context: context, name: "\(number + 1000)", link: url)
    }
    try context.save()
    let found = try values(["link.host", "link.scheme"], container)
    for (row, words) in zip(found, lines) {
      let host: PropertyValue = words[2] == "-" ? .null : .string(String(words[2]))
      #expect(row == [host, .string(String(words[3]))], "\(words[1])")
    }
  }

  /// The number of random sequences.
  private static let sequences =
    ProcessInfo.processInfo.environment["COPAL_SEQUENCES"].flatMap(Int.init) ?? 8

  @Test("other programs write between searches and saves: a search finds what Python says")
  func sequences() throws {
    let samples = try Self.colors()
    for seed in 0..<Self.sequences {
      var sequence = try ProjectionSequence(seed: UInt64(seed), samples)
      try sequence.run()
    }
  }
}

/// Random writes by a container and by SQLite's shell, and searches between them. What they find is
/// known from a plain list of the samples that the rows have.
private struct ProjectionSequence {
  private let seed: UInt64
  private var random: SplitMix
  private let samples: [ProjectionReferenceTests.Sample]
  private let store: TestStore
  private let container: PersistentContainer
  private let context: ManagedObjectContext
  /// By name, the place of the sample; nil for none.
  private var rows: [String: Int?] = [:]
  private var count = 0

  init(seed: UInt64, _ samples: [ProjectionReferenceTests.Sample]) throws {
    self.seed = seed
    self.samples = samples
    random = SplitMix(seed: seed &+ 77)
    store = try TestStore()
    container = try store.container(.palette, transformers: PaletteTransformers.all)
    context = container.makeContext()
  }

  private mutating func sample() -> Int? {
    Int.random(in: 0..<5, using: &random) == 0
      ? nil : samples.indices.randomElement(using: &random)
  }

  private mutating func newName() -> String {
    count += 1
    return "n\(count)"
  }

  /// The stored form in SQL.
  private func literal(_ place: Int?) -> String {
    place.map { place in
      let bytes = SerializableColorTransformer().encode(samples[place].color)
      return "x'" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "'"
    } ?? "NULL"
  }

  mutating func run() throws {
    for _ in 0..<30 {
      try step()
      if Bool.random(using: &random) { try search() }
    }
    #expect(try container.check() == [], "seed \(seed)")
    try search()
    #expect(try store.sqlite3("PRAGMA integrity_check") == "ok", "seed \(seed)")
  }

  private mutating func step() throws {
    let name = rows.keys.sorted().randomElement(using: &random)
    let place = sample()
    switch (Int.random(in: 0..<8, using: &random), name) {
    case (0, let name?):
      _ = try store.sqlite3("UPDATE Swatch SET color = \(literal(place)) WHERE name = '\(name)'")
      rows[name] = .some(place)
    case (1, let name?):
      _ = try store.sqlite3(
        "REPLACE INTO Swatch (copal_id, copal_version, copal_entity, name, color) SELECT copal_id, copal_version, 'Swatch', name, \(literal(place)) FROM Swatch WHERE name = '\(name)'"
      )
      rows[name] = .some(place)
    case (2, _):
      let name = newName()
      _ = try store.sqlite3(
        "INSERT INTO Swatch (copal_version, copal_entity, name, color) VALUES (1, 'Swatch', '\(name)', \(literal(place)))"
      )
      rows[name] = .some(place)
    case (3, let name?):
      _ = try store.sqlite3("DELETE FROM Swatch WHERE name = '\(name)'")
      rows[name] = nil
    case (4, let name?):
      let bytes = place.map { SerializableColorTransformer().encode(samples[$0].color) }
      _ =
        try bytes.map {
          try context.executeUnsafe(sql: "UPDATE Swatch SET color = \($0) WHERE name = \(name)")
        } ?? context.executeUnsafe(sql: "UPDATE Swatch SET color = NULL WHERE name = \(name)")
      rows[name] = .some(place)
    case (5, let name?):
      let writer = container.makeContext()
      for swatch in try writer.fetch(Swatch.self, where: { $0.name == name }) {
        swatch.color = place.map { samples[$0].color }
      }
      try writer.save()
      rows[name] = .some(place)
    default:
      let writer = container.makeContext()
      let name = newName()
      _ = Swatch(context: writer, name: name, color: place.map { samples[$0].color })
      try writer.save()
      rows[name] = .some(place)
    }
  }

  private mutating func search() throws {
    let projection = Int.random(in: 0..<4, using: &random)
    let path = "color.\(ProjectionReferenceTests.names[projection])"
    // Between the numbers of two samples, where a last digit does not count.
    let limit =
      Double.random(in: 0...1, using: &random) * (projection == 2 ? 360 : projection == 1 ? 0.3 : 1)
    func number(_ place: Int?) -> Double? { place.flatMap { samples[$0].numbers[projection] } }
    let request = FetchRequest<Swatch>(
      predicate: .comparison(.property(path), .greater, .constant(.double(limit))),
      sortKeys: [.descending(path), .ascending("name")])
    let found = try container.makeContext().fetch(request).map(\.name)
    let expected = rows.filter { number($0.value).map { $0 > limit } ?? false }
    #expect(Set(found) == Set(expected.keys), "seed \(seed): \(path) > \(limit)")
    let numbers = found.compactMap { name in rows[name].flatMap { number($0) } }
    for (first, second) in zip(numbers, numbers.dropFirst()) {
      #expect(first > second - 1e-9, "seed \(seed): \(path)")
    }
  }
}
