import CopalStore

/// What a listing prints, for the test that runs it.
enum Printed {
  @TaskLocal private static var lines: Locked<[String]>?

  /// The function that listings call `print`.
  static func add(_ items: [Any]) {
    let text = items.map { String(describing: $0) }.joined(separator: " ")
    lines?.withLock { $0.append(text) }
  }

  /// What the body prints, as one text.
  static func text(of body: () throws -> Void) rethrows -> String {
    let lines = Locked<[String]>([])
    try $lines.withValue(lines) { try body() }
    return lines.withLock { $0 }.joined(separator: "\n")
  }
}
