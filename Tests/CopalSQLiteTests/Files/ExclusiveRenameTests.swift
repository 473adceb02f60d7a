import CopalTestSupport
import Foundation
import Testing

@testable import CopalSQLite

@Suite("A new name that replaces nothing")
struct ExclusiveRenameTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func path(_ name: String) -> String {
    folder.url.appending(path: name).path(percentEncoded: false)
  }

  private func write(_ text: String, _ name: String) throws {
    try Data(text.utf8).write(to: folder.url.appending(path: name))
  }

  private func contents() throws -> [String: String] {
    var contents: [String: String] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: path("")) {
      contents[name] = String(
        decoding: FileManager.default.contents(atPath: path(name)) ?? Data(), as: UTF8.self)
    }
    return contents
  }

  @Test(
    "each way gives a free name, and leaves what has the name",
    arguments: ExclusiveRename.Method.allCases)
  func files(method: ExclusiveRename.Method) throws {
    try write("mine", "a")
    try write("theirs", "b")
    #expect(ExclusiveRename.run(path("a"), to: path("b"), [method]) == EEXIST)
    #expect(try contents() == ["a": "mine", "b": "theirs"])
    try FileManager.default.createSymbolicLink(
      atPath: path("c"), withDestinationPath: path("nowhere"))
    #expect(ExclusiveRename.run(path("a"), to: path("c"), [method]) == EEXIST)
    #expect(ExclusiveRename.run(path("a"), to: path("d"), [method]) == 0)
    #expect(try contents() == ["c": "", "d": "mine", "b": "theirs"])
    #expect(ExclusiveRename.run(path("a"), to: path("e"), [method]) == ENOENT)
  }

  @Test("a folder does not replace an empty folder", arguments: [false, true])
  func folders(hasFlag: Bool) throws {
    let methods = ExclusiveRename.Method.allCases.filter { hasFlag || $0 != .flag }
    for name in ["a", "b"] {
      try FileManager.default.createDirectory(
        at: folder.url.appending(path: name), withIntermediateDirectories: true)
    }
    try write("mine", "a/file")
    #expect(ExclusiveRename.run(path("a"), to: path("b"), methods) == EEXIST)
    #expect(ExclusiveRename.run(path("a"), to: path("c"), methods) == 0)
    #expect(FileManager.default.fileExists(atPath: path("c/file")))
  }
}
