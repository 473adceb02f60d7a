import Copal
import CopalColor
import Foundation

/// An edition of a foil.
struct Edition: Equatable {
  var count: Int
  var isSigned: Bool
  var made: Date
}

/// Stores an edition as its numbers with spaces between them. Version 1 had no date.
struct EditionTransformer: ProjectingTransformer {
  struct Unreadable: Error {}

  /// The version of its projections, for tests of other versions.
  var projectionVersion = 1
  var version: Int? { 2 }

  var projections: [Projection<Edition>] {
    [
      Projection("count", version: projectionVersion) { edition in
        edition.count < 0 ? nil : edition.count * projectionVersion
      },
      Projection("isSigned") { $0.isSigned },
      Projection("made") { $0.made },
    ]
  }

  func encode(_ edition: Edition) -> String {
    "\(edition.count) \(edition.isSigned ? 1 : 0) \(edition.made.timeIntervalSinceReferenceDate)"
  }

  func decode(_ stored: String) throws -> Edition {
    let words = stored.split(separator: " ")
    guard words.count == 3, let count = Int(words[0]), let made = Double(words[2]) else {
      throw Unreadable()
    }
    return Edition(
      count: count, isSigned: words[1] == "1", made: Date(timeIntervalSinceReferenceDate: made))
  }

  func decode(_ stored: String, version: Int?) throws -> Edition {
    try decode(stored + " 0")
  }
}

/// The transformers of the model Palette.
enum PaletteTransformers {
  static let all: [any AttributeTransformer] = [
    SerializableColorTransformer(), RelativeURLTransformer("LinkTransformer", base: nil),
    EditionTransformer(),
  ]
}
