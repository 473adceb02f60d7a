import CopalEssentials
import CopalModel
import CopalStore

extension ManagedObject: CustomStringConvertible, CustomDebugStringConvertible {
  /// A text for debugging: the entity, the id, the state and the values of the object.
  ///
  /// ```
  /// Pigment p3 (updated) name: "Ultramarine", color: SerializableColor, spectrum: 12 bytes
  /// ```
  ///
  /// It reads nothing from the store and decodes nothing: a fault stays a fault, and for binary
  /// values and transformables that have not been decoded it contains the size. A value of a
  /// private attribute is `‹private›`. Attributes without a value are left out.
  public final var description: String {
    let head = "\(entityName) \(key < 0 ? "t" : "p")\(key.magnitude) (\(stateWords))"
    if isFault { return head }
    let values = runtime.layout.attributes.indices.compactMap { slot in
      runtime.isHidden(slot)
        ? nil : summary(slot).map { "\(runtime.layout.attributes[slot].name): \($0)" }
    }
    return values.isEmpty ? head : head + " " + values.joined(separator: ", ")
  }

  /// The same as ``description``.
  public final var debugDescription: String { description }

  private var stateWords: String {
    var words: [String] = []
    if flags.contains(.missing) { words.append("missing") }
    if isFault { words.append("fault") }
    if flags.contains(.inserted) { words.append("inserted") }
    if flags.contains(.deleted) {
      words.append("deleted")
    } else if isUpdated {
      words.append("updated")
    }
    if managedObjectContext == nil { words.append("without context") }
    return words.isEmpty ? "saved" : words.joined(separator: ", ")
  }

  /// A short text for the value at a slot; nil without a value. Not for faults.
  private func summary(_ slot: Int) -> String? {
    let summary = openSummary(slot)
    return runtime.layout.attributes[slot].isPrivate && summary != nil ? "‹private›" : summary
  }

  /// Short texts for the values at some slots: the values of a unique constraint, in its order.
  final func summaries(_ slots: [Int]) -> String {
    slots.compactMap(summary).joined(separator: ", ")
  }

  /// The same, also for a private attribute.
  private func openSummary(_ slot: Int) -> String? {
    if runtime.layout.attributes[slot].type == .transformable { return transformableSummary(slot) }
    do {
      return try checkedValue(slot).summary
    } catch {
      return "unreadable"
    }
  }

  private func transformableSummary(_ slot: Int) -> String? {
    if let decoded = cells?.decoded(runtime.ordinalBySlot[slot]) {
      return decoded.any.map(Self.summary(of:))
    }
    guard runtime.layout.storedSlots.contains(slot), let base, cells?.isSet.contains(slot) != true
    else {
      return nil
    }
    if flags.contains(.hasTypeMismatch), let found = PackedRowValues.typeMismatch(base, slot) {
      return found == .file ? storedSize(slot) : "unreadable"
    }
    return PackedRowValues.isNull(base, slot) ? nil : storedSize(slot)
  }

  private static func summary(of value: Any) -> String {
    guard let values = value as? any Collection else { return "\(Swift.type(of: value))" }
    return "\(Swift.type(of: value)) of \(values.count)"
  }
}

extension PropertyValue {
  /// A short text for a person; nil for no value.
  fileprivate var summary: String? {
    switch self {
    case .null: nil
    case .integer(let number): "\(number)"
    case .double(let number): "\(number)"
    case .decimal(let number): DecimalText.string(number)
    case .boolean(let flag): "\(flag)"
    case .date(let date): Self.summary(date)
    case .string(let text): Self.summary(text)
    case .binary(let data): data.count.counted("byte")
    case .uuid(let uuid): uuid.uuidString
    case .uri(let url): url.absoluteString
    case .object(let id): id.description
    }
  }

  private static func summary(_ text: String) -> String {
    let limit = 80
    guard text.utf8.count > limit, text.count > limit else { return text.debugDescription }
    return String(text.prefix(limit)).debugDescription + "… (\(text.count) characters)"
  }

  /// ISO 8601 for years of four digits. A store can contain any double.
  private static func summary(_ date: Date) -> String {
    let seconds = date.timeIntervalSinceReferenceDate
    guard seconds > -6.2e10, seconds < 2.5e11 else { return "\(seconds) s" }
    return date.formatted(.iso8601)
  }
}
