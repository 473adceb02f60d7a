import CopalTestSupport
import Foundation
import Testing

@Suite("The folder of a test process")
struct RunFolderTests {
  @Test("goes after a trap in an exit test, with what the test has left in it")
  func trap() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardOutputContent]
    ) {
      let folder = try TemporaryFolder()
      try Data("left".utf8).write(to: folder.url.appending(path: "file"))
      print("folder:\(folder.url.path(percentEncoded: false)):")
      fflush(nil)
      fatalError("The test ends here.")
    }
    try await Self.expectGone(result)
  }

  @Test("goes after exit(), which ends a process before its objects")
  func exits() async throws {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) {
      let folder = try TemporaryFolder()
      print("folder:\(folder.url.path(percentEncoded: false)):")
      fflush(nil)
      exit(EXIT_SUCCESS)
    }
    try await Self.expectGone(result)
  }

  private static func expectGone(_ result: ExitTest.Result?) async throws {
    let output = String(decoding: try #require(result).standardOutputContent, as: UTF8.self)
    let parts = output.split(separator: ":")
    let place = try #require(parts.firstIndex { $0.hasSuffix("folder") })
    let folder = URL(filePath: String(parts[place + 1])).deletingLastPathComponent().path
    // The program that removes the folder hears of the end when the process is gone.
    for _ in 0..<100 where FileManager.default.fileExists(atPath: folder) {
      try await Task.sleep(for: .milliseconds(50))
    }
    #expect(!FileManager.default.fileExists(atPath: folder))
  }
}
