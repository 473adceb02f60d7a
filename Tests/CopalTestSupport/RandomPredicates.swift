public import Copal
import CopalStore
import Foundation

/// Objects and conditions of the sampler that look random and are the same in every run.
///
/// Few different values of each type, so that conditions are often true, and often about nil.
public struct RandomPredicates {
  private var random: SplitMix
  private let layout: EntityLayout
  private let objects: [ManagedObjectID]

  /// - Parameter objects: the ids that conditions compare objects with.
  public init(seed: UInt64, _ layout: EntityLayout, objects: [ManagedObjectID] = []) {
    random = SplitMix(seed: seed)
    self.layout = layout
    self.objects = objects
  }

  /// The values of an object; each attribute is nil in one of four.
  public mutating func object() -> [String: PropertyValue] {
    var values: [String: PropertyValue] = [:]
    for attribute in layout.attributes where !["code", "shelf", "place"].contains(attribute.name) {
      values[attribute.name] = Int.random(in: 0..<4, using: &random) == 0 ? .null : value(attribute)
    }
    return values
  }

  /// A condition, with others in it up to the given depth.
  public mutating func predicate(depth: Int = 4) -> FetchPredicate {
    switch depth == 0 ? 0 : Int.random(in: 0..<10, using: &random) {
    case 0...4: return leaf()
    case 5, 6: return .and(list(depth))
    case 7, 8: return .or(list(depth))
    default: return .not(predicate(depth: depth - 1))
    }
  }

  private mutating func list(_ depth: Int) -> [FetchPredicate] {
    (0..<Int.random(in: 0...4, using: &random)).map { _ in predicate(depth: depth - 1) }
  }

  private mutating func leaf() -> FetchPredicate {
    if !objects.isEmpty, Int.random(in: 0..<12, using: &random) == 0 { return objectLeaf() }
    if Int.random(in: 0..<8, using: &random) == 0, let leaf = textLeaf() { return leaf }
    let attribute = pick(layout.attributes)
    let comparison = pick(FetchPredicate.Operator.allCases)
    let name = FetchExpression.property(attribute.name)
    switch Int.random(in: 0..<12, using: &random) {
    case 0: return .constant(.random(using: &random))
    case 1: return .comparison(name, comparison, .constant(.null))
    case 2...3:
      let values = (0..<Int.random(in: 0...3, using: &random)).map { _ in constant(attribute) }
      return .isIn(name, values)
    case 4...6:
      let others = layout.attributes.filter { $0.name == attribute.name + "2" }
      guard let other = others.first else { fallthrough }
      return .comparison(name, comparison, .property(other.name))
    case 7: return .comparison(.constant(constant(attribute)), comparison, name)
    default: return .comparison(name, comparison, .constant(constant(attribute)))
    }
  }

  /// A test of texts; nil when the entity has no texts.
  private mutating func textLeaf() -> FetchPredicate? {
    let texts = layout.attributes.filter { $0.type == .string && !$0.isTransient }
    if texts.isEmpty { return nil }
    let first = FetchExpression.property(pick(texts).name)
    let options: [FetchPredicate.TextOptions] = [
      [], .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive],
    ]
    let tests: [(FetchPredicate.TextOptions) -> FetchPredicate.TextTest] = [
      { .equal($0) }, { .contains($0) }, { .hasPrefix($0) }, { .hasSuffix($0) }, { .like($0) },
    ]
    let test = pick(tests)(pick(options))
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return .text(first, .matches, .constant(.string(pick(["", "a.*", "(?i)A", "[^z]*"]))))
    case 1: return .text(first, test, .property(pick(texts).name))
    case 2: return .text(.constant(.string(pick(["", "aé", "a\0b"]))), test, first)
    case 3: return .text(first, test, .constant(.null))
    default:
      let second = pick(["", "a", "A", "e", "E", "\u{E9}", "e\u{301}", "*", "?", "a*", "\0", "🎨"])
      return .text(first, test, .constant(.string(second)))
    }
  }

  private mutating func objectLeaf() -> FetchPredicate {
    let ids = (0..<Int.random(in: 0...3, using: &random)).map { _ in pick(objects) }
    let id = FetchExpression.constant(ids.first.map(PropertyValue.object) ?? .null)
    switch Int.random(in: 0..<4, using: &random) {
    case 0: return .comparison(.object, .equal, id)
    case 1: return .comparison(id, .equal, .object)
    case 2: return .comparison(.object, .notEqual, id)
    default: return .isIn(.object, ids.map(PropertyValue.object))
    }
  }

  /// A constant for a comparison. It may be a value that no object has.
  private mutating func constant(_ attribute: AttributeDescription) -> PropertyValue {
    if Int.random(in: 0..<8, using: &random) == 0 { return .null }
    switch (attribute.type, Int.random(in: 0..<6, using: &random)) {
    case (.float, 0), (.double, 0): return .double(.nan)
    case (.date, 0): return .date(Date(timeIntervalSinceReferenceDate: .nan))
    case (.decimal, 0): return .decimal(.nan)
    case (.decimal, 1):
      return .decimal(
        pick(
          ["1.234", "-1.234", "0.001", "-0.001", "1e30", "-1e30"].compactMap { Decimal(string: $0) }
        ))
    case (.float, 1), (.double, 1), (.decimal, 2):
      return .integer(.random(in: -2...2, using: &random))
    default: return value(attribute)
    }
  }

  private mutating func value(_ attribute: AttributeDescription) -> PropertyValue {
    let number = Int.random(in: -2...2, using: &random)
    switch attribute.type {
    case .integer16, .integer32, .integer64, .integer: return .integer(Int64(number))
    case .float, .double:
      // 0.1 is not a float: as a value it is rounded to one, as a constant it is not.
      return .double(pick([Double(number), -0.0, 0.5, 0.1, .infinity, -.infinity]))
    case .decimal:
      return .decimal(
        pick(
          ["9", "10", "-1", "-10", "1.1", "0", "1.23", "-1.23"].compactMap { Decimal(string: $0) }))
    case .boolean: return .boolean(number > 0)
    case .date:
      return .date(Date(timeIntervalSinceReferenceDate: pick([Double(number), .infinity, 1e12])))
    case .string: return .string(pick(["", "a", "A", "a\0b", "\u{E9}", "e\u{301}", "z", "🎨"]))
    case .binary: return .binary(Data(pick([[], [0], [0, 1], [255], [1]])))
    case .uuid:
      return .uuid(UUID(uuid: (UInt8(number + 2), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9)))
    case .uri:
      return URL(string: pick(["a:b", "https://x.org", "https://x.org/%C3%A9"])).map(
        PropertyValue.uri)
        ?? .null
    case .transformable: return .null
    }
  }

  private mutating func pick<T>(_ list: [T]) -> T {
    list[Int.random(in: 0..<list.count, using: &random)]
  }
}
