/// Free-form notes of a model, entity, attribute or relationship.
public typealias UserInfo = [String: UserInfoValue]

/// A JSON value in `userInfo`.
public enum UserInfoValue: Sendable, Hashable {
  case null
  case boolean(Bool)
  /// A number as the file writes it, so that no digit is lost.
  case number(String)
  case string(String)
  case array([UserInfoValue])
  case object([String: UserInfoValue])
}
