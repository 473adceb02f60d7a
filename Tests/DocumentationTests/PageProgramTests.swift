import CopalTestSupport
import Foundation
import Testing

@Suite("A guide that a reader types into a new package")
struct PageProgramTests {
  @Test(
    "The listings of a guide are one program that compiles and prints what the guide says, in each run",
    arguments: PageProgram.all)
  func program(guide: PageProgram) throws {
    #expect(!guide.models.isEmpty, "\(guide) prints no model")
    #expect(!guide.output.isEmpty, "\(guide) prints no output")

    let folder = try TemporaryFolder()
    let data = folder.url.appending(path: "data")
    try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
    let (program, messages) = try guide.build(in: folder.url)
    let path = try #require(program?.path(percentEncoded: false), "\(guide):\n\(messages)")
    #expect(!messages.contains("warning:"), "\(guide):\n\(messages)")

    let home = data.path(percentEncoded: false)
    let environment = [
      "XDG_DATA_HOME": home, "CFFIXED_USER_HOME": home, "HOME": home, "TMPDIR": home,
    ]
    // The second run finds the store of the first.
    for run in 1...2 {
      let found = try Command.run(path, environment: environment)
      #expect(found.status == 0, "\(guide), run \(run):\n\(found.output)")
      let expected = guide.page.path == "README.md" ? repeated(guide.output, run) : guide.output
      compare(found.output, expected, "\(guide), run \(run)")
    }
    for (command, expected) in guide.commands {
      let found = try Command.run(
        "sh", "-c", "cd \"$HOME\" && \(command)", environment: environment)
      compare(found.output, expected, "\(guide): \(command)")
    }
  }

  /// The program of the README adds an object in each run, and prints a line for each object.
  private func repeated(_ output: [Substring], _ count: Int) -> [Substring] {
    Array(repeating: output[0], count: count) + output.dropFirst()
  }

  private func compare(_ found: String, _ expected: [Substring], _ place: String) {
    let lines = found.split(separator: "\n")
    let isEqual = lines.count == expected.count && zip(lines, expected).allSatisfy(isLike)
    #expect(isEqual, "\(place) prints\n\(found)")
  }

  /// Whether a line is the one of a guide, in which `…` stands for any characters.
  private func isLike(_ line: Substring, _ pattern: Substring) -> Bool {
    let parts = pattern.split(separator: "…", omittingEmptySubsequences: false)
    guard let first = parts.first, let last = parts.last, parts.count > 1 else {
      return line == pattern
    }
    guard line.count >= first.count + last.count, line.hasPrefix(first), line.hasSuffix(last) else {
      return false
    }
    var rest = line.dropFirst(first.count).dropLast(last.count)
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let found = rest.firstRange(of: part) else { return false }
      rest = rest[found.upperBound...]
    }
    return true
  }
}
