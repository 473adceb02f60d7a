import CopalArchive
import CopalEssentials
import CopalModel
import CopalObjects
import CopalStore

/// The stored forms of elements as a binary property list, and back.
///
/// The property list is an array or a dictionary of texts, integers, numbers and data. The stored
/// form of each element is one of these.
struct ElementList<Element: AttributeTransformer> {
  let element: Element

  // MARK: Writing

  func stored(_ value: Element.Value, at place: @autoclosure () -> String) throws
    -> PropertyListValue
  {
    do {
      return try Self.listValue(element.encode(value).value)
    } catch {
      throw PersistenceError(.encodedElement, found: place(), causes: [error])
    }
  }

  private static func listValue(_ stored: PropertyValue) throws -> PropertyListValue {
    switch stored {
    case .string(let text): .string(text)
    case .integer(let number): .integer(number)
    case .double(let number): .real(number)
    case .binary(let data): .data([UInt8](data))
    default: throw PersistenceError(.collectionForm, found: stored.kind, expected: "a stored form")
    }
  }

  // MARK: Reading

  func value(_ stored: PropertyListValue, at place: @autoclosure () -> String) throws
    -> Element.Value
  {
    do {
      guard let value = Self.propertyValue(stored), let form = Element.Stored(value: value) else {
        throw PersistenceError(
          .collectionForm, found: stored.kindName, expected: "\(Element.Stored.self)")
      }
      return try element.decode(form)
    } catch {
      throw PersistenceError(.decodedElement, found: place(), causes: [error])
    }
  }

  private static func propertyValue(_ stored: PropertyListValue) -> PropertyValue? {
    switch stored {
    case .string(let text): .string(text)
    case .integer(let number): .integer(number)
    case .real(let number): .double(number)
    case .data(let bytes): .binary(Data(bytes))
    default: nil
    }
  }

  /// The elements of a property list that is an array.
  func elements(_ bytes: UnsafeRawBufferPointer) throws -> [PropertyListValue] {
    let list = try read(bytes)
    guard let elements = list.array else {
      throw PersistenceError(.collectionForm, found: list.kindName, expected: "an array")
    }
    return elements
  }

  /// The pairs of a property list that is a dictionary.
  func pairs(_ bytes: UnsafeRawBufferPointer) throws -> [(key: String, value: PropertyListValue)] {
    let list = try read(bytes)
    guard let dictionary = list.dictionary else {
      throw PersistenceError(.collectionForm, found: list.kindName, expected: "a dictionary")
    }
    return dictionary.pairs
  }

  /// What the bytes contain. Each element takes at least one byte, and elements are not
  /// collections.
  private func read(_ bytes: UnsafeRawBufferPointer) throws -> PropertyListValue {
    try PropertyListValue(
      bytes, limits: ArchiveLimits(size: .max, count: bytes.count, depth: 1))
  }
}

extension PropertyListValue {
  /// The order of two stored forms of one kind, by their bytes or their number. It gives equal sets
  /// equal bytes.
  func precedes(_ other: PropertyListValue) -> Bool {
    switch (self, other) {
    case (.string(let a), .string(let b)): a.utf8.lexicographicallyPrecedes(b.utf8)
    case (.integer(let a), .integer(let b)): a < b
    case (.real(let a), .real(let b)):
      a.isTotallyOrdered(belowOrEqualTo: b) && a.bitPattern != b.bitPattern
    case (.data(let a), .data(let b)): a.lexicographicallyPrecedes(b)
    default: false
    }
  }

  /// The kind of value, for an error.
  var kindName: String {
    switch self {
    case .boolean: "a Boolean"
    case .integer, .unsigned: "an integer"
    case .real, .float: "a number"
    case .date: "a date"
    case .data: "data"
    case .string: "a text"
    case .uid: "a reference"
    case .array: "an array"
    case .set: "a set"
    case .dictionary: "a dictionary"
    }
  }
}
