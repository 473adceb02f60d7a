import CopalTestSupport
import Foundation
import Testing

/// The workflows of the code host run scripts of this repository, and nothing else.
@Suite("Workflows")
struct WorkflowTests {
  /// The lines of a workflow that have a key, such as `run`, with its value.
  private static func values(of key: String, in file: String) throws -> [String] {
    try Repository.text(file).split(separator: "\n").compactMap { line in
      let item = line.drop { $0 == " " || $0 == "-" }
      guard item.hasPrefix(key + ": ") else { return nil }
      return item.dropFirst(key.count + 2).trimmingCharacters(in: .whitespaces)
    }
  }

  static let workflows = Repository.files(under: ".github/workflows")
  static let platforms = Repository.files(under: "Scripts/platforms")

  @Test("there is one for each change, and one for each night")
  func files() {
    #expect(Self.workflows == [".github/workflows/ci.yml", ".github/workflows/nightly.yml"])
  }

  @Test("each step runs a script that is there and can be executed", arguments: workflows)
  func steps(workflow: String) throws {
    let commands = try Self.values(of: "run", in: workflow)
    #expect(!commands.isEmpty)
    for command in commands {
      let script = String(command.split(separator: " ").first ?? "")
      let path = Repository.root.appending(path: script).path(percentEncoded: false)
      #expect(FileManager.default.isExecutableFile(atPath: path), "\(workflow): \(command)")
    }
    // Nothing is in a block of several lines, where this test would not see it.
    #expect(!commands.contains { $0.hasPrefix("|") || $0.hasPrefix(">") })
  }

  @Test("each action is named by its commit, with its version beside it", arguments: workflows)
  func actions(workflow: String) throws {
    let actions = try Self.values(of: "uses", in: workflow)
    #expect(!actions.isEmpty)
    for action in actions {
      #expect(
        action.wholeMatch(of: #/[\w.-]+/[\w./-]+@[0-9a-f]{40} # v[\d.]+/#) != nil, "\(action)")
    }
  }

  @Test("a workflow has the rights to read, and ends", arguments: workflows)
  func limits(workflow: String) throws {
    #expect(try Self.values(of: "permissions", in: workflow) == ["{ contents: read }"])
    let jobs = try Self.values(of: "runs-on", in: workflow).count
    #expect(try Self.values(of: "timeout-minutes", in: workflow).count == jobs)
  }

  @Test("a platform that may fail says so in its name")
  func allowedToFail() throws {
    let text = try Repository.text(".github/workflows/ci.yml")
    let allowed = try Self.values(of: "continue-on-error", in: ".github/workflows/ci.yml").count
    #expect(allowed == 3 && text.matches(of: #/\(allowed to fail\)/#).count == allowed)
  }

  @Test(
    "the script of a platform has at most ten lines, is valid, and says that nobody has run it",
    arguments: platforms)
  func platform(script: String) throws {
    let lines = try Repository.text(script).split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 11 && lines.last == "", "ten lines, and the end of the last one")
    #expect(lines.dropFirst().first?.hasPrefix("# Never run. ") == true)
    let path = Repository.root.appending(path: script).path(percentEncoded: false)
    let check = try Command.run("bash", "-n", path)
    #expect(check.status == 0, "\(check.output)")
    let jobs = try Self.values(of: "run", in: ".github/workflows/ci.yml")
    #expect(jobs.contains(script), "a workflow runs it")
  }
}
