import CopalEssentials

/// The formats that the process has parsed, up to a limit.
// @unchecked: the dictionary is touched under the lock only. The system's mutex may be used on any
// thread, and its memory does not move. Not the standard library's `Mutex`: the thread sanitizer
// does not see how it waits.
final class FormatCache: @unchecked Sendable {
  static let shared = FormatCache()

  /// The greatest number of formats.
  static let maximumCount = 500
  /// The greatest number of bytes of a text that is kept.
  static let maximumLength = 4096

  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var formats: [String: PredicateFormat] = [:]

  init() { pthread_mutex_init(mutex, nil) }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// The format of a text, parsed when it is not known.
  func format(_ text: String) throws(PredicateFormatError) -> PredicateFormat {
    pthread_mutex_lock(mutex)
    let known = formats[text]
    pthread_mutex_unlock(mutex)
    // Two texts are equal, too, when their accents are composed differently; their bytes are
    // compared here.
    if let known, known.text.hasSameBytes(as: text) { return known }
    let format = try PredicateFormat(text)
    guard text.utf8.count <= Self.maximumLength else { return format }
    pthread_mutex_lock(mutex)
    // Emptied as a whole: a program with more texts than that makes them, and has few of them
    // again.
    if formats.count >= Self.maximumCount { formats.removeAll(keepingCapacity: true) }
    formats[text] = format
    pthread_mutex_unlock(mutex)
    return format
  }
}

extension String {
  fileprivate func hasSameBytes(as other: String) -> Bool {
    let (a, b) = (utf8, other.utf8)
    guard a.count == b.count else { return false }
    let fast = a.withContiguousStorageIfAvailable { a in
      b.withContiguousStorageIfAvailable { b in
        guard let start = a.baseAddress, let other = b.baseAddress else { return a.isEmpty }
        return memcmp(start, other, a.count) == 0
      }
    }
    return (fast ?? nil) ?? a.elementsEqual(b)
  }
}
