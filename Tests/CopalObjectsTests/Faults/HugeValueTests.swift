import Copal
import CopalTestSupport
import Foundation
import Testing

@Suite("Huge values")
struct HugeValueTests {
  private static let model = """
    { "copal": 1, "model": "Huge", "entities": { "Box": { "codegen": "none", "attributes": {
      "bytes": "binary?", "text": "string?", "file": { "type": "binary?", "external": 1000 } } } } }
    """

  private static func context(_ path: String) throws -> ManagedObjectContext {
    try PersistentContainer(
      model: ModelBinding(name: "Huge", json: model, classes: []),
      store: .sqlite(at: URL(filePath: path))
    ).makeContext()
  }

  /// The greatest memory of the process so far, in bytes; 0 where it is not known.
  private static func peak() -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return (line.flatMap { Int($0.filter(\.isNumber)) } ?? 0) << 10
  }

  @Test(
    "a value of 64 MB is kept exactly, in its row and in a file, with at most four times its memory",
    .modelAsIs, arguments: ["bytes", "file", "text"])
  func sixtyFourMegabytes(attribute: String) async throws {
    let folder = try TemporaryFolder()
    await #expect(processExitsWith: .success) {
      [
        path = folder.url.appending(path: "h.sqlite").path(percentEncoded: false) as String,
        attribute = attribute as String
      ] in
      let size = 64 << 20
      do {
        let context = try HugeValueTests.context(path)
        let before = HugeValueTests.peak()
        let box = try context.insert("Box")
        if attribute == "text" {
          try box.setValue(String(repeating: "x", count: size), forKey: attribute)
        } else {
          try box.setValue(Data(repeating: 7, count: size), forKey: attribute)
        }
        try context.save()
        guard before == 0 || HugeValueTests.peak() - before < 4 * size else { exit(2) }
      }
      let context = try HugeValueTests.context(path)
      let box = try context.fetch(FetchRequest<ManagedObject>(entityName: "Box"))[0]
      if attribute == "text" {
        guard try box.value(of: attribute, as: String.self)?.utf8.count == size else { exit(3) }
      } else {
        guard try box.value(of: attribute, as: Data.self) == Data(repeating: 7, count: size) else {
          exit(4)
        }
      }
    }
  }

  @Test(
    "a value of 1 GB is refused in a row, and kept in a file, with at most three times its memory",
    .modelAsIs, .enabled(if: FaultCases.isDeepRun, "needs 3 GB of memory"))
  func oneGigabyte() async throws {
    let folder = try TemporaryFolder()
    await #expect(processExitsWith: .success) {
      [path = folder.url.appending(path: "h.sqlite").path(percentEncoded: false) as String] in
      let size = 1 << 30
      do {
        let context = try HugeValueTests.context(path)
        let before = HugeValueTests.peak()
        let box = try context.insert("Box")
        let value = Data(count: size)
        try box.setValue(value, forKey: "bytes")
        let error = #expect(throws: PersistenceError.self) { try context.save() }
        guard let error, error.code == .tooBig || error.causeCodes == [.tooBig] else { exit(2) }
        try box.setValue(nil, forKey: "bytes")
        try box.setValue(value, forKey: "file")
        try context.save()
        let peak = HugeValueTests.peak() - before
        print("faults: a peak of \(peak >> 20) MB for a value of \(size >> 20) MB")
        guard before == 0 || peak < 3 * size else { exit(3) }
      }
      let context = try HugeValueTests.context(path)
      let read = try context.fetch(FetchRequest<ManagedObject>(entityName: "Box"))
      guard try read[0].value(of: "file", as: Data.self)?.count == size else { exit(4) }
    }
  }
}
