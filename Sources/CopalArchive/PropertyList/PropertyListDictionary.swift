/// The pairs of a dictionary in a property list, in their order.
///
/// A look-up compares the keys of a small dictionary one by one; a large one has an index.
public struct PropertyListDictionary: Sendable {
  /// The pairs, in their order. Each key is there once.
  public private(set) var pairs: [(key: String, value: PropertyListValue)]
  /// The position of each key; nil for a small dictionary.
  private var index: [String: Int]?
  /// The number of pairs from which on there is an index.
  private static let leastIndexed = 12

  /// A dictionary of some pairs. For a key that is there twice, the last value counts, at the place
  /// of the first.
  public init(_ pairs: some Sequence<(String, PropertyListValue)> = []) {
    self.pairs = []
    for (key, value) in pairs { self[key] = value }
  }

  /// The value of a key; nil if it is not there. Setting nil removes the pair.
  public subscript(key: String) -> PropertyListValue? {
    get { position(of: key).map { pairs[$0].value } }
    set {
      guard let newValue else { return remove(key) }
      if let position = position(of: key) {
        pairs[position].value = newValue
      } else {
        append(key, newValue)
      }
    }
  }

  /// The number of pairs.
  public var count: Int { pairs.count }

  /// The keys, in their order.
  public var keys: [String] { pairs.map(\.key) }

  /// Adds a pair at the end, unless there is one of its key.
  mutating func addIfAbsent(_ key: String, _ value: PropertyListValue) -> Bool {
    if position(of: key) != nil { return false }
    append(key, value)
    return true
  }

  mutating func reserveCapacity(_ count: Int) { pairs.reserveCapacity(count) }

  private mutating func append(_ key: String, _ value: PropertyListValue) {
    pairs.append((key, value))
    if index != nil {
      index?[key] = pairs.count - 1
    } else if pairs.count == Self.leastIndexed {
      index = Dictionary(uniqueKeysWithValues: zip(keys, 0...))
    }
  }

  private mutating func remove(_ key: String) {
    guard let position = position(of: key) else { return }
    pairs.remove(at: position)
    if index != nil { index = Dictionary(uniqueKeysWithValues: zip(keys, 0...)) }
  }

  private func position(of key: String) -> Int? {
    if let index { return index[key] }
    // A pointer, because references to each pair would be counted.
    return pairs.withUnsafeBufferPointer { pairs in
      for position in pairs.indices where pairs[position].key == key { return position }
      return nil
    }
  }
}

extension PropertyListDictionary: Hashable {
  /// Whether both have the same values for the same keys, in any order.
  public static func == (a: Self, b: Self) -> Bool {
    a.count == b.count && a.pairs.allSatisfy { b[$0.key] == $0.value }
  }

  public func hash(into hasher: inout Hasher) {
    // Not the order of the pairs.
    var sum = 0
    for (key, value) in pairs {
      var pair = Hasher()
      pair.combine(key)
      pair.combine(value)
      sum &+= pair.finalize()
    }
    hasher.combine(count)
    hasher.combine(sum)
  }
}

extension PropertyListDictionary: ExpressibleByDictionaryLiteral {
  /// A dictionary in the order of the literal. For a key that is there twice, the last value
  /// counts.
  public init(dictionaryLiteral pairs: (String, PropertyListValue)...) { self.init(pairs) }
}
