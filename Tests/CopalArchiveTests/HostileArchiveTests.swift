import CopalArchive
import Foundation
import Testing

/// Scripts/make-hostile-archives builds the files: many of their values use the same bytes.
@Suite("Hostile archives")
struct HostileArchiveTests {
  private static let corpus = URL(filePath: #filePath).appending(path: "../../Fuzz/Corpus")
    .standardized

  /// The bytes of a file of the corpus.
  static func file(_ name: String) -> [UInt8] {
    (try? Data(contentsOf: corpus.appending(path: "hostile-\(name)"))).map { Array($0) } ?? []
  }

  private static let lineEnds =
    "<?xml version=\"1.0\"?><plist version=\"1.0\"><string>"
    + String(repeating: "\r\n", count: 20_000) + "</string></plist>"

  @Test(
    "a property list whose texts or data overlap is refused, also when they are at one place",
    arguments: [
      "overlapping-ascii", "overlapping-utf8", "overlapping-utf16", "overlapping-data",
      "overlapping-small", "one-place",
    ])
  func overlapping(_ name: String) {
    let error = #expect(throws: ArchiveError.self) { try PropertyListValue(Self.file(name)) }
    #expect(error?.code == .overlap, "\(String(describing: error))")
  }

  @Test("texts that many references share are read")
  func shared() throws {
    let one = try #require(try PropertyListValue(Self.file("shared-text")).array)
    #expect(one.count == 20_000)
    #expect(one.allSatisfy { $0.string?.utf8.count == 20_000 })
    let many = try #require(try PropertyListValue(Self.file("shared-texts")).array)
    #expect(many.count == 20_000)
    #expect(many.indices.allSatisfy { Int(many[$0].string ?? "") == $0 % 1000 })
  }

  @Test("objects that share a long list of ancestors, or the bytes of a text, are read")
  func archives() throws {
    let lists = try KeyedArchive(Self.file("class-list")).root(allowing: ["NSArray"])
    #expect(lists == .array(Array(repeating: .array([]), count: 1000)))
    let texts = try KeyedArchive(Self.file("text-bytes")).root(allowing: ["NSArray"])
    let text = ArchivedValue.string(String(repeating: "x", count: 20_000))
    #expect(texts == .array(Array(repeating: text, count: 2000)))
  }

  @Test("XML with long line ends, declarations and numbers is read or refused")
  func xml() throws {
    let text = try PropertyListValue(Array(Self.lineEnds.utf8)).string
    #expect(text == String(repeating: "\n", count: 20_000))
    let error = #expect(throws: ArchiveError.self) {
      try PropertyListValue(Self.file("declaration.xml"))
    }
    #expect(error?.code == .xml && error?.found == "'a'")
    #expect(try PropertyListValue(Self.file("real.xml")).number == .infinity)
  }

  @Test("a key of a dictionary counts as a value, in XML as in a binary property list")
  func keys() throws {
    let value: PropertyListValue = ["a": 1, "b": 2]
    let xml = Array(try value.xml().utf8)
    for bytes in [value.binary(), xml] {
      #expect(try PropertyListValue(bytes, limits: ArchiveLimits(count: 5)) == value)
      let error = #expect(throws: ArchiveError.self) {
        try PropertyListValue(bytes, limits: ArchiveLimits(count: 4))
      }
      #expect(error?.code == .count)
    }
  }

  #if os(Linux)
    @Test("each is read with the memory that the limits promise: twice its size, and 16 MB")
    func memory() async {
      await #expect(processExitsWith: .success) {
        var inputs = try FileManager.default.contentsOfDirectory(
          at: HostileArchiveTests.corpus, includingPropertiesForKeys: nil
        ).filter { $0.lastPathComponent.hasPrefix("hostile-") }.map { try Data(contentsOf: $0) }
        try #require(inputs.count > 10)
        inputs.append(Data(HostileArchiveTests.lineEnds.utf8))
        inputs.append(Data("<?xml encoding \(String(repeating: "a ", count: 2 << 20))?>".utf8))
        for input in inputs {
          let bytes = Array(input)
          let before = try HostileArchiveTests.startOfMeasurement()
          _ = try? KeyedArchive(bytes).root(allowing: ["NSArray"])
          let kilobytes = try HostileArchiveTests.status("VmHWM:") - before
          if kilobytes > 2 * bytes.count / 1024 + 16 * 1024 { exit(EXIT_FAILURE) }
        }
        exit(EXIT_SUCCESS)
      }
    }

    private struct NoStatus: Error {}

    /// The kilobytes of the process, whose greatest number begins again:
    /// <https://man7.org/linux/man-pages/man5/proc_pid_clear_refs.5.html>.
    private static func startOfMeasurement() throws -> Int {
      try Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))
      return try status("VmRSS:")
    }

    private static func status(_ name: String) throws -> Int {
      let lines = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        .split(separator: "\n")
      let words = lines.first { $0.hasPrefix(name) }?.split(whereSeparator: \.isWhitespace)
      guard let words, words.count > 1, let kilobytes = Int(words[1]) else { throw NoStatus() }
      return kilobytes
    }
  #endif
}
