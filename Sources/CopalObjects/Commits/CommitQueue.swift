/// The last commits, numbered one after the other.
struct CommitQueue {
  private var commits: [Commit] = []
  /// The position of the first commit in the array.
  private var start = 0
  /// The number of the first commit.
  private var first = 0
  private(set) var rowCount = 0
  private(set) var byteCount = 0

  mutating func append(_ commit: Commit, number: Int) {
    if start == commits.count { first = number }
    commits.append(commit)
    rowCount += commit.rowCount
    byteCount += commit.byteCount
  }

  /// The commits with greater numbers.
  func after(_ number: Int) -> ArraySlice<Commit> {
    commits[min(commits.count, start + max(0, number + 1 - first))...]
  }

  mutating func removeFirst() -> (Commit, number: Int)? {
    if start == commits.count { return nil }
    let commit = commits[start]
    rowCount -= commit.rowCount
    byteCount -= commit.byteCount
    start += 1
    first += 1
    // Half of them at a time, so that each commit is moved a few times only.
    if start > 32, start > commits.count / 2 {
      commits.removeFirst(start)
      start = 0
    } else {
      commits[start - 1].release()
    }
    return (commit, first - 1)
  }

  mutating func removeFirst(upTo number: Int, into released: inout [Commit]) {
    while start < commits.count, first <= number, let (commit, _) = removeFirst() {
      released.append(commit)
    }
  }
}
