/// One key of a fetch's order: an attribute, a direction, and if needed how its texts are ordered
/// and where nil comes.
///
/// ```swift
/// let keys: [FetchSortKey] = [.ascending("name").natural, .descending("price").nilsFirst]
/// ```
///
/// Codable; see ``init(from:)``.
public struct FetchSortKey: Sendable, Hashable {
  /// The name of the attribute.
  public var property: String
  /// Whether the least value comes first.
  public var isAscending: Bool
  /// How texts are ordered. Only an attribute of the type `string` has another order than `.bytes`:
  /// otherwise a fetch throws `request.notText`.
  public var textOrder = TextOrder.bytes
  /// Where the objects without a value come. By default, nil, before all others in ascending order,
  /// and after them in descending order.
  public var nilOrder: NilOrder?

  /// How texts are ordered.
  ///
  /// Texts that are equal in an order are in the order of the next key. So write the attribute
  /// twice for a complete order: `sorted(by: \.name.alphabetical.ascending, \.name.ascending)`.
  /// Only `.bytes` can use an index.
  public enum TextOrder: String, Sendable, Hashable, CaseIterable {
    /// By their UTF-8 bytes: "Z" before "a", "z" before "é".
    case bytes
    /// Without case: "a" and "A" are equal. "z" before "é".
    case caseInsensitive
    /// Without case and without diacritics: "a", "A" and "á" are equal.
    case alphabetical
    /// As `alphabetical`, and each number by its value: "file 2" before "file 10". A number is a
    /// sequence of the digits 0 to 9.
    case natural
  }

  /// Where the objects without a value come.
  public enum NilOrder: String, Sendable, Hashable, CaseIterable {
    /// Before all others.
    case nilsFirst
    /// After all others.
    case nilsLast
  }

  /// A key for the attribute of that name.
  public init(_ property: String, isAscending: Bool = true) {
    self.property = property
    self.isAscending = isAscending
  }

  /// Sorts by the attribute of that name, the least value first.
  public static func ascending(_ property: String) -> Self { Self(property) }
  /// Sorts by the attribute of that name, the greatest value first.
  public static func descending(_ property: String) -> Self {
    Self(property, isAscending: false)
  }

  /// The key with the objects without a value before all others.
  public var nilsFirst: Self { with(.nilsFirst) }
  /// The key with the objects without a value after all others.
  public var nilsLast: Self { with(.nilsLast) }
  /// The key with texts ordered without case.
  public var caseInsensitive: Self { with(.caseInsensitive) }
  /// The key with texts ordered without case and diacritics.
  public var alphabetical: Self { with(.alphabetical) }
  /// The key with texts ordered without case and diacritics, and numbers in them by their values.
  public var natural: Self { with(.natural) }

  private func with(_ order: NilOrder) -> Self {
    var key = self
    key.nilOrder = order
    return key
  }

  private func with(_ order: TextOrder) -> Self {
    var key = self
    key.textOrder = order
    return key
  }
}
