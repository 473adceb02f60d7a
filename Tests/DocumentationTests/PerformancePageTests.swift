import CopalTestSupport
import Foundation
import Testing

/// The tables and the picture of the page come from the stored results.
@Suite("Docs/Measurements.md", .enabled(if: Command.hasPython))
struct PerformancePageTests {
  private func tool(_ name: String) -> String {
    Repository.root.appending(path: "Benchmarks/\(name)").path(percentEncoded: false)
  }

  @Test("the page and the picture are those of the stored results")
  func isWritten() throws {
    let checked = try Command.run("python3", tool("page"), "--check")
    #expect(checked.status == 0, "\(checked.output)")
  }

  @Test(
    "the picture marks every cut bar with its real number",
    arguments: [
      (4.99, "GRDB 4.99", 0), (5.0, "GRDB 5.00", 0), (5.01, "GRDB 5.0", 1), (13.9, "GRDB 13.9", 1),
      (178.04, "GRDB 178.0", 1),
    ])
  func cutBars(ratio: Double, label: String, cuts: Int) throws {
    let folder = RunFolder.url.appending(path: "copal-picture-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let results = folder.appending(path: "results.json").path(percentEncoded: false)
    let picture = folder.appending(path: "picture.svg").path(percentEncoded: false)
    try Self.results(ratio).write(toFile: results, atomically: true, encoding: .utf8)
    let drawn = try Command.run("python3", tool("draw"), results, picture)
    #expect(drawn.status == 0, "\(drawn.output)")
    let text = try String(contentsOfFile: picture, encoding: .utf8)
    #expect(text.contains(">\(label)</text>"))
    // A gap is drawn in white between two strokes in the color of the bar.
    #expect(text.components(separatedBy: "fill=\"white\"/>\n<path").count - 1 == cuts)
    #expect(text.contains("A bar with a gap is cut") == (cuts > 0))
  }

  private static func results(_ ratio: Double) -> String {
    """
    {
      "format": 1, "date": "2026-11-21", "rows": 100000,
      "machine": { "processor": "A processor", "cores": 2 },
      "workloads": [
        {
          "name": "get",
          "programs": { "raw": { "cpu": 100 }, "grdb": { "cpu": \(ratio * 100) } }
        }
      ]
    }
    """
  }
}

extension Command {
  /// Whether the scripts that write pages can run.
  static let hasPython = (try? run("python3", "--version"))?.status == 0
}
