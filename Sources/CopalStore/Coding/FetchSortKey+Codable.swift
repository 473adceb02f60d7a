public import CopalModel

extension FetchSortKey: Codable {
  /// Reads `{"ascending": "name"}` or `{"descending": "name"}`. A key with options has a list of
  /// the name and of their names: `{"ascending": ["name", "natural", "nilsLast"]}`.
  ///
  /// - Throws: `DecodingError` for every other form.
  public init(from decoder: any Decoder) throws {
    guard let object = FormObject(decoder), ["ascending", "descending"].contains(object.name) else {
      throw decoder.mistake("an object with the key ascending or descending")
    }
    let isAscending = object.name == "ascending"
    guard let words = try? object.container.decode([String].self, forKey: object.key) else {
      self.init(try object.text("the name of a property"), isAscending: isAscending)
      return
    }
    guard let name = words.first else { throw object.mistake("the name of a property") }
    self.init(name, isAscending: isAscending)
    for word in words.dropFirst() {
      if let order = TextOrder(rawValue: word), order != .bytes, textOrder == .bytes {
        textOrder = order
      } else if let order = NilOrder(rawValue: word), nilOrder == nil {
        nilOrder = order
      } else {
        throw object.mistake("one of each: \(Self.textOrderNames); \(Self.nilOrderNames)")
      }
    }
  }

  private static let textOrderNames = TextOrder.allCases.dropFirst().map(\.rawValue)
    .joined(separator: ", ")
  private static let nilOrderNames = NilOrder.allCases.map(\.rawValue).joined(separator: ", ")

  /// Writes the form that ``init(from:)`` reads.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: FormKey.self)
    let key = FormKey(isAscending ? "ascending" : "descending")
    let words =
      (textOrder == .bytes ? [] : [textOrder.rawValue]) + [nilOrder?.rawValue].compactMap(\.self)
    if words.isEmpty {
      try container.encode(property, forKey: key)
    } else {
      try container.encode([property] + words, forKey: key)
    }
  }
}
