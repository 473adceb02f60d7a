import CopalModel
import CopalStore

/// The sentences of ``ColorError``. They are all made here.
enum ColorErrorWording {
  static func sentence(for error: ColorError) -> String {
    let found = error.found ?? ""
    let expected = error.expected ?? ""
    let position = error.position.map { " at byte \($0 + 1)" } ?? ""
    let hint = error.suggestion.map { "; did you mean '\($0)'?" } ?? ""

    switch error.code {
    case .notFinite:
      return "the component \(expected) of a color is \(found); it must be a finite number"
    case .componentCount:
      return """
        a color has \(expected) components (white and alpha, or red, green, blue and alpha), \
        but \(found) were given
        """
    case .unknownSpace:
      return """
        the color space \(found) is unknown to this version of Copal, so the color cannot be \
        converted; it is kept unchanged; sRGBFallback gives an approximate color
        """
    case .unconvertible:
      return "the color cannot be converted: \(found); use a color in sRGB or Display P3"
    case .translucentBackground:
      return """
        the background has the alpha \(found), so that its contrast depends on what is behind it; \
        use an opaque background
        """
    case .hex:
      return """
        invalid hex color: expected \(expected), found \(found)\(position); \
        write #RGB, #RGBA, #RRGGBB or #RRGGBBAA
        """
    case .css:
      return "invalid CSS color: expected \(expected), found \(found)\(position)\(hint)"
    case .noBytes:
      return """
        \(expected) is stored as zero bytes; a missing value is stored as NULL; \
        set the attribute to nil or to a new value
        """
    case .wrongKind:
      return """
        the stored bytes are not \(expected), but \(found); \
        check the transformer of the attribute
        """
    case .newerVersion:
      return """
        \(expected) is stored in format \(found), which this version of Copal cannot read; \
        update Copal
        """
    case .truncated:
      return """
        the stored bytes end too early: \(expected), \
        but \(found) \(found == "1" ? "is" : "are") stored; \
        restore the value from a backup
        """
    case .trailingBytes:
      return """
        there are more stored bytes than expected: \(expected), but \(found) are stored; \
        restore the value from a backup
        """
    case .invalidCount:
      return """
        an array of colors has an invalid count of \(found), which is more than memory can hold; \
        restore the value from a backup
        """
    case .notDivisible:
      return """
        colors of 3 bytes each are stored as \(found) \(found == "1" ? "byte" : "bytes"), which is not divisible by 3; \
        restore the value from a backup
        """
    case .needsProfile:
      return """
        the archived color is in \(found), whose conversion needs a color profile, which Copal does not apply; \
        store the color in sRGB or Display P3, or read its components as sRGB with profiles: .assumingSRGB
        """
    case .archivedSpace:
      return """
        the archived color has \(found), which this version of Copal cannot read; \
        store the color in sRGB or Display P3
        """
    case .archivedComponents:
      return """
        the components of the archived color are damaged: expected \(expected), found \(found); \
        restore the value from a backup
        """
    case .namedOnly:
      return """
        the archived color has only a name (\(found)), and no components; \
        store a color with components
        """
    case .pattern:
      return """
        the archived color is a pattern or an image (\(found)), which has no components; \
        store a color with components
        """
    default:
      return found
    }
  }
}
