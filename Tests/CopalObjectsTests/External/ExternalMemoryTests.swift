#if os(Linux)
  import Copal
  import CopalTestSupport
  import Foundation
  import Testing

  @Suite("Values larger than the memory", .modelAsIs)
  struct ExternalMemoryTests {
    private static let count = 200_000_000

    @Test("a value larger than the memory of the process is stored, read and backed up")
    func largerThanMemory() async throws {
      let folder = try TemporaryFolder()
      let path = folder.url.path(percentEncoded: false)
      await #expect(processExitsWith: .success) { [path = path as String] in
        let folder = URL(filePath: path, directoryHint: .isDirectory)
        let source = folder.appending(path: "source")
        try Data([1]).write(to: source)
        let end = truncate(source.path(percentEncoded: false), ExternalMemoryTests.count)
        guard end == 0 else { exit(2) }
        try ExternalMemoryTests.limitMemory(toMegabytes: 64)

        let store = folder.appending(path: "Large.sqlite")
        let container = try PersistentContainer(
          model: .negatives, store: .sqlite(at: store), transformers: [NegativeNotes()])
        let context = container.makeContext()
        let negative = Negative(context: context, title: "Large")
        negative.scan = try Data(contentsOf: source, options: .alwaysMapped)
        try context.save()

        let copy = folder.appending(path: "Copy.sqlite")
        try await container.backup(to: copy)
        let other = try PersistentContainer(
          model: .negatives, store: .sqlite(at: copy), transformers: [NegativeNotes()])
        let found = try other.makeContext().fetch(Negative.self).first?.scan
        guard let found, found.count == ExternalMemoryTests.count, found.first == 1,
          found.last == 0
        else { exit(3) }
        exit(EXIT_SUCCESS)
      }
    }

    @Test("the limit of the test above ends a process that makes such a value in memory")
    func limitWorks() async throws {
      await #expect(processExitsWith: .failure) {
        try ExternalMemoryTests.limitMemory(toMegabytes: 64)
        let value = Data(repeating: 1, count: ExternalMemoryTests.count)
        exit(value.last == 1 ? EXIT_SUCCESS : EXIT_SUCCESS)
      }
    }

    private struct NoLimit: Error {}

    /// Limits the memory that the process may write to, in addition to what it has. Mapped files do
    /// not count: <https://man7.org/linux/man-pages/man2/getrlimit.2.html>.
    private static func limitMemory(toMegabytes megabytes: UInt) throws {
      let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
      guard
        let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmData:") }),
        let kilobytes = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({
          UInt($0)
        })
      else { throw NoLimit() }
      let bytes = (kilobytes + megabytes * 1024) * 1024
      var limit = rlimit(rlim_cur: bytes, rlim_max: bytes)
      guard setrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit) == 0 else {
        throw NoLimit()
      }
    }
  }
#endif
