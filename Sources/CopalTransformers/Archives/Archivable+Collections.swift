public import CopalArchive

extension Array: Archivable where Element: Archivable {
  /// `NSArray`, and the classes of the elements.
  public static var archivedClassNames: Set<String> {
    Element.archivedClassNames.union(["NSArray"])
  }
  /// An array.
  public var archivedValue: ArchivedValue { .array(map(\.archivedValue)) }
  /// The elements of an array, in their order.
  public init(archivedValue: ArchivedValue) throws {
    guard let elements = archivedValue.array else { throw archivedValue.mismatch("an array") }
    self = try elements.map { try Element(archivedValue: $0) }
  }
}

extension Set: Archivable where Element: Archivable {
  /// `NSSet`, and the classes of the elements.
  public static var archivedClassNames: Set<String> {
    Element.archivedClassNames.union(["NSSet"])
  }
  /// A set, in an order that depends only on its elements, so that equal sets have equal bytes.
  public var archivedValue: ArchivedValue {
    .set(map(\.archivedValue).inOrder { $0 })
  }
  /// The elements of a set.
  public init(archivedValue: ArchivedValue) throws {
    guard case .set(let elements) = archivedValue else { throw archivedValue.mismatch("a set") }
    self.init(try elements.map { try Element(archivedValue: $0) })
  }
}

extension Dictionary: Archivable where Key: Archivable, Value: Archivable {
  /// `NSDictionary`, and the classes of keys and values.
  public static var archivedClassNames: Set<String> {
    Key.archivedClassNames.union(Value.archivedClassNames).union(["NSDictionary"])
  }
  /// A dictionary, in an order that depends only on its keys, so that equal dictionaries have equal
  /// bytes.
  public var archivedValue: ArchivedValue {
    .dictionary(
      map { ArchivedPair(key: $0.key.archivedValue, value: $0.value.archivedValue) }
        .inOrder(\.key))
  }
  /// The pairs of a dictionary. Of two equal keys, the last one counts.
  public init(archivedValue: ArchivedValue) throws {
    guard case .dictionary(let pairs) = archivedValue else {
      throw archivedValue.mismatch("a dictionary")
    }
    self.init(minimumCapacity: pairs.count)
    for pair in pairs {
      self[try Key(archivedValue: pair.key)] = try Value(archivedValue: pair.value)
    }
  }
}

extension Array {
  /// The elements in the order of the bytes of their archives. Texts are compared themselves.
  fileprivate func inOrder(_ value: (Element) -> ArchivedValue) -> [Element] {
    map { element -> (bytes: [UInt8], element: Element) in
      let value = value(element)
      return (value.string.map { [UInt8]($0.utf8) } ?? KeyedArchive.bytes(of: value), element)
    }
    .sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    .map(\.element)
  }
}
