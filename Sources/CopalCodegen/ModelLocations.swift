import CopalModel

/// The locations of the parts of a model in its file.
struct ModelLocations {
  private let file: String
  private let root: Location

  /// The location of a key, with those of nested keys.
  private struct Location {
    let position: TextPosition
    var parts: [String: Location] = [:]

    /// - Parameter depth: the number of nested levels with locations.
    init(_ node: JSONNode?, at position: TextPosition, depth: Int) {
      self.position = position
      guard depth > 0, case .object(let members)? = node?.kind else { return }
      parts = Dictionary(
        members.map { ($0.key, Location($0.value, at: $0.position, depth: depth - 1)) },
        uniquingKeysWith: { first, _ in first })
    }
  }

  /// - Parameter text: the text of the file; without it, every location is the beginning of the
  ///   file.
  init(text: String?, file: String) {
    self.file = file
    root = Location(
      text.flatMap { try? JSONNode(json: $0, file: file) }, at: TextPosition(line: 1, column: 1),
      depth: 5)  // entities, the entity, attributes, the attribute, its key
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
