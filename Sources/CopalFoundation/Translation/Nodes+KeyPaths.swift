import CopalEssentials
import CopalModel
import CopalObjects
import CopalStore

extension PredicateExpressions.KeyPath: TranslatableNode {
  func term(_ translation: PredicateTranslation) throws -> Term {
    let root = try translation.term(root)
    switch root {
    case .object(let object): return try property(of: object, translation)
    case .objects(let collection):
      guard let members = Root.Output.self as? any MemberCollection.Type else { break }
      if members.isCount(keyPath) { return .value(.aggregate(.count, collection, of: nil)) }
      if members.isEmptiness(keyPath) { return .condition(!.exists(collection)) }
    case .value(let value):
      if Root.Output.self == String.self {
        if keyPath == \String.count { return .value(.call(.length, [value])) }
        if keyPath == \String.isEmpty {
          return .condition(.comparison(value, .equal, .constant("")))
        }
      }
      if keyPath == \URL.absoluteString || keyPath == \UUID.uuidString {
        return .value(.call(.toString, [value]))
      }
      if let cases = Root.Output.self as? any AttributeEnum.Type, cases.isRawValue(keyPath) {
        return root
      }
    case .constant(let value as Root.Output): return .constant(value[keyPath: keyPath])
    default: break
    }
    throw KeyPathNames.unknown(
      keyPath, of: Root.Output.self, "compare the stored value, or filter the result in Swift")
  }

  private func property(of object: ObjectTerm, _ translation: PredicateTranslation) throws -> Term {
    switch try KeyPathNames.property(keyPath, of: Root.Output.self) {
    case .objectID: return .value(translation.expression(of: object))
    case .named(let name):
      let expression = try translation.property(name, of: object)
      if Output.self is any MemberCollection.Type {
        return .objects(FetchCollection(expression))
      }
      guard let optional = Output.self as? any OptionalValue.Type,
        optional.wrappedType is ManagedObject.Type
      else { return .value(expression) }
      switch object.base {
      case .itself: return .object(ObjectTerm(level: object.level, base: .path(name)))
      case .path(let path):
        return .object(ObjectTerm(level: object.level, base: .path("\(path).\(name)")))
      case .subentity(let entity):
        return .object(
          ObjectTerm(level: object.level, base: .reference(entity: entity, property: name)))
      case .reference: return .value(expression)
      }
    }
  }
}

/// The type of a collection of objects in a predicate.
private protocol MemberCollection {
  static func isCount(_ path: AnyKeyPath) -> Bool
  static func isEmptiness(_ path: AnyKeyPath) -> Bool
}

extension ToMany: MemberCollection {
  fileprivate static func isCount(_ path: AnyKeyPath) -> Bool { path == \ToMany<Element>.count }
  fileprivate static func isEmptiness(_ path: AnyKeyPath) -> Bool {
    path == \ToMany<Element>.isEmpty
  }
}

extension OrderedToMany: MemberCollection {
  fileprivate static func isCount(_ path: AnyKeyPath) -> Bool {
    path == \OrderedToMany<Element>.count
  }
  fileprivate static func isEmptiness(_ path: AnyKeyPath) -> Bool {
    path == \OrderedToMany<Element>.isEmpty
  }
}

extension Array: MemberCollection {
  fileprivate static func isCount(_ path: AnyKeyPath) -> Bool { path == \[Element].count }
  fileprivate static func isEmptiness(_ path: AnyKeyPath) -> Bool { path == \[Element].isEmpty }
}

extension AttributeEnum {
  /// Whether a key path leads to the raw value of each case, and of a raw value that no case has.
  ///
  /// A key path of a generic type does not equal that of the enum, so the two are compared by what
  /// they return.
  fileprivate static func isRawValue(_ path: AnyKeyPath) -> Bool {
    guard let path = path as? KeyPath<Self, RawValue> else { return false }
    return (Array(allCases) + [zero]).allSatisfy { $0[keyPath: path] == $0.rawValue }
  }
}
