import Copal
import CopalTestSupport
import Foundation

/// Stored as TEXT.
enum Finish: String { case matt, satin, gloss }

struct FinishTransformer: AttributeTransformer {
  func encode(_ finish: Finish) -> String { finish.rawValue }
  func decode(_ stored: String) throws -> Finish {
    guard let finish = Finish(rawValue: stored) else { throw Unreadable() }
    return finish
  }
}

/// Stored as INTEGER.
struct Grade: Equatable { var number: Int64 }

struct GradeTransformer: AttributeTransformer {
  func encode(_ grade: Grade) -> Int64 { grade.number }
  func decode(_ stored: Int64) -> Grade { Grade(number: stored) }
}

/// Stored as REAL.
struct Weight: Equatable { var grams: Double }

struct WeightTransformer: AttributeTransformer {
  func encode(_ weight: Weight) -> Double { weight.grams }
  func decode(_ stored: Double) -> Weight { Weight(grams: stored) }
}

/// Stored as BLOB, by a transformer that fails on request.
struct Recipe: Equatable {
  var text: String
  static let unknown = Recipe(text: "?")
}

struct Unreadable: Error {}
struct Unwritable: Error {}

struct RecipeTransformer: AttributeTransformer {
  func encode(_ recipe: Recipe) throws -> Data {
    if recipe.text == "unwritable" { throw Unwritable() }
    return Data(recipe.text.utf8)
  }
  func decode(_ stored: Data) throws -> Recipe {
    let text = String(decoding: stored, as: UTF8.self)
    if text == "unreadable" { throw Unreadable() }
    return Recipe(text: text)
  }
}

/// Normalizes when it encodes: the stored text begins with a capital.
struct CapitalizingTransformer: AttributeTransformer {
  func encode(_ name: String) -> String { name.capitalized }
  func decode(_ stored: String) -> String { stored }
}

extension TestStore {
  static var studioTransformers: [any AttributeTransformer] {
    [
      FinishTransformer(), GradeTransformer(), WeightTransformer(), RecipeTransformer(),
      CapitalizingTransformer(),
    ]
  }

  /// A container of the studio.
  func studio() throws -> PersistentContainer {
    try container(.studio, transformers: Self.studioTransformers)
  }
}
