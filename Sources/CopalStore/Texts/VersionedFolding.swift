import CopalEssentials
package import CopalModel

/// The function of derived columns with texts, and its version.
///
/// A store remembers the version by which its columns were made. Unicode promises that the folding
/// and the decomposition of a character never change once it is assigned, so two versions differ
/// only for texts with characters that the older one does not know:
/// https://www.unicode.org/policies/stability_policy.html
package struct VersionedFolding: Sendable {
  /// The version of Unicode of the tables.
  package let version: UnicodeVersion
  /// Characters that the tables do not know, and that stay as they are. Only an older version has
  /// some that this one does not.
  private let unknown: Set<Unicode.Scalar>

  /// The function of this version of Copal.
  package static let current = VersionedFolding(
    version: UnicodeVersion(TextFolding.unicodeVersion) ?? UnicodeVersion([]))

  /// The function of a version of Unicode.
  package init(version: UnicodeVersion, unknown: Set<Unicode.Scalar> = []) {
    self.version = version
    self.unknown = unknown
  }

  /// Calls the body with the folded form of a text in UTF-8: with the text itself where it is its
  /// form.
  package func withFolded<R>(
    _ text: UnsafeBufferPointer<UInt8>, _ options: FetchPredicate.TextOptions,
    _ body: (UnsafeBufferPointer<UInt8>) -> R
  ) -> R {
    guard text.isASCII else {
      return folded(String(decoding: text, as: UTF8.self), options).withUnsafeBufferPointer(body)
    }
    let hasCapitals = options.contains(.caseInsensitive) && text.contains { $0 &- 0x41 < 26 }
    guard hasCapitals else { return body(text) }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: text.count) { buffer in
      for place in text.indices { buffer.initializeElement(at: place, to: text[place].lowercased) }
      return body(UnsafeBufferPointer(buffer))
    }
  }

  /// The folded form of a text, in UTF-8.
  package func folded(_ text: String, _ options: FetchPredicate.TextOptions) -> [UInt8] {
    let folding = TextFolding(options)
    if unknown.isEmpty { return folding.folded(text) }
    var bytes: [UInt8] = []
    var known = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      guard unknown.contains(scalar) else {
        known.append(scalar)
        continue
      }
      bytes += folding.folded(String(known)) + Array(String(scalar).utf8)
      known = String.UnicodeScalarView()
    }
    return bytes + folding.folded(String(known))
  }
}

/// A version of Unicode, such as 14.0.0.
package struct UnicodeVersion: Sendable, Comparable, CustomStringConvertible {
  private let numbers: [Int]

  package init(_ numbers: [Int]) { self.numbers = numbers }

  /// The version of a text such as `14.0.0`; nil for another text.
  package init?(_ text: String) {
    let numbers = text.split(separator: ".", omittingEmptySubsequences: false).map {
      Int(written: String($0))
    }
    guard numbers.count == 3, numbers.allSatisfy({ $0.map { $0 >= 0 } ?? false }) else {
      return nil
    }
    self.numbers = numbers.compactMap { $0 }
  }

  package static func < (a: Self, b: Self) -> Bool {
    a.numbers.lexicographicallyPrecedes(b.numbers)
  }

  package var description: String { numbers.map(String.init).joined(separator: ".") }
}
