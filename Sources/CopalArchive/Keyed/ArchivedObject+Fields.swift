/// What a class reads from its archived object. Each function throws ``ArchiveError`` with the
/// class and the key for a field that is missing or of another kind.
///
/// ```swift
/// let tint = try archive.root(allowing: ["Tint"]).object
/// let red = try tint?.float("red")
/// ```
extension ArchivedObject {
  /// An integer.
  ///
  /// - Throws: ``ArchiveError`` `archive.fieldForm` for a missing field, another kind of value, and
  ///   an integer above `Int64.max`.
  public func integer(_ key: String) throws(ArchiveError) -> Int64 {
    guard let number = self[key]?.integer else { throw wrong(key, "an integer") }
    return number
  }

  /// A real number, also one that is archived as an integer.
  ///
  /// - Throws: ``ArchiveError`` `archive.fieldForm` for a missing field and another kind of value.
  public func double(_ key: String) throws(ArchiveError) -> Double {
    guard let number = self[key]?.number else { throw wrong(key, "a number") }
    return number
  }

  /// A real number of four bytes. One of eight bytes is rounded.
  ///
  /// - Throws: ``ArchiveError`` `archive.fieldForm` for a missing field and another kind of value.
  public func float(_ key: String) throws(ArchiveError) -> Float {
    if case .float(let number)? = self[key] { return number }
    return Float(try double(key))
  }

  /// A text.
  ///
  /// - Throws: ``ArchiveError`` `archive.fieldForm` for a missing field and another kind of value.
  public func string(_ key: String) throws(ArchiveError) -> String {
    guard let text = self[key]?.string else { throw wrong(key, "a text") }
    return text
  }

  /// Bytes.
  ///
  /// - Throws: ``ArchiveError`` `archive.fieldForm` for a missing field and another kind of value.
  public func data(_ key: String) throws(ArchiveError) -> [UInt8] {
    guard let bytes = self[key]?.data else { throw wrong(key, "data") }
    return bytes
  }

  private func wrong(_ key: String, _ expected: String) -> ArchiveError {
    ArchiveError(
      .fieldForm, found: self[key]?.kind ?? "nothing", expected: expected, className: className,
      key: key)
  }
}
