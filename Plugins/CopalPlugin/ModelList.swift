import Foundation

/// A target's `copal.json`, which lists models in other folders of the package, and can make
/// warnings errors.
///
/// ```json
/// { "models": ["Models/Colors.model.json"], "warnings": "error" }
/// ```
struct ModelList {
  static let fileName = "copal.json"

  let file: URL
  /// The listed paths, relative to the root of the package, each with its location.
  private let entries: [(path: String, location: String)]
  /// Whether a warning of a model ends the build.
  let warningsAreErrors: Bool

  /// Reads a list.
  ///
  /// - Throws: ``Diagnostic`` with the line and column of the first thing that is wrong.
  init(file: URL) throws {
    self.file = file
    guard let data = try? Data(contentsOf: file) else {
      throw Diagnostic("the file cannot be read", at: "\(file.path):1:1")
    }
    var reader = ModelListReader(bytes: Array(data), file: file.path)
    let content = try reader.read()
    entries = content.entries
    warningsAreErrors = content.warningsAreErrors
  }

  /// The files of the listed models.
  ///
  /// - Throws: ``Diagnostic`` with the line and column of a path without a file, or outside of the
  ///   package.
  func models(in package: URL) throws -> [URL] {
    let root = package.standardizedFileURL.path
    return try entries.map { path, location in
      guard path.hasSuffix(".model.json") else {
        throw Diagnostic("'\(path)' is not the name of a model: 'NAME.model.json'", at: location)
      }
      let model = package.appending(path: path).standardizedFileURL
      guard !path.hasPrefix("/"), model.path.hasPrefix(root + "/") else {
        throw Diagnostic(
          "'\(path)' leads out of the package; a path is relative to \(root)", at: location)
      }
      guard FileManager.default.fileExists(atPath: model.path) else {
        throw Diagnostic("there is no model '\(path)' in \(root)", at: location)
      }
      return model
    }
  }
}

extension ModelList {
  /// A problem, in the format of a compiler's message.
  struct Diagnostic: Error, CustomStringConvertible {
    let description: String
    init(_ sentence: String, at location: String) {
      description = "\(location): error: \(sentence)"
    }
  }
}
