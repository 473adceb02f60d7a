import CopalTestSupport
import Foundation
import Testing

@Suite("The example Gallery")
struct GalleryTests {
  @Test("the example follows another context, a task, and another process")
  func follows() throws {
    let folder = try TemporaryFolder()
    let path = folder.url.appending(path: "gallery").path(percentEncoded: false)
    let shown = Program("GalleryExample").process(
      ["--folder", path, "--until", "The Night Watch"], [:])
    let output = Pipe()
    shown.standardOutput = output
    try shown.run()
    // Once the task in the background has hung its painting.
    var text = ""
    while !text.contains("Nighthawks (1)") {
      let data = output.fileHandleForReading.availableData
      try #require(!data.isEmpty, "it has ended: \(text)")
      text += String(decoding: data, as: UTF8.self)
    }
    let second = try Program("GalleryExample").run(
      ["--folder", path, "hang", "The Night Watch", "Room 2"])
    #expect(second.output == "The Night Watch hangs in Room 2\n" && second.errors.isEmpty)
    text += String(
      decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    shown.waitUntilExit()
    #expect(shown.terminationStatus == 0)
    let frames = text.split(separator: "-- ", omittingEmptySubsequences: false)
    // Behind each frame is its reason.
    let last = frames.dropLast().last.map { $0.drop { $0 != "\n" }.dropFirst() } ?? ""
    #expect(String(last) == (try Program.expectedOutput(of: "Gallery")), "\(text)")
    #expect(text.contains("the gallery opens") && text.contains("1 new"))
  }

  @Test("the example prints its usage, and reports invalid arguments")
  func arguments() throws {
    let help = try Program("GalleryExample").run(["--help"])
    #expect(help.status == 0 && help.output.hasPrefix("usage: GalleryExample"))
    let wrong = try Program("GalleryExample").run(["hang"])
    #expect(wrong.status == 1 && wrong.errors.contains("hang needs a value"))
  }
}
