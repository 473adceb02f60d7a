import CopalModel

/// The sentences of ``ColorError``: the one place where their wording lives.
enum ColorErrorWording {
  static func sentence(for error: ColorError) -> String {
    let found = error.found ?? ""
    let expected = error.expected ?? ""
    let place = error.position.map { " at character \($0 + 1)" } ?? ""
    let hint = error.suggestion.map { "; did you mean '\($0)'?" } ?? ""

    switch error.code {
    case .colorNotFinite:
      return "the component \(expected) of a colour is \(found); it has to be a finite number"
    case .colorComponentCount:
      return """
        a colour has \(expected) components (white and alpha, or red, green, blue and alpha), \
        and \(found) were given
        """
    case .colorUnknownSpace:
      return """
        the colour space \(found) is not known to this version, so its colours cannot be \
        converted; they are kept as they are, and sRGBFallback shows a guess
        """
    case .colorUnconvertible:
      return "the colour cannot be converted: \(found); give a colour that has components"
    case .colorHex:
      return """
        a hex colour is #RGB, #RGBA, #RRGGBB or #RRGGBBAA: \
        expected \(expected), found \(found)\(place)
        """
    case .colorCSS:
      return "the CSS colour cannot be read: expected \(expected), found \(found)\(place)\(hint)"
    case .colorNoBytes:
      return "there are no bytes where \(expected) should be; no value at all would be NULL"
    case .colorForeignBytes:
      return "the bytes are not \(expected): they are \(found)"
    case .colorNewerVersion:
      return """
        \(expected) was written in version \(found) of its form, which this version cannot read; \
        update the program
        """
    case .colorTruncated:
      return "\(expected), and there are \(found) bytes: the end is missing"
    case .colorTrailingBytes:
      return "\(expected), and there are \(found) bytes: something else follows"
    case .colorCount:
      return "an array of colours claims to have \(found) elements, more than any memory holds"
    default:
      return found
    }
  }
}
