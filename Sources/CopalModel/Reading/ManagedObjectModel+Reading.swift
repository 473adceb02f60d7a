public import Foundation

extension ManagedObjectModel {
  /// Reads a model file.
  ///
  /// The format is described in `Docs/ModelFormat.md`.
  ///
  /// - Throws: ``ModelError`` with every problem of the file, each at its line and column. A file
  ///   that cannot be opened is one problem with the code `model.unreadable`.
  public init(contentsOf url: URL) throws(ModelError) {
    let bytes: [UInt8]
    do {
      guard url.isFileURL else { throw CocoaError(.fileReadUnsupportedScheme) }
      let file = try FileHandle(forReadingFrom: url)
      defer { try? file.close() }
      // Reads at most one byte more than the limit, because a file may be endless.
      bytes = [UInt8](try file.read(upToCount: JSONReader.maximumSize + 1) ?? Data())
    } catch {
      var problems = ProblemList(file: url.path)
      problems.add(
        .unreadable, at: TextPosition(line: 1, column: 1), found: error.localizedDescription)
      throw problems.error ?? ModelError(problems: [])
    }
    self = try ModelReader.read(bytes, file: url.path)
  }

  /// Reads a model from a text.
  ///
  /// - Parameter file: the file name for the positions of problems.
  /// - Throws: ``ModelError`` with every problem of the text.
  public init(json: String, file: String) throws(ModelError) {
    self = try ModelReader.read(Array(json.utf8), file: file)
  }

  /// Reads a model from the bytes of a file: UTF-8, with or without a byte-order mark.
  ///
  /// - Parameter file: the file name for the positions of problems.
  /// - Throws: ``ModelError`` with every problem of the text.
  public init(json: [UInt8], file: String) throws(ModelError) {
    self = try ModelReader.read(json, file: file)
  }
}
