import Copal
import CopalTestSupport
import Foundation

enum Finish: String, Codable, CaseIterable { case matt, satin, gloss }

enum Grade: Int16 { case student = 1, artist = 2, conservator = -3 }

struct Techniques: OptionSet, Hashable {
  let rawValue: UInt
  static let oil = Techniques(rawValue: 1)
  static let tempera = Techniques(rawValue: 2)
}

/// A number such as `12/2026`.
struct BatchNumber: LosslessStringConvertible, Hashable {
  var number: Int
  var year: Int

  init(number: Int, year: Int) { (self.number, self.year) = (number, year) }

  init?(_ description: String) {
    let parts = description.split(separator: "/").compactMap { Int($0) }
    guard parts.count == 2 else { return nil }
    self.init(number: parts[0], year: parts[1])
  }

  var description: String { "\(number)/\(year)" }
}

struct Recipe: Codable, Hashable {
  var title: String
  var parts: [String: Double]
}

struct Scan: Codable, Hashable {
  var taken: Date
  var pixels: Data
  var levels: [String: Int]
}

/// The transformers of the shelf.
enum ShelfTransformers {
  static let finish = RawValueTransformer<Finish>("FinishTransformer")
  static let recipe = JSONTransformer<Recipe>("RecipeTransformer")

  static let all: [any AttributeTransformer] = [
    finish, recipe,
    RawValueTransformer<Grade>("GradeTransformer"),
    RawValueTransformer<Techniques>("TechniquesTransformer"),
    LosslessStringTransformer<BatchNumber>("BatchTransformer"),
    PropertyListTransformer<Scan>("ScanTransformer"),
    ArrayTransformer("FinishesTransformer", of: finish),
    SetTransformer("SuitsTransformer", of: finish),
    DictionaryTransformer<Int, _>("NotesTransformer", of: recipe),
  ]
}

extension TestStore {
  /// A container of the shelf.
  func shelf() throws -> PersistentContainer {
    try container(.shelf, transformers: ShelfTransformers.all)
  }
}
