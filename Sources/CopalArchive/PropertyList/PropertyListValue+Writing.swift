extension PropertyListValue {
  /// The value as a binary property list, in the layout that Apple's systems write.
  ///
  /// The time is in proportion to the number of values. Equal texts, numbers, dates and data are
  /// written once.
  public func binary() -> [UInt8] { BinaryWriter.bytes(of: self) }

  /// The value as a property list in XML, in UTF-8, in the layout that Apple's systems write.
  ///
  /// - Throws: ``ArchiveError`` for what XML cannot express: a set, a text with control characters,
  ///   and a date without a day, such as an infinite one. The fraction of a second of a date is
  ///   left out.
  public func xml() throws(ArchiveError) -> String { try XMLWriter.text(of: self) }
}
