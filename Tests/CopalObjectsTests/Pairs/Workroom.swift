import Copal
import CopalTestSupport
import Foundation
import Testing

/// Names of tones, which change in place.
final class Tones {
  var names: [String]
  init(_ names: [String]) { self.names = names }
}

struct ToneTransformer: AttributeTransformer {
  func encode(_ tones: Tones) -> String { tones.names.joined(separator: ",") }
  func decode(_ stored: String) -> Tones { Tones(stored.split(separator: ",").map(String.init)) }
}

/// Works in the ordered lists of studios: a family with texts to search, unique codes, large values
/// in files, and values that change in place.
struct Workroom {
  static let model = """
    { "copal": 1, "model": "Workroom", "entities": {
      "Work": {
        "attributes": {
          "title": { "type": "string?", "search": ["normalized", "substring"] },
          "code": { "type": "string?", "search": "normalized" },
          "count": { "type": "integer", "default": 0 },
          "scan": { "type": "binary?", "external": 1000 },
          "tones": {
            "type": "transformable?", "transformer": "ToneTransformer", "class": "Tones",
            "storage": "text", "mutable": true
          }
        },
        "relationships": { "studio": { "type": "Studio?", "inverse": "works" } },
        "unique": [{ "attribute": "code", "ignoring": ["case", "diacritics"] }]
      },
      "Sculpture": { "parent": "Work", "attributes": { "weight": "double?" } },
      "Studio": {
        "attributes": { "name": "string?" },
        "relationships": {
          "works": { "type": "[Work]", "ordered": true, "inverse": "studio", "delete": "cascade" }
        }
      }
    } }
    """

  /// The entities of the family.
  static let family = ["Work", "Sculpture"]

  /// A property, with three values that have numbers.
  enum Property: String, CaseIterable, Sendable {
    case title, scan, tones

    static let titles = ["Ochre", "Úmber", "Sienna"]

    /// Gives a work a value. A value that changes in place is the same object as before.
    func set(_ number: Int, of work: ManagedObject) throws {
      switch self {
      case .title: try work.setValue(Self.titles[number], forKey: "title")
      case .scan: try work.setValue(bytes(5000, UInt8(number)), forKey: "scan")
      case .tones:
        if let tones = try work.value(of: "tones", as: Tones.self) {
          tones.names = ["\(number)"]
        } else {
          try work.setValue(Tones(["\(number)"]), forKey: "tones")
        }
      }
    }

    /// The number of the value that a work has.
    func number(of work: ManagedObject) throws -> Int? {
      switch self {
      case .title:
        try work.value(of: "title", as: String.self).flatMap { Self.titles.firstIndex(of: $0) }
      case .scan:
        try work.value(of: "scan", as: Data.self).flatMap { scan in
          (0..<3).first { bytes(5000, UInt8($0)) == scan }
        }
      case .tones:
        try work.value(of: "tones", as: Tones.self).flatMap { $0.names.first.flatMap { Int($0) } }
      }
    }
  }

  let test: TestStore
  let container: PersistentContainer
  let mine: ManagedObjectContext
  let theirs: ManagedObjectContext

  init(_ test: TestStore, options: SQLiteStore.Options = SQLiteStore.Options()) throws {
    self.test = test
    container = try Self.container(test.configuration(options))
    (mine, theirs) = (container.makeContext(), container.makeContext())
    mine.automaticallyMergesChanges = true
  }

  init(_ kind: StoreKind = .sqlite) throws { try self.init(TestStore(kind)) }

  static func container(_ store: StoreConfiguration) throws -> PersistentContainer {
    try PersistentContainer(
      model: ModelBinding(ManagedObjectModel(json: model, file: "Workroom")), store: store,
      transformers: [ToneTransformer()])
  }

  /// A saved work of mine, with the values of the number 0.
  func work(_ entity: String = "Work", code: String? = nil) throws -> ManagedObject {
    let work = try mine.insert(entity)
    for property in Property.allCases { try property.set(0, of: work) }
    try work.setValue(code, forKey: "code")
    try mine.save()
    return work
  }

  /// The same object in the other context, with the values that are stored.
  func other(_ work: ManagedObject) throws -> ManagedObject {
    let other = try theirs.existingObject(with: work.objectID)
    try theirs.refresh(other, mergeChanges: false)
    return other
  }

  /// The titles of the works that a search finds, as a context shows them.
  static func titles(_ part: String, _ context: ManagedObjectContext) throws -> [String?] {
    let request = FetchRequest<ManagedObject>(
      entityName: "Work",
      predicate: .text(
        .property("title"), .contains([.caseInsensitive, .diacriticInsensitive]),
        .constant(.string(part))),
      sortKeys: [.ascending("title")])
    return try context.fetch(request).map { try $0.value(of: "title", as: String.self) }
  }

  /// The numbers of the titles by which a new context finds a work.
  func found() throws -> [Int] {
    let context = container.makeContext()
    return try ["chr", "UMB", "ienn"].indices.filter { number in
      try !Self.titles(["chr", "UMB", "ienn"][number], context).isEmpty
    }
  }

  /// A value of a row, as a new context reads it.
  func stored(_ property: Property, _ work: ManagedObject) throws -> Int? {
    try property.number(of: container.makeContext().existingObject(with: work.objectID))
  }

  /// The names of the files beside the store, after a removal of those that no row has.
  func files() throws -> [String] {
    _ = try container.store.removeUnreferencedFiles(checkingAll: true)
    let folder = test.file.path(percentEncoded: false) + "-files"
    return [folder, folder + "/new"].flatMap {
      (try? FileManager.default.contentsOfDirectory(atPath: $0)) ?? []
    }.filter { $0 != "new" && $0 != "lock" && !$0.hasPrefix("store-") }.sorted()
  }

  /// Whether each file is that of a row, and there are as many as expected; and whether the store
  /// is as it should be.
  func expectWhole(files count: Int) throws {
    #expect(try container.check(.everything) == [])
    if test.kind == .memory { return }
    let names = try test.sqlite3("SELECT scan FROM Work WHERE typeof(scan) = 'text' ORDER BY scan")
      .split(separator: "\n").map(String.init)
    #expect(names.count == count)
    #expect(try files() == names)
  }

  /// The codes of what the body throws; none when it throws nothing.
  static func codes(_ body: () throws -> Void) throws -> [PersistenceError.Code] {
    do {
      try body()
      return []
    } catch let error as PersistenceError {
      return error.causeCodes.isEmpty ? [error.code] : error.causeCodes
    }
  }
}
