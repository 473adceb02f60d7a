/// Where a file URL leads, without dots, repeated slashes and differences of percent-encoding.
///
/// It is computed from the text alone: no file is looked at, and no symbolic link is followed.
struct FilePath {
  /// The host in lower case; empty for this machine.
  let host: String
  /// The components from the root.
  let components: [PathComponent]
  /// Whether the path ends with a slash, or with a component that stands for a folder.
  let endsWithSlash: Bool

  /// The path of a URL; nil when the URL is not the one of a file.
  init?(_ text: URLText) {
    guard text.scheme == "file", text.path.first == UInt8(ascii: "/"),
      let all = PathComponent.all(of: text.path), let last = all.last
    else { return nil }
    let host = String(decoding: text.authority ?? [], as: UTF8.self).lowercased()
    self.host = host == "localhost" ? "" : host
    endsWithSlash = last.isSameFolder || last.isParentFolder
    var components: [PathComponent] = []
    for component in all where !component.isSameFolder {
      if component.isParentFolder {
        _ = components.popLast()
      } else {
        components.append(component)
      }
    }
    self.components = components
  }

  /// The path from a folder to this one; nil when this one is not the folder and not in it.
  ///
  /// It always begins with a dot. So it has no scheme, also when the name of a file is `http:x`.
  func text(relativeTo folder: FilePath) -> String? {
    guard host == folder.host, components.count >= folder.components.count,
      zip(components, folder.components).allSatisfy({ $0.name == $1.name })
    else { return nil }
    let rest = components.dropFirst(folder.components.count)
    let names = rest.map { String(decoding: $0.encoded, as: UTF8.self) }
    let text = (["."] + names).joined(separator: "/")
    return endsWithSlash ? text + "/" : text
  }
}
