import Copal
import CopalTestSupport
import Foundation
import Testing

@Suite("A release")
struct ReleaseTests {
  private static let script =
    Repository.root.appending(path: "Scripts/release").path(percentEncoded: false)

  /// The version that the list of changes begins with: that of the code, or after a release the
  /// next one.
  private static func newest() throws -> Substring? {
    try Repository.text("CHANGELOG.md").firstMatch(of: #/\n## ([^\n]+)\n/#)?.1
  }

  @Test("the list of changes has the version of the code, and says what a user must do")
  func changes() throws {
    let text = try Repository.text("CHANGELOG.md")
    let versions = text.matches(of: #/\n## ([^\n]+)\n/#)
    let number = try #require(
      versions.firstIndex { $0.1 == Substring(CopalRelease.version) })
    #expect(number <= 1, "only the next version comes before it")
    for (version, next) in zip(
      versions, versions.dropFirst().map(\.range.lowerBound) + [text.endIndex])
    {
      #expect(version.1.wholeMatch(of: #/\d+\.\d+\.\d+/#) != nil)
      #expect(
        text[version.range.upperBound..<next].contains("\n**What you must do.**"), "\(version.1)")
    }
  }

  @Test(
    "the script wants a version, and makes a tag only after the suites",
    arguments: [
      [], ["0.9"], ["v0.9.0"], ["0.9.0", "--fast"], ["0.9.0", "--without-suites"],
    ])
  func wrongUse(words: [String]) throws {
    let result = try Program.run([Self.script] + words)
    #expect(result.status == 64 && result.output.hasPrefix("usage: "), "\(result.output)")
  }

  @Test("the script names each thing that is not ready, and makes no tag")
  func notReady() throws {
    // What may have changed in this clone does not matter here.
    let result = try Command.run(Self.script, "0.0.1", "--check", "--without-suites")
    #expect(result.status == 1)
    for line in [
      "CopalRelease.version is 0.0.1", "CHANGELOG.md begins with 0.0.1",
      "CHANGELOG.md says what a user must do", "the store and the archive of 0.0.1 are fixtures",
      "tests open them",
    ] {
      #expect(result.output.contains("failed  \(line)\n"), "\(result.output)")
    }
    #expect(result.output.hasSuffix("there is no release\n"))
  }

  @Test(
    "the script finds the version of the code ready, but for the state of the clone and changes since"
  )
  func ready() throws {
    let result = try Command.run(Self.script, CopalRelease.version, "--check", "--without-suites")
    for line in [
      "CopalRelease.version is \(CopalRelease.version)",
      "CHANGELOG.md says what a user must do",
      "the store and the archive of \(CopalRelease.version) are fixtures", "tests open them",
    ] {
      #expect(result.output.contains("passed  \(line)\n"), "\(result.output)")
    }
    let isNewest = try Self.newest() == Substring(CopalRelease.version)
    let line = "CHANGELOG.md begins with \(CopalRelease.version)\n"
    #expect(result.output.contains((isNewest ? "passed  " : "failed  ") + line))
  }
}
