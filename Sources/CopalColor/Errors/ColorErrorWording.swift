import CopalModel

/// The sentences of ``ColorError``: the one place where their wording lives.
enum ColorErrorWording {
  static func sentence(for error: ColorError) -> String {
    let found = error.found ?? ""
    let expected = error.expected ?? ""
    let place = error.position.map { " at character \($0 + 1)" } ?? ""
    let hint = error.suggestion.map { "; did you mean '\($0)'?" } ?? ""

    switch error.code {
    case .notFinite:
      return "the component \(expected) of a color is \(found); it has to be a finite number"
    case .componentCount:
      return """
        a color has \(expected) components (white and alpha, or red, green, blue and alpha), \
        and \(found) were given
        """
    case .unknownSpace:
      return """
        the color space \(found) is not known to this version, so its colors cannot be \
        converted; they are kept as they are, and sRGBFallback shows a guess
        """
    case .unconvertible:
      return "the color cannot be converted: \(found); give a color that has components"
    case .hex:
      return """
        a hex color is #RGB, #RGBA, #RRGGBB or #RRGGBBAA: \
        expected \(expected), found \(found)\(place)
        """
    case .css:
      return "the CSS color cannot be read: expected \(expected), found \(found)\(place)\(hint)"
    case .noBytes:
      return "there are no bytes where \(expected) should be; no value at all would be NULL"
    case .foreignBytes:
      return "the bytes are not \(expected): they are \(found)"
    case .newerVersion:
      return """
        \(expected) was written in version \(found) of its form, which this version cannot read; \
        update the program
        """
    case .truncated:
      return "\(expected), and there are \(found) bytes: the end is missing"
    case .trailingBytes:
      return "\(expected), and there are \(found) bytes: something else follows"
    case .invalidCount:
      return "an array of colors claims to have \(found) elements, more than any memory holds"
    default:
      return found
    }
  }
}
