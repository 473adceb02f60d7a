import CopalEssentials

/// Swift's identifiers, as far as names of a model use them: letters of any script, digits and `_`.
package enum SwiftIdentifier {
  /// Whether the text is an identifier in normal form C.
  ///
  /// The two forms of an accented letter look the same and have different bytes. Only one of them
  /// is allowed, so that property, column and file name are the same.
  package static func isValid(_ text: String) -> Bool {
    hasIdentifierLetters(text) && isNormal(text)
  }

  /// Whether the text is one or more identifiers with points between them, such as `CoreUI.Color`.
  package static func isValidPath(_ text: String) -> Bool {
    text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { isValid(String($0)) }
  }

  static func isHead(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "_": true
    default: !scalar.isASCII && scalar.properties.isXIDStart
    }
  }

  static func isTail(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "_", "0"..."9": true
    default: !scalar.isASCII && scalar.properties.isXIDContinue
    }
  }

  /// The form for comparing names without regard to case.
  package static func caseless(_ name: String) -> String {
    // Upper case, then lower case: this joins letters with several lower-case forms, such as the
    // two sigmas.
    name.uppercased().lowercased()
  }

  private static func hasIdentifierLetters(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, isHead(first) else { return false }
    return text.unicodeScalars.dropFirst().allSatisfy(isTail)
  }

  static func isNormal(_ text: String) -> Bool {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return true }
    return text.composed.unicodeScalars
      .elementsEqual(text.unicodeScalars)
  }
}
