import CopalFoundation
import CopalModel
import CopalObjects
import CopalSQLite
package import CopalStore
import CopalTransformers

extension PersistenceError.Code {
  /// Every code of stores, contexts, objects and containers.
  package static let all: [Self] =
    allStoreCodes + allSQLiteCodes + allMigrationCodes + allRequestCodes + allCommitCodes
    + allRuleCodes
    + allSaveCodes
    + allObjectCodes + allBatchCodes + allTransactionCodes + allSQLCodes
    + allContainerCodes + allReadyTransformerCodes + allPredicateCodes
}
