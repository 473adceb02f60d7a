#if canImport(Glibc)
  import CopalTestSupport
  import Foundation
  import Glibc
  import Testing

  @testable import CopalSQLite

  @Suite("Locks on files")
  struct FileLockTests {
    /// Another descriptor of an open file, as a child process has it until its program begins.
    private func duplicate(_ path: String) throws -> Int32 {
      let names = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
      let open = names.first {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0)) == path
      }
      return dup(try #require(open.flatMap(Int32.init)))
    }

    @Test("a lock that has ended is free, although a child process that begins still has the file")
    func childProcess() throws {
      let folder = try TemporaryFolder()
      let path = folder.url.appending(path: "lock").resolvingSymlinksInPath()
        .path(percentEncoded: false)
      let lock = try #require(try FileLock(path, isExclusive: true, waits: false))
      let copy = try duplicate(path)
      defer { close(copy) }
      #expect(try FileLock(path, isExclusive: true, waits: false) == nil)
      lock.end()
      let next = try FileLock(path, isExclusive: true, waits: false)
      #expect(next != nil)
      next?.end()
    }
  }
#endif
