/// A property of ``RecordImport`` with which an import reads what it has refused: the remedy of an
/// ``ImportProblem``.
///
/// Its description is in the words of Swift. The command `copal` has an option for each.
///
/// ```swift
/// "\(ImportOption.hasDecimalComma)"  // set hasDecimalComma to true to read commas
/// ```
public enum ImportOption: Sendable, Hashable, CustomStringConvertible {
  /// ``RecordImport/map``: the property of a column; nil to leave the column out.
  case map(column: String, property: String?)
  /// ``RecordImport/upsertKey``.
  case upsertKey
  /// The character between two fields of ``RecordImport/format``.
  case delimiter(Character)
  /// ``RecordImport/hasQuotationMarks``.
  case hasQuotationMarks
  /// ``RecordImport/hasDecimalComma``.
  case hasDecimalComma
  /// ``RecordImport/dateFormat``.
  case dateFormat
  /// ``RowDump/showsPrivateValues`` of the dump that is imported.
  case showsPrivateValues

  /// What to do, as a part of a sentence.
  public var description: String {
    switch self {
    case .map(let column, let property?):
      "set map[\(column.debugDescription)] to \(property.debugDescription), or to \"\" to leave the column out"
    case .map(let column, nil):
      "set map[\(column.debugDescription)] to \"\" to leave the column out"
    case .upsertKey: "set upsertKey to update it"
    case .delimiter(let character):
      "set the delimiter of format to \("\(character)".debugDescription)"
    case .hasQuotationMarks: "set hasQuotationMarks to false to read marks as they are"
    case .hasDecimalComma: "set hasDecimalComma to true to read commas"
    case .dateFormat: "set dateFormat for another form"
    case .showsPrivateValues: "dump again with showsPrivateValues"
    }
  }
}
