import CopalStore
public import Foundation
import Testing

/// A folder of one test. When the test ends, its stores are checked, and the folder is removed.
///
/// A test issue names each dangling reference, and each damaged row, index or page. A test that
/// causes such a thing on purpose says so with ``expectsBrokenReferences()`` or ``allowsDamage()``.
/// In an exit test nothing is checked, because its process ends before the test; its folder goes
/// with ``RunFolder``.
public final class TemporaryFolder: Sendable {
  public let url: URL
  private let location: SourceLocation
  private let intent = Locked(Intent())

  /// What the test does to its stores on purpose.
  private struct Intent {
    var breaksReferences = false
    var damages = false
  }

  public init(
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
    column: Int = #column
  ) throws {
    location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    url = RunFolder.url.appending(path: UUID().uuidString, directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    recordProblems()
    try? FileManager.default.removeItem(at: url)
  }

  /// The test leaves references to rows that do not exist, as another program does that deletes a
  /// row.
  ///
  /// If every reference is whole at the end, that is a test issue. The references that the delete
  /// rule `noAction` leaves behind need no call: SQLite does not know them as references.
  public func expectsBrokenReferences() { intent.withLock { $0.breaksReferences = true } }

  /// The test changes bytes of a store at random, so that nothing in it can be checked.
  public func allowsDamage() { intent.withLock { $0.damages = true } }

  private func recordProblems() {
    let intent = intent.withLock { $0 }
    if intent.damages { return }
    let files = StoreFile.all(in: url)
    var problems = files.flatMap { $0.problems(.integrity) }
    let references = files.flatMap { $0.problems(.references) }
    if !intent.breaksReferences {
      problems += references
    } else if references.isEmpty, !files.isEmpty {
      // Without a file there is a store in memory.
      problems.append("The test expects broken references, and its stores have none.")
    }
    if problems.isEmpty { return }
    // Many of them usually have one cause.
    Issue.record("\(problems.prefix(10).joined(separator: "\n"))", sourceLocation: location)
  }
}
