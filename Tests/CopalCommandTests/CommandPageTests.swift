#if Command
  import CopalTestSupport
  import Foundation
  import Testing

  /// The pages about the command, whose examples are run one after the other in a folder of their
  /// own.
  @Suite("The pages about the command")
  struct CommandPageTests {
    private static let root = URL(filePath: #filePath).appending(path: "../../..").standardized

    /// A part of a page: a text in between, or the lines of a terminal.
    private enum Part {
      case prose(String)
      case file(name: String, text: String, fence: String)
      case console([String])
    }

    private static func parts(_ text: String) -> [Part] {
      var parts: [Part] = []
      var prose = ""
      var block: [String]?
      var fence = ""
      for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
        if let lines = block {
          guard line == "```" else {
            block?.append(String(line))
            continue
          }
          if fence == "```console" {
            parts.append(.console(lines))
          } else {
            // The last word in backticks before the listing is the name of its file.
            let words = (prose.split(separator: "\n").last ?? "").split(separator: "`")
            let name =
              words.last { word in
                !word.contains(" ") && [".model.json", ".csv"].contains { word.hasSuffix($0) }
              } ?? ""
            parts.append(.prose(prose))
            prose = ""
            parts.append(
              .file(name: String(name), text: lines.joined(separator: "\n") + "\n", fence: fence))
          }
          block = nil
        } else if line.hasPrefix("```") {
          fence = String(line)
          block = []
          if fence == "```console" {
            parts.append(.prose(prose))
            prose = ""
          }
        } else {
          prose += line + "\n"
        }
      }
      return parts + [.prose(String(prose.dropLast()))]
    }

    @Test("every example prints what the page says", arguments: ["Command", "Team"])
    func page(name: String) throws {
      let file = Self.root.appending(path: "Docs/\(name).md")
      let text = try String(contentsOf: file, encoding: .utf8)
      let folder = try TemporaryFolder()
      _ = try shell("git init -q . && mkdir Copal && touch Copal/Package.swift", folder.url)
      var now = ""
      for part in Self.parts(text) {
        switch part {
        case .prose(let prose): now += prose
        case .file(let name, let text, let fence):
          if !name.isEmpty {
            try text.write(
              to: folder.url.appending(path: name), atomically: true, encoding: .utf8)
          }
          now += "\(fence)\n\(text)```\n"
        case .console(let lines):
          now += "```console\n"
          for line in lines where line.hasPrefix("$ ") {
            now += line + "\n" + (try shell(String(line.dropFirst(2)), folder.url))
          }
          now += "```\n"
        }
      }
      if ProcessInfo.processInfo.environment["COPAL_RECORD"] == "1" {
        try now.write(to: file, atomically: true, encoding: .utf8)
      } else {
        let old = text.split(separator: "\n", omittingEmptySubsequences: false)
        let new = now.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(new.difference(from: old).isEmpty, "\(new.difference(from: old))")
      }
    }

    /// What a line prints, with both streams.
    private func shell(_ line: String, _ folder: URL) throws -> String {
      let process = Process()
      process.executableURL = URL(filePath: "/bin/sh")
      process.arguments = ["-c", "exec 2>&1; " + line]
      process.currentDirectoryURL = folder
      let build = Bundle.main.bundleURL.resolvingSymlinksInPath().path(percentEncoded: false)
      process.environment = ProcessInfo.processInfo.environment.merging(RunFolder.variables) { $1 }
        .merging(["PATH": "\(build):/usr/local/bin:/usr/bin:/bin", "NO_COLOR": "1"]) { $1 }
      let output = Pipe()
      process.standardOutput = output
      process.standardInput = FileHandle.nullDevice
      try process.run()
      let bytes = output.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      let text = String(decoding: bytes, as: UTF8.self)
      return text.isEmpty || text.hasSuffix("\n") ? text : text + "\n"
    }
  }
#endif
