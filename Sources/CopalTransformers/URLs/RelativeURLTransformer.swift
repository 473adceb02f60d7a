public import CopalEssentials
public import CopalModel
public import CopalObjects
import CopalStore

/// Stores the URLs of files relative to a base folder, so that the folder can move.
///
/// Use it for files that belong to the store, such as photos beside it. The path of an app's folder
/// changes when the app is installed again, and that of a document when somebody moves it. The
/// column is TEXT.
///
/// ```swift
/// let folder = URL(filePath: "/museum/Exhibition/")
/// let photos = RelativeURLTransformer("PhotoURLTransformer", base: folder)
/// ```
///
/// The file `/museum/Exhibition/photos/blue hour.jpg` is stored as `./photos/blue%20hour.jpg`, a
/// relative reference of RFC 3986. It always begins with `./`, so that it differs from every
/// absolute URL. A program that opens the store with another base reads a URL in that base.
///
/// - A file is in the base when the components of the base are the first components of its path.
///   `/a/bc` is not in `/a/b`. Dots (`.` and `..`), repeated slashes and percent-encoding make no
///   difference. Only texts are compared: symbolic links are not followed, and upper and lower case
///   differ.
/// - Other URLs are stored as they are: URLs of the web, and of files outside the base.
/// - A stored text never leads out of the base: with `..` or a slash at its start, it is an error.
///
/// Encoding throws `transformer.missingScheme` for a URL without a scheme, and
/// `transformer.missingBase` for the URL of a file while there is no base. Decoding throws
/// `transformer.missingBase` for a relative URL while there is no base: the property is nil, and
/// the stored text does not change. It throws `transformer.outsideBase` and
/// `transformer.invalidText` for texts that the transformer does not write. Both throw
/// `transformer.invalidBase` when the base is not the URL of a file; a container finds this when it
/// opens.
public struct RelativeURLTransformer: AttributeTransformer, Equatable {
  /// The name that models use.
  public let name: TransformerName
  private let base: BaseSource

  /// A transformer with a base that does not change.
  ///
  /// - Parameters:
  ///   - name: the name that models use.
  ///   - base: the file URL of a folder, with or without a slash at its end; nil for a program that
  ///     does not know it.
  public init(_ name: TransformerName, base: URL?) {
    self.name = name
    self.base = .url(base)
  }

  /// A transformer that asks for its base whenever it encodes or decodes the URL of a file.
  ///
  /// Use it when the transformer is registered before the base is known. Objects remember the URLs
  /// that they have decoded: do not change a base to another one while a container is open.
  ///
  /// - Parameters:
  ///   - name: the name that models use.
  ///   - base: returns the file URL of a folder, or nil while it is not known. It is called on any
  ///     thread.
  public init(_ name: TransformerName, base: @escaping @Sendable () -> URL?) {
    self.name = name
    self.base = .function(BaseFunction(base))
  }

  /// The text of the URL: relative when it is in the base, else its absolute text.
  ///
  /// - Throws: `transformer.missingScheme`, `transformer.missingBase`, `transformer.invalidBase`.
  public func encode(_ url: URL) throws -> String {
    let text = url.absoluteString
    let parts = URLText(text)
    guard let scheme = parts.scheme else {
      throw PersistenceError(.missingScheme, expected: "the base of '\(name)'")
    }
    guard scheme == "file" else { return text }
    let folder = try folder()
    guard let path = FilePath(parts)?.text(relativeTo: folder.path) else { return text }
    return path + String(decoding: parts.suffix, as: UTF8.self)
  }

  /// The URL of a text: in the base when it is relative.
  ///
  /// - Throws: `transformer.missingBase`, `transformer.invalidBase`, `transformer.outsideBase`,
  ///   `transformer.invalidText`.
  public func decode(_ stored: String) throws -> URL {
    let parts = URLText(stored)
    let text = try parts.scheme == nil ? absoluteText(of: RelativePath(parts)) : stored
    // With its default, Foundation encodes the percent signs of an invalid text once more: another
    // file.
    guard let url = URL(string: text, encodingInvalidCharacters: false) else {
      throw PersistenceError(.invalidText, expected: "a URL")
    }
    return url
  }

  /// Tests the base, when there is one.
  ///
  /// - Throws: `transformer.invalidBase`.
  public func selfTest() throws {
    if base.url != nil { _ = try folder() }
  }

  private func absoluteText(of path: RelativePath) throws -> String {
    try folder().text(of: path)
  }

  private func folder() throws -> BaseFolder {
    guard let url = base.url else {
      throw PersistenceError(.missingBase, found: name.rawValue)
    }
    guard let folder = BaseFolder(url) else {
      throw PersistenceError(.invalidBase, found: name.rawValue)
    }
    return folder
  }
}

/// Where a transformer gets its base from.
private enum BaseSource: Equatable {
  case url(URL?)
  case function(BaseFunction)

  var url: URL? {
    switch self {
    case .url(let url): url
    case .function(let function): function.url()
    }
  }
}

/// A function that returns a base. Functions cannot be compared, so that it equals only itself.
private final class BaseFunction: Equatable, Sendable {
  let url: @Sendable () -> URL?

  init(_ url: @escaping @Sendable () -> URL?) { self.url = url }

  static func == (a: BaseFunction, b: BaseFunction) -> Bool { a === b }
}
