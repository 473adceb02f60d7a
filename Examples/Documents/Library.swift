import Copal
import Foundation

/// A folder with documents: their texts, and a store that has their titles, URLs and scans.
///
/// The folder can be copied or moved as a whole, because the store has the URLs relative to it.
struct Library {
  let folder: URL

  init(_ folder: URL) { self.folder = folder }

  var texts: URL { folder.appending(path: "texts", directoryHint: .isDirectory) }
  var store: URL { folder.appending(path: "Documents.sqlite") }
  /// Where the store keeps the scans that are too large for a row.
  var largeValues: URL { folder.appending(path: "Documents.sqlite-files") }

  var exists: Bool { FileManager.default.fileExists(atPath: Self.path(of: store)) }

  func open() throws -> PersistentContainer {
    try PersistentContainer(
      model: .documents, store: .sqlite(at: store),
      transformers: [RelativeURLTransformer("DocumentURLTransformer", base: folder)])
  }

  func makeFolders() throws {
    try FileManager.default.createDirectory(at: texts, withIntermediateDirectories: true)
  }

  /// Copies the texts, and the store together with its large values.
  func copy(_ container: PersistentContainer, to other: Library) async throws {
    try FileManager.default.createDirectory(at: other.folder, withIntermediateDirectories: true)
    try FileManager.default.copyItem(at: texts, to: other.texts)
    try await container.backup(to: other.store)
  }

  /// The number of scans that are in files. Their names end in the number of bytes, and the mark of
  /// the folder begins with "store-".
  func countOfLargeValues() throws -> Int {
    let path = Self.path(of: largeValues)
    guard FileManager.default.fileExists(atPath: path) else { return 0 }
    return try FileManager.default.contentsOfDirectory(atPath: path).count {
      $0.contains("-") && !$0.hasPrefix("store-")
    }
  }

  static func path(of url: URL) -> String { url.path(percentEncoded: false) }
}
