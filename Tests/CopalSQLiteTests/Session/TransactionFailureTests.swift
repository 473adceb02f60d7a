import CCopalSQLite
import CopalModel
import CopalSQLite
import CopalStore
import CopalStoreConformance
import CopalTestSupport
import Foundation
import Testing

@Suite("Transactions on a disk that fails")
struct TransactionFailureTests {
  /// Makes every write of SQLite fail like a broken disk, or work again, in a child process.
  static func setWritesFail(_ fail: Bool) {
    typealias Write = @convention(c) (Int32, UnsafeRawPointer?, Int) -> Int
    let write: Write = { _, _, _ in
      errno = ENOSPC
      return -1
    }
    guard let vfs = sqlite3_vfs_find(nil) else { exit(EXIT_FAILURE) }
    for name in ["write", "pwrite", "pwrite64"] {
      _ = vfs.pointee.xSetSystemCall(
        vfs, name, fail ? unsafeBitCast(write, to: sqlite3_syscall_ptr.self) : nil)
    }
  }

  @Test(
    "a commit that fails undoes the transaction, and a later one succeeds",
    arguments: [false, true])
  func commit(inner: Bool) async throws {
    let test = try TestStore()
    let path = test.file.path(percentEncoded: false)
    await #expect(processExitsWith: .success) { [path = path as String, inner = inner as Bool] in
      do {
        let store = try SQLiteStore(path: path, schema: StoreModels.sampler())
        let tester = try StoreTester(store)
        try tester.insert(["text": "before"])
        try tester.session.beginTransaction()
        let key = try tester.insert(["text": "inside"])
        if inner { try tester.session.beginTransaction() }
        // More than the page cache has, so that the pages are written before the commit.
        TransactionFailureTests.setWritesFail(true)
        let large = PropertyValue.binary(Data(repeating: 7, count: 20_000_000))
        var codes: [PersistenceError.Code?] = []
        for step in [
          { if inner { try tester.insert(["bytes": large]) } },
          { if inner { try tester.insert(["text": "after"]) } },
          { if inner { _ = try tester.keys() } },
          { if inner { try tester.session.commitTransaction() } },
          { _ = try tester.session.commitTransaction() },
        ] {
          do {
            try step()
            codes.append(nil)
          } catch let error as PersistenceError { codes.append(error.code) }
        }
        TransactionFailureTests.setWritesFail(false)
        let expected: [PersistenceError.Code?] =
          inner
          ? [.diskFull, .transactionLost, .transactionLost, .transactionLost, .transactionLost]
          : [nil, nil, nil, nil, .diskFull]
        let count = try tester.rows().count
        let next = try tester.insert(["text": "later"])
        print(codes, count, key, next)
        exit(codes == expected && count == 1 && next > key ? EXIT_SUCCESS : EXIT_FAILURE)
      } catch {
        print(error)
        exit(EXIT_FAILURE)
      }
    }
  }
}
