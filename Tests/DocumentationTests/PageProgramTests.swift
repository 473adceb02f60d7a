import CopalModel
import CopalTestSupport
import Foundation
import Testing

@Suite("A guide that a reader types into a new package")
struct PageProgramTests {
  @Test(
    "The listings of a guide are one program that compiles and prints what the guide says, in each run",
    arguments: PageProgram.all)
  func program(guide: PageProgram) throws {
    let folder = try TemporaryFolder()
    let data = folder.url.appending(path: "data")
    try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
    let home = data.path(percentEncoded: false)
    let environment = [
      "XDG_DATA_HOME": home, "CFFIXED_USER_HOME": home, "HOME": home, "TMPDIR": home,
    ]
    try run(guide, times: 2, in: folder.url, environment)
    for (command, expected) in guide.commands {
      let found = try Command.run(
        "sh", "-c", "cd \"$HOME\" && \(command)", environment: environment)
      compare(found.output, expected, "\(guide): \(command)")
    }
    if let second = guide.secondVersion {
      let folder = folder.url.appending(path: "second")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try run(second, times: 1, in: folder, environment)
    }
  }

  @Test("Programs that are linked at once write no file where the others read")
  func programsAtOnce() async throws {
    let rounds = ProcessInfo.processInfo.environment["COPAL_LINKS"].flatMap(Int.init) ?? 1
    let before = try Self.builtFiles()
    for _ in 0..<rounds {
      try await withThrowingTaskGroup { group in
        for number in 1...4 {
          group.addTask {
            let folder = try TemporaryFolder()
            let main = folder.url.appending(path: "main.swift")
            try "import Copal\nprint(\(number), PersistentContainer.self)\n"
              .write(to: main, atomically: true, encoding: .utf8)
            let program = folder.url.appending(path: "program")
            let built = try Command.build([main], program: program)
            #expect(built.status == 0, "\(built.output)")
            let found = try Command.run(program.path(percentEncoded: false))
            #expect(found.output == "\(number) PersistentContainer\n")
          }
        }
        try await group.waitForAll()
      }
    }
    #expect(try Self.builtFiles() == before)
  }

  /// When the files beside the first object file of the package were written, by their names.
  private static func builtFiles() throws -> [String: Date] {
    let folder = Command.products.appending(path: "Copal.build")
    let files = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: [.contentModificationDateKey])
    return try files.reduce(into: [:]) { dates, file in
      dates[file.lastPathComponent] =
        try file.resourceValues(forKeys: [.contentModificationDateKey]).contentModificationDate
    }
  }

  private func run(
    _ guide: PageProgram, times: Int, in folder: URL, _ environment: [String: String]
  ) throws {
    #expect(!guide.models.isEmpty, "\(guide) prints no model")
    #expect(!guide.output.isEmpty, "\(guide) prints no output")
    let (program, messages) = try guide.build(in: folder)
    let path = try #require(program?.path(percentEncoded: false), "\(guide):\n\(messages)")
    #expect(!messages.contains("warning:"), "\(guide):\n\(messages)")
    // The second run finds the store of the first.
    for run in 1...times {
      let found = try Command.run(path, environment: environment)
      #expect(found.status == 0, "\(guide), run \(run):\n\(found.output)")
      let expected = guide.page.path == "README.md" ? repeated(guide.output, run) : guide.output
      compare(found.output, expected, "\(guide), run \(run)")
    }
  }

  @Test("A model with a mistake is refused with the message in the page")
  func refusedModels() throws {
    for page in Page.all {
      for (block, words) in zip(page.blocks, page.blocks.dropFirst())
      where block.kind == "json refused" {
        let file = String(words.text.prefix { $0 != ":" })
        let error = #expect(throws: ModelError.self, "\(block)") {
          try ManagedObjectModel(json: block.text, file: file)
        }
        let message = error.map { "\($0)" } ?? ""
        #expect(message == words.text, "\(block)")
      }
    }
  }

  /// The program of the README adds a painting in each run, and prints a line for each painting.
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
