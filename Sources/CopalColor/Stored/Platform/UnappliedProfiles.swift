/// What reading does with an archived color whose conversion needs a color profile. Copal does not
/// apply profiles.
///
/// Such colors are those in calibrated and generic RGB, generic gray, Adobe RGB, DCI-P3, CMYK, and
/// spaces with an ICC profile.
public enum UnappliedProfiles: Sendable, Hashable {
  /// The color is an error, ``ColorError`` `color.needsProfile`, and the stored bytes stay as they
  /// are.
  case refused
  /// The components are regarded as sRGB. The color is then approximate.
  ///
  /// CMYK is converted by the formula of CSS Color 5 for `device-cmyk()` without a profile.
  case assumingSRGB
}
