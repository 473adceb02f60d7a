/// Free-form notes of a model, entity, attribute or relationship.
public typealias UserInfo = [String: UserInfoValue]

/// A JSON value in `userInfo`.
public enum UserInfoValue: Sendable, Hashable {
  /// JSON's `null`.
  case null
  /// `true` or `false`.
  case boolean(Bool)
  /// A number, with the digits of the file, so that none is lost.
  case number(String)
  /// A string.
  case string(String)
  /// An array of values.
  case array([UserInfoValue])
  /// An object: values by key.
  case object([String: UserInfoValue])
}
