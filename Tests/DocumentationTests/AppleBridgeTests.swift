import CopalTestSupport
import Foundation
import Testing

/// What the bridges to Apple's frameworks call is checked on any platform, against the modules in
/// Tests/AppleStandIns.
@Suite("Bridges to Apple's frameworks")
struct AppleBridgeTests {
  private func check(sources: String) throws -> (status: Int32, output: String) {
    try Command.run(
      Repository.root.appending(path: "Scripts/check-apple").path(percentEncoded: false),
      "--modules", Command.products.appending(path: "Modules").path(percentEncoded: false),
      "--sources", sources)
  }

  @Test("row 39: their types are right, as on a Mac and as on an iPhone")
  func areValid() throws {
    let result = try check(
      sources: Repository.root.appending(path: "Sources").path(percentEncoded: false))
    #expect(result.status == 0, "\(result.output)")
    for library in ["CopalColor", "CopalTransformers"] {
      for platform in ["AppKit", "UIKit"] {
        #expect(result.output.contains("\(library), as with \(platform)"), "\(result.output)")
      }
    }
  }

  /// A mistake in each bridge, and the error that the compiler must report.
  static let mistakes: [(file: String, right: String, wrong: String, error: String)] = [
    (
      "CopalColor/Bridges/SerializableColor+CGColor.swift", "intent: .defaultIntent",
      "intent: .nearest", "type 'CGColorRenderingIntent' has no member 'nearest'"
    ),
    (
      "CopalColor/Bridges/SerializableColor+NSColor.swift", "guard let color = NSColor(",
      "guard let color = Optional<UIColor>(", "cannot find type 'UIColor' in scope"
    ),
    (
      "CopalColor/Bridges/SerializableColor+UIColor.swift", "color.cgColor", "color.cgColors",
      "value of type 'UIColor' has no member 'cgColors'"
    ),
    (
      "CopalColor/Bridges/SerializableColor+SwiftUI.swift", "color.opacity", "color.alpha",
      "value of type 'Color.Resolved' has no member 'alpha'"
    ),
    (
      "CopalTransformers/Geometry/CoreGraphicsTypes.swift", "typealias Size = CGSize",
      "typealias Size = CGVector", "cannot find type 'CGVector' in scope"
    ),
  ]

  @Test("a wrong call is found in each of them")
  func mistakesAreFound() throws {
    let folder = try TemporaryFolder()
    for library in ["CopalColor", "CopalTransformers"] {
      try FileManager.default.copyItem(
        at: Repository.root.appending(path: "Sources/\(library)"),
        to: folder.url.appending(path: library))
    }
    for mistake in Self.mistakes {
      let file = folder.url.appending(path: mistake.file)
      let text = try String(contentsOf: file, encoding: .utf8)
      #expect(text.contains(mistake.right), "\(mistake.file) has changed")
      try text.replacing(mistake.right, with: mistake.wrong).write(
        to: file, atomically: true, encoding: .utf8)
    }
    let result = try check(sources: folder.url.path(percentEncoded: false))
    #expect(result.status == 1)
    for mistake in Self.mistakes {
      #expect(result.output.contains(mistake.error), "\(mistake.file)\n\(result.output)")
    }
  }

  @Test("each module of Apple that a library can import has a stand-in, or is a part of the system")
  func frameworks() throws {
    let system: Set = [
      "Android", "Darwin", "FoundationEssentials", "FoundationInternationalization", "Glibc",
      "Musl",
      "ObjectiveC",
      // Imported on Linux only.
      "Runtime",
    ]
    let standIns = Set(
      Repository.files(under: "Tests/AppleStandIns").compactMap {
        $0.split(separator: "/").dropFirst(2).first.map(String.init)
      })
    #expect(standIns.isSuperset(of: ["AppKit", "CoreGraphics", "SwiftUI", "UIKit"]))
    let script = try Repository.text("Scripts/check-apple")
    for file in Repository.files(under: "Sources") where file.hasSuffix(".swift") {
      for match in try Repository.text(file).matches(of: /canImport\((\w+)\)/) {
        let module = String(match.output.1)
        if system.contains(module) { continue }
        #expect(standIns.contains(module), "\(file) imports \(module)")
        #expect(script.contains(module), "Scripts/check-apple does not look for \(module)")
      }
    }
  }
}
