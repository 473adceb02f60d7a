import Foundation

/// A target's `copal.json`: models that lie elsewhere in the package.
///
/// ```json
/// { "models": ["Models/Colors.model.json"] }
/// ```
struct ModelList {
  static let fileName = "copal.json"

  let file: URL
  /// The paths that the file lists, relative to the root of the package, each with its place.
  private let entries: [(path: String, place: String)]

  /// Reads a list.
  ///
  /// - Throws: ``Diagnostic`` with the line and column of the first thing that is wrong.
  init(file: URL) throws {
    self.file = file
    guard let data = try? Data(contentsOf: file) else {
      throw Diagnostic("the file cannot be read", at: "\(file.path):1:1")
    }
    var reader = ModelListReader(bytes: Array(data), file: file.path)
    entries = try reader.read()
  }

  /// The files of the listed models.
  ///
  /// - Throws: ``Diagnostic`` with the line and column of a path that leads nowhere or out of the package.
  func models(in package: URL) throws -> [URL] {
    let root = package.standardizedFileURL.path
    return try entries.map { path, place in
      guard path.hasSuffix(".model.json") else {
        throw Diagnostic("'\(path)' is not the name of a model: 'NAME.model.json'", at: place)
      }
      let model = package.appending(path: path).standardizedFileURL
      guard !path.hasPrefix("/"), model.path.hasPrefix(root + "/") else {
        throw Diagnostic(
          "'\(path)' leads out of the package; a path is relative to \(root)", at: place)
      }
      guard FileManager.default.fileExists(atPath: model.path) else {
        throw Diagnostic("there is no model '\(path)' in \(root)", at: place)
      }
      return model
    }
  }
}

extension ModelList {
  /// What is wrong, as a compiler prints it.
  struct Diagnostic: Error, CustomStringConvertible {
    let description: String
    init(_ sentence: String, at place: String) { description = "\(place): error: \(sentence)" }
  }
}
