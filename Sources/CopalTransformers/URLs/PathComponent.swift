/// One component of the path of a URL.
struct PathComponent {
  /// The percent-encoded form.
  let encoded: ArraySlice<UInt8>
  /// The bytes of the file name.
  let name: [UInt8]

  /// A component.
  ///
  /// - Returns: nil for a text that is the name of no file: a `%` without two hexadecimal digits,
  ///   or an encoded slash or NUL.
  init?(_ encoded: ArraySlice<UInt8>) {
    guard let name = URLText.percentDecoded(encoded), !name.contains(0),
      !name.contains(UInt8(ascii: "/"))
    else { return nil }
    self.encoded = encoded
    self.name = name
  }

  /// Nothing between two slashes, or a dot: the folder itself.
  var isSameFolder: Bool { name.isEmpty || name.elementsEqual(".".utf8) }
  /// Two dots, percent-encoded or not.
  var isParentFolder: Bool { name.elementsEqual("..".utf8) }

  /// The components between the slashes of a path; nil when one is the name of no file.
  static func all(of path: ArraySlice<UInt8>) -> [PathComponent]? {
    var components: [PathComponent] = []
    for part in path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
      guard let component = PathComponent(part) else { return nil }
      components.append(component)
    }
    return components
  }
}
