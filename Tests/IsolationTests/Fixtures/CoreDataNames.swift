// error: 'fetchLimit' has been renamed to 'limit': nil is no limit, and 0 fetches nothing
// error: 'fetchOffset' has been renamed to 'offset'
// error: 'sortDescriptors' has been renamed to 'sortKeys': or write sorted(by:)
// error: 'fetchBatchSize' is unavailable: call context.fetchBatches(_:size:)
// error: 'includesPropertyValues' is unavailable: write returnsObjectsAsFaults = true
// error: 'shouldRefreshRefetchedObjects' has been renamed to 'refreshesObjects'
// error: 'execute()' is unavailable: a context executes a request: context.fetch(request)
// error: 'init(key:ascending:)' has been renamed to 'init(_:isAscending:)'
// error: 'count(for:)' has been renamed to 'count(_:)'
// error: 'performAndWait' is unavailable: a context has no queue; run the code where the context is
// error: 'perform' is unavailable: a context has no queue; run the code where the context is, or use
// error: 'insert' is unavailable: an object is inserted when it is made
// error: 'committedValues(forKeys:)' has been renamed to 'committedValues()'
// error: 'uriRepresentation()' is unavailable: use description, which is a URI as text
// error: 'isTemporaryID' has been renamed to 'isTemporary'
// error: 'attributesByName' is unavailable: use attribute(_:)
// error: 'entitiesByName' is unavailable: use entity(_:)
// error: 'fetchRequestTemplate(forName:)' is unavailable: use fetchRequest(named:in:variables:)
import Copal
import CopalTestSupport

func fetch(_ context: ManagedObjectContext) throws {
  var request = Pigment.fetchRequest()
  request.fetchLimit = 20
  request.fetchOffset = 40
  request.sortDescriptors = [FetchSortKey(key: "name", ascending: true)]
  request.fetchBatchSize = 20
  request.includesPropertyValues = false
  request.shouldRefreshRefetchedObjects = true
  _ = try request.execute()
  _ = try context.count(for: request)
}

func change(_ context: ManagedObjectContext, _ pigment: Pigment) {
  context.performAndWait { pigment.name = "Woad" }
  context.perform { pigment.name = "Woad" }
  context.insert(pigment)
  _ = pigment.committedValues(forKeys: nil)
  _ = pigment.objectID.uriRepresentation()
  _ = pigment.objectID.isTemporaryID
  _ = pigment.entity.attributesByName
  _ = context.model.entitiesByName
  _ = context.model.fetchRequestTemplate(forName: "cheap")
}
