import CopalModel

/// Where the things of a model stand in its file.
struct ModelPlaces: Sendable {
  private let file: String
  private let root: JSONNode?

  /// - Parameter text: the text of the file; without it, everything stands at its beginning.
  init(text: String?, file: String) {
    self.file = file
    root = text.flatMap { try? JSONNode(json: $0, file: file) }
  }

  /// The place of the last of the given keys, each one a member of the one before; as near to it as
  /// the file has it.
  func place(_ keys: String...) -> SourcePosition {
    var node = root
    var place = TextPosition(line: 1, column: 1)
    for key in keys {
      guard case .object(let members)? = node?.kind,
        let member = members.first(where: { $0.key == key })
      else { break }
      place = member.position
      node = member.value
    }
    return SourcePosition(file: file, line: place.line, column: place.column)
  }
}
