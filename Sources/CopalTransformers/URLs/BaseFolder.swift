import CopalEssentials
import CopalModel
import CopalStore

/// The folder that URLs are relative to.
struct BaseFolder {
  /// Where the folder is.
  let path: FilePath
  /// The text of its URL without the slash at the end, as the program gave it: no dots are removed,
  /// because a component before them may be a symbolic link.
  private let text: String

  /// The folder of a URL. A query or a fragment is ignored.
  ///
  /// - Returns: nil when it is not the URL of a file.
  init?(_ url: URL) {
    let whole = url.absoluteString
    let parts = URLText(whole)
    guard let path = FilePath(parts) else { return nil }
    self.path = path
    var text = Array(whole.utf8.dropLast(parts.suffix.count))
    let pathStart = text.count - parts.path.count
    while text.count > pathStart, text.last == UInt8(ascii: "/") { text.removeLast() }
    self.text = String(decoding: text, as: UTF8.self)
  }

  /// The text of the URL of a relative path.
  func text(of path: RelativePath) -> String {
    let isRoot = self.path.components.isEmpty
    let slash = path.endsWithSlash || isRoot && path.components.isEmpty ? "/" : ""
    let names = path.components.map { "/" + URLText.percentEncoded($0.encoded) }
    return text + names.joined() + slash + URLText.percentEncoded(path.suffix)
  }
}

/// A path that is stored relative to a base. It cannot lead out of the base.
struct RelativePath {
  /// The components, without dots and repeated slashes.
  let components: [PathComponent]
  /// Whether it ends with a slash.
  let endsWithSlash: Bool
  /// The query and the fragment.
  let suffix: ArraySlice<UInt8>

  /// The path of a stored text.
  ///
  /// - Throws: `transformer.outsideBase`, `transformer.invalidText`.
  init(_ text: URLText) throws {
    if text.authority != nil { throw Self.outside("a host") }
    if text.path.first == UInt8(ascii: "/") { throw Self.outside("a slash at its start") }
    guard !text.path.isEmpty, let all = PathComponent.all(of: text.path) else {
      throw PersistenceError(.invalidText, expected: "a URL")
    }
    if all.contains(where: \.isParentFolder) { throw Self.outside("the component '..'") }
    components = all.filter { !$0.isSameFolder }
    // A dot alone is the base itself without a slash.
    endsWithSlash = all.count > 1 && all.last?.isSameFolder == true
    suffix = text.suffix
  }

  private static func outside(_ found: String) -> PersistenceError {
    PersistenceError(.outsideBase, found: found)
  }
}
