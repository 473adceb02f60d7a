import CopalModel
import CopalStore

/// An object of a context, with its unsaved changes, of which a condition is true or false.
struct PendingSubject: ConditionSubject {
  let object: ManagedObject

  var key: Int64 { object.key }
  var entity: Int { object.runtime.index }
  func value(_ slot: Int) -> PropertyValue { object.queryValue(slot) }
  func related(_ slot: Int) -> PendingSubject? {
    object.target(slot).flatMap { $0.isMissing ? nil : PendingSubject(object: $0) }
  }
  func members(_ relationship: Int) -> [PendingSubject] {
    object.askedFor { MemberView(object, relationship).members }.compactMap {
      $0.isMissing ? nil : PendingSubject(object: $0)
    }
  }
}
