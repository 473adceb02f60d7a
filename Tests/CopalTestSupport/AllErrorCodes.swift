package import CopalModel
import CopalObjects
import CopalSQLite
import CopalStore

extension PersistenceError.Code {
  /// Every code of stores, contexts, objects and containers.
  package static let all: [Self] =
    allStoreCodes + allSQLiteCodes + allRequestCodes + allCommitCodes + allSaveCodes
    + allObjectCodes
    + allContainerCodes
}
