/// Finds the valid name that is most similar to a misspelled one.
///
/// The measure is the Damerau-Levenshtein distance in its "optimal string alignment" form
/// (insert, delete, replace, swap neighbors), without regard to case.
package enum NearestName {
  /// - Returns: the nearest candidate that differs in no more than a third of its letters, but not
  ///   in all of them, or `nil`.
  @inline(never)
  package static func of(_ name: String, among candidates: some Sequence<String>) -> String? {
    let wanted = letters(of: name)
    var best: (name: String, distance: Int)?
    for candidate in candidates {
      let letters = letters(of: candidate)
      let allowed = max(1, max(wanted.count, letters.count) / 3)
      let distance = distance(wanted, letters)
      guard distance <= allowed, distance < max(wanted.count, letters.count) else { continue }
      if let found = best, (found.distance, found.name) <= (distance, candidate) { continue }
      best = (candidate, distance)
    }
    return best?.name
  }

  /// The number of characters of a name that are compared.
  static let maximumLength = 64

  private static func letters(of name: String) -> [Unicode.Scalar] {
    // Cut first, because a name in a file may have any length.
    let start = String(String.UnicodeScalarView(name.unicodeScalars.prefix(maximumLength)))
    return Array(start.lowercased().unicodeScalars.prefix(maximumLength))
  }

  @inline(never)
  private static func distance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
    if a.isEmpty || b.isEmpty { return max(a.count, b.count) }
    var beforeLast = [Int](repeating: 0, count: b.count + 1)
    var last = Array(0...b.count)
    for i in 1...a.count {
      var row = [i] + [Int](repeating: 0, count: b.count)
      for j in 1...b.count {
        let replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)
        row[j] = min(last[j] + 1, row[j - 1] + 1, replaced)
        if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
          row[j] = min(row[j], beforeLast[j - 2] + 1)
        }
      }
      beforeLast = last
      last = row
    }
    return last[b.count]
  }
}

extension String {
  /// A text from a file or a program for a message, shortened and on one line: control characters
  /// and line breaks are escaped.
  @inline(never)
  func shown(maximumLength: Int = 80) -> String {
    var line = ""
    for scalar in unicodeScalars.prefix(maximumLength) {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator, .format:
        line += scalar.escaped(asASCII: true)
      default: line.unicodeScalars.append(scalar)
      }
    }
    return unicodeScalars.dropFirst(maximumLength).isEmpty ? line : line + "…"
  }
}
