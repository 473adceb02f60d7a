import CopalModel

/// The locations of the parts of a model in its file.
struct ModelLocations {
  private let file: String
  private let root: Location
  private let isKnownToCompiler: Bool

  /// The location of a key, with those of nested keys.
  private struct Location {
    let position: TextPosition
    var parts: [String: Location] = [:]

    /// - Parameter depth: the number of nested levels with locations.
    init(_ node: JSONNode?, at position: TextPosition, depth: Int) {
      self.position = position
      guard depth > 0 else { return }
      switch node?.kind {
      case .object(let members)?:
        parts = Dictionary(
          members.map { ($0.key, Location($0.value, at: $0.position, depth: depth - 1)) },
          uniquingKeysWith: { first, _ in first })
      case .array(let elements)?:
        // The strings of a list, such as the imports.
        for case (.string(let text), let position) in elements.map({ ($0.kind, $0.position) }) {
          if parts[text] == nil { parts[text] = Location(nil, at: position, depth: 0) }
        }
      default: break
      }
    }
  }

  /// - Parameter text: the text of the file; without it, every location is the beginning of the
  ///   file.
  init(text: String?, file: String) {
    self.file = file
    // The compiler takes this literal as it is written, without escapes.
    isKnownToCompiler = text != nil && SwiftText.literal(file) == "\"\(file)\""
    root = Location(
      text.flatMap { try? JSONNode(json: $0, file: file) }, at: TextPosition(line: 1, column: 1),
      depth: 5)  // entities, the entity, attributes, the attribute, its key
  }

  /// The location of a path of keys for the compiler to report instead of the generated file. Nil
  /// when the text of the file is not known, or when the path of the file needs escapes, which
  /// `#sourceLocation` does not support.
  func compilerLocation(_ keys: [String]) -> ModelProblem.Position? {
    isKnownToCompiler ? location(keys) : nil
  }

  /// The location of a path of keys, or of the longest prefix of it that the file has.
  func location(_ keys: [String]) -> ModelProblem.Position {
    var location = root
    for key in keys {
      guard let part = location.parts[key] else { break }
      location = part
    }
    return ModelProblem.Position(
      file: file, line: location.position.line, column: location.position.column)
  }
}
