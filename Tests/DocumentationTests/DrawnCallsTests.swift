import Foundation
import Testing

@Suite("The drawings of calls in Docs/Operations.md")
struct DrawnCallsTests {
  @Test("the page has its drawings")
  func count() throws {
    #expect(try DrawnCalls.all().count >= 4)
  }

  @Test("every file of a drawing exists once below Sources", arguments: try DrawnCalls.all())
  func files(drawing: DrawnCalls) {
    for line in drawing.lines {
      #expect(line.sources.count == 1, "\(drawing): \(line.file).swift")
    }
  }

  @Test("every function of a drawing is declared in its file", arguments: try DrawnCalls.all())
  func functions(drawing: DrawnCalls) {
    for line in drawing.lines {
      for function in line.functions {
        #expect(line.declares(function), "\(drawing): \(function) in \(line.file).swift")
      }
    }
  }

  @Test(
    "every function of a drawing is named in the file that calls it, or in its own",
    arguments: try DrawnCalls.all())
  func callers(drawing: DrawnCalls) {
    for line in drawing.lines {
      guard let caller = drawing.caller(of: line) else { continue }
      for function in line.functions {
        #expect(
          line.calls(function, from: caller),
          "\(drawing): \(line.file).\(function) is not called in \(caller.file).swift")
      }
    }
  }

  @Test("a drawing says how many calls and files it has", arguments: try DrawnCalls.all())
  func numbers(drawing: DrawnCalls) {
    let calls = drawing.lines.map(\.functions.count).reduce(0, +)
    let files = Set(drawing.lines.map(\.file)).count
    #expect(drawing.textBelow.hasPrefix("\(calls) calls in \(files) files"), "\(drawing)")
  }

  @Test("a line of a drawing is narrow, and one step deeper than its caller")
  func form() throws {
    for drawing in try DrawnCalls.all() {
      #expect(drawing.unreadable == [], "\(drawing)")
      for (above, line) in zip(drawing.lines, drawing.lines.dropFirst()) {
        #expect(line.depth <= above.depth + 1, "\(drawing): \(line.file)")
      }
    }
  }

  @Test(
    "every type, module and file that a page about the design names exists",
    arguments: [
      ("Architecture", 60), ("Operations", 30), ("DecisionsStore", 30), ("DecisionsQueries", 30),
      ("DecisionsObjects", 30), ("DecisionsMigration", 15),
    ])
  func names(of pageName: String, count: Int) throws {
    // Types of other libraries.
    let foreign = ["Any", "Codable", "Mutex", "Thread"]
    let page = try Page("Docs/\(pageName).md")
    let words = page.prose.flatMap { $0.matches(of: /`([A-Z][\w+]*)(\.swift)?`/) }
    #expect(words.count > count)
    for word in words where !foreign.contains(String(word.output.1)) {
      let name = String(word.output.1)
      let isFile = Source.all.contains { $0.name == name }
      let isType = Source.all.contains { $0.types.contains(name) }
      let isModule = ["Sources", "Tests", "Plugins"].contains { folder in
        let module = Repository.root.appending(path: "\(folder)/\(name)")
        return FileManager.default.fileExists(atPath: module.path(percentEncoded: false))
      }
      let exists = word.output.2 == nil ? isFile || isType || isModule : isFile
      #expect(exists, "\(word.output.0)")
    }
  }
}

/// One drawing: a tree of files, each with the functions that are called in it.
struct DrawnCalls: Sendable, CustomStringConvertible {
  let description: String
  let lines: [Line]
  /// The lines that have neither the form of a line nor that of a caption, and those that are too
  /// wide.
  let unreadable: [String]
  /// The first line of text below the drawing.
  let textBelow: String

  struct Line: Sendable {
    let number: Int
    let depth: Int
    let file: String
    let functions: [String]

    var sources: [Source] { Source.all.filter { $0.name == file } }

    /// The type whose initializer `init` is.
    private var type: String { String(file.prefix { $0 != "+" }) }

    func declares(_ function: String) -> Bool {
      sources.contains { $0.declared.contains(function) }
    }

    func calls(_ function: String, from caller: Line) -> Bool {
      let name = function == "init" ? type : function
      // One occurrence in its own file is the declaration.
      let isCalledByItsFile = sources.contains { $0.count(of: name) > 1 }
      let isCalled = caller.sources.contains {
        $0.count(of: name) > 0 || function == "init" && $0.count(of: "init") > 0
      }
      return isCalled || isCalledByItsFile
    }
  }

  /// The nearest line above with a smaller depth.
  func caller(of line: Line) -> Line? {
    lines.last { $0.number < line.number && $0.depth < line.depth }
  }

  static func all() throws -> [DrawnCalls] {
    let page = try Page("Docs/Operations.md")
    let lines = page.text.split(separator: "\n", omittingEmptySubsequences: false)
    return page.blocks.filter { $0.kind == "text" }.map { block in
      // The block's line is that of the fence.
      let below = lines[(block.line + block.lines.count + 1)...]
      return DrawnCalls(block, below: String(below.first { !$0.isEmpty } ?? ""))
    }
  }

  private init(_ block: Page.Block, below: String) {
    description = block.description
    textBelow = below
    var (lines, unreadable) = ([Line](), [String]())
    for (number, text) in block.lines.enumerated() {
      if text.count > 100 { unreadable.append(String(text)) }
      if text.hasSuffix(":") || text.isEmpty { continue }
      guard let match = text.wholeMatch(of: /((?:  )*)([A-Z][\w+]*) +([\w, ]+)/) else {
        unreadable.append(String(text))
        continue
      }
      let functions = match.output.3.split(separator: ", ").map(String.init)
      lines.append(
        Line(
          number: number, depth: match.output.1.count / 2, file: String(match.output.2),
          functions: functions))
    }
    (self.lines, self.unreadable) = (lines, unreadable)
  }
}

/// A Swift file of the package, as the words of its code.
struct Source: Sendable {
  let path: String
  /// The functions and properties that the file declares; "init" for an initializer.
  private(set) var declared: Set<String> = []
  /// The types that the file declares.
  private(set) var types: Set<String> = []
  /// The number of lines that have a word.
  private var counts: [String: Int] = [:]

  static let all: [Source] = Repository.files(under: "Sources").filter { $0.hasSuffix(".swift") }
    .compactMap { try? Source($0) }

  private init(_ path: String) throws {
    self.path = path
    for line in try Repository.text(path).split(separator: "\n") {
      let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
      if line.drop(while: { $0 == " " }).hasPrefix("//") { continue }
      for word in Set(words) { counts[word, default: 0] += 1 }
      if words.contains("init"), !line.contains(".init") { declared.insert("init") }
      for (keyword, name) in zip(words, words.dropFirst()) {
        switch keyword {
        case "func", "var", "let": declared.insert(name)
        case "class", "struct", "enum", "protocol", "actor", "typealias": types.insert(name)
        default: break
        }
      }
    }
  }

  /// The name of the file without its ending.
  var name: String { String(path.split(separator: "/").last?.dropLast(6) ?? "") }

  /// How many lines have the word.
  func count(of word: String) -> Int { counts[word] ?? 0 }
}
