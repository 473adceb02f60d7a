/// The reserved words of formats. They are read without regard to case; `#` before a name makes it
/// a property's name.
enum FormatWord: String, CaseIterable {
  case and, or, not
  case any, all
  // Not `some` and `none`, which are the cases of every optional.
  case someOf = "some"
  case noneOf = "none"
  case `in`, between, contains, beginswith, endswith, like, matches
  case `true`, `false`, yes, no, null, `nil`
  case `self`
  case truepredicate, falsepredicate

  /// The word of the bytes; nil for another text.
  init?(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int) {
    guard 2...14 ~= end &- start, end <= bytes.count else { return nil }
    var key: UInt128 = 0
    for index in start..<end { key = key &<< 8 | UInt128(bytes[index] | 0x20) }
    guard let word = Self.words[key] else { return nil }
    self = word
  }

  /// The words by their bytes in lower case.
  private static let words: [UInt128: FormatWord] = {
    var words: [UInt128: FormatWord] = [:]
    for word in allCases {
      words[word.rawValue.utf8.reduce(0 as UInt128) { $0 &<< 8 | UInt128($1) }] = word
    }
    return words
  }()

  /// The words that compare two expressions.
  static let operators: [FormatWord] = [
    .in, .between, .contains, .beginswith, .endswith, .like, .matches,
  ]

  /// The word as it is printed.
  var printed: String { rawValue.uppercased() }
}
