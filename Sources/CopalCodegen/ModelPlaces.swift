import CopalModel

/// Where the things of a model stand in its file.
struct ModelPlaces {
  private let file: String
  private let root: Place

  /// The place of a key, and those of the keys within it.
  private struct Place {
    let position: TextPosition
    var parts: [String: Place] = [:]

    /// - Parameter depth: how many levels are told apart.
    init(_ node: JSONNode?, at position: TextPosition, depth: Int) {
      self.position = position
      guard depth > 0, case .object(let members)? = node?.kind else { return }
      parts = Dictionary(
        members.map { ($0.key, Place($0.value, at: $0.position, depth: depth - 1)) },
        uniquingKeysWith: { first, _ in first })
    }
  }

  /// - Parameter text: the text of the file; without it, everything stands at its beginning.
  init(text: String?, file: String) {
    self.file = file
    root = Place(
      text.flatMap { try? JSONNode(json: $0, file: file) }, at: TextPosition(line: 1, column: 1),
      depth: 5)  // entities, the entity, attributes, the attribute, its key
  }

  /// The place of the last of the given keys, each one a member of the one before; as near to it as
  /// the file has it.
  func place(_ keys: [String]) -> SourcePosition {
    var place = root
    for key in keys {
      guard let part = place.parts[key] else { break }
      place = part
    }
    return SourcePosition(file: file, line: place.position.line, column: place.position.column)
  }
}
