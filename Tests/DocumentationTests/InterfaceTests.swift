import CopalTestSupport
import Foundation
import Testing

@Suite("The public interface")
struct InterfaceTests {
  // Another version of the compiler can print a declaration in another way.
  #if compiler(>=6.3) && compiler(<6.4)
    private static let isRecorded = true
  #else
    private static let isRecorded = false
  #endif

  private static func file(of library: String) -> URL {
    Repository.root.appending(path: "Docs/Interface/\(library).txt")
  }

  @Test(
    "each public declaration is in the file of its library, and nothing else",
    .enabled(if: isRecorded, "the files have what Swift 6.3 prints"),
    arguments: PublicInterface.libraries)
  func isAsRecorded(library: String) throws {
    let lines = try PublicInterface(of: library).lines
    let file = Self.file(of: library)
    if ProcessInfo.processInfo.environment["COPAL_RECORD"] == "1" {
      try (lines.joined(separator: "\n") + "\n").write(to: file, atomically: true, encoding: .utf8)
      return
    }
    let recorded = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      .map(String.init)
    let (now, before) = (Set(lines), Set(recorded))
    let changes =
      now.subtracting(before).map { "+ " + $0 } + before.subtracting(now).map { "- " + $0 }
    #expect(
      changes.isEmpty,
      """
      The public interface of \(library) has changed. If that is meant, run Scripts/interface --accept, and read the difference before you commit it:
      \(changes.sorted { $0.dropFirst(2) < $1.dropFirst(2) }.joined(separator: "\n"))
      """)
    #expect(lines == recorded, "the lines are sorted, and each is there once")
  }

  @Test("there is a file for each library of a product, and for no other")
  func files() throws {
    let files = try FileManager.default.contentsOfDirectory(
      atPath: Repository.root.appending(path: "Docs/Interface").path(percentEncoded: false))
    #expect(files.sorted() == PublicInterface.libraries.map { $0 + ".txt" })
    let manifest = try String(
      contentsOf: Repository.root.appending(path: "Package.swift"), encoding: .utf8)
    for product in manifest.matches(of: #/\.library\(name: "(\w+)"/#) {
      #expect(PublicInterface.libraries.contains(String(product.1)), "\(product.1)")
    }
  }
}
