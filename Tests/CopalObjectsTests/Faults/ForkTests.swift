import Copal
import CopalTestSupport
import Foundation
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite("A process that was made by fork")
struct ForkTests {
  /// Swift does not import it. A library in C may call it.
  private static func makeChild() -> pid_t {
    guard let symbol = dlsym(nil, "fork") else { return -1 }
    return unsafeBitCast(symbol, to: (@convention(c) () -> pid_t).self)()
  }

  @Test("a child can neither read nor write the store of its parent, and the parent goes on")
  func child() async throws {
    let folder = try TemporaryFolder()
    await #expect(processExitsWith: .success) {
      [path = folder.url.path(percentEncoded: false) as String] in
      let container = try NumberedSaves.container(in: URL(filePath: path))
      let context = container.makeContext()
      try NumberedSaves.save(1, context)
      _ = Negative(context: context, title: "unsaved")
      let child = ForkTests.makeChild()
      if child == 0 {
        var codes: [PersistenceError.Code] = []
        for work in [
          { _ = try context.count(Negative.self) }, { try context.save() },
          { _ = try container.makeContext().count(Negative.self) },
          { _ = try NumberedSaves.container(in: URL(filePath: path)) },
        ] as [() throws -> Void] {
          do { try work() } catch let error as PersistenceError { codes.append(error.code) }
        }
        // No handler of the end runs, which would be the parent's.
        _exit(codes == Array(repeating: .forked, count: 4) ? 7 : 8)
      }
      var status: Int32 = 0
      while waitpid(child, &status, 0) < 0, errno == EINTR {}
      guard (status >> 8) & 0xff == 7 else { exit(1) }
      context.rollback()
      try NumberedSaves.save(2, context)
      guard try NumberedSaves.found(context) == NumberedSaves.contents(after: 2) else { exit(2) }
    }
    let context = try NumberedSaves.container(in: folder.url).makeContext()
    #expect(try NumberedSaves.last(context) == 2)
  }

  @Test("a child that was made before a store was open can open it")
  func early() async throws {
    let folder = try TemporaryFolder()
    await #expect(processExitsWith: .success) {
      [path = folder.url.path(percentEncoded: false) as String] in
      // A store that was closed does not count.
      do {
        try NumberedSaves.save(1, NumberedSaves.container(in: URL(filePath: path)).makeContext())
      }
      let child = ForkTests.makeChild()
      if child == 0 {
        let context = try? NumberedSaves.container(in: URL(filePath: path)).makeContext()
        guard let context, (try? NumberedSaves.save(2, context)) != nil else { _exit(8) }
        _exit(7)
      }
      var status: Int32 = 0
      while waitpid(child, &status, 0) < 0, errno == EINTR {}
      guard (status >> 8) & 0xff == 7 else { exit(1) }
    }
    let context = try NumberedSaves.container(in: folder.url).makeContext()
    #expect(try NumberedSaves.last(context) == 2)
  }
}
