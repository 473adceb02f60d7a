// error: 'NSManagedObject' has been renamed to 'ManagedObject'
// error: 'NSManagedObjectContext' has been renamed to 'ManagedObjectContext'
// error: 'NSManagedObjectID' has been renamed to 'ManagedObjectID'
// error: 'NSFetchRequest' has been renamed to 'FetchRequest'
// error: 'NSPersistentContainer' has been renamed to 'PersistentContainer'
// error: 'NSFetchedResultsController' has been renamed to 'FetchedResultsController'
// error: 'NSMergePolicy' has been renamed to 'MergePolicy'
// error: 'NSEntityDescription' has been renamed to 'EntityDescription': to insert an object
// error: 'NSBatchInsertRequest' is unavailable: use context.insertAll(_:)
// error: 'NSBatchUpdateRequest' is unavailable: use context.updateAll(_:)
// error: 'NSBatchDeleteRequest' is unavailable: use context.deleteAll(_:)
// error: 'automaticallyMergesChangesFromParent' has been renamed to 'automaticallyMergesChanges'
// error: 'undoManager' is unavailable: there is no undo; rollback() takes back every change
// error: 'persistentStoreCoordinator' is unavailable: a container has one store
// error: 'obtainPermanentIDs(for:)' is unavailable: an object gets its permanent id in its first save
// error: 'execute' is unavailable: use insertAll(_:), updateAll(_:), upsertAll(_:) or deleteAll(_:)
// error: 'mergeChanges(fromContextDidSave:)' is unavailable: use mergeChanges()
// error: 'propertiesToFetch' is unavailable: call context.fetchValues
// error: 'propertiesToGroupBy' is unavailable: call context.fetchValues
// error: 'havingPredicate' is unavailable: call context.fetchValues with having:
// error: 'returnsDistinctResults' is unavailable: call context.fetchValues with isDistinct: true
// error: 'relationshipKeyPathsForPrefetching' has been renamed to 'prefetchedPaths': or write
// error: 'resultType' is unavailable: in place of fetch(_:), call context.fetchIDs(_:)
// error: 'init(value:)' is unavailable: use FetchPredicate.true or FetchPredicate.false
// error: 'init(andPredicateWithSubpredicates:)' is unavailable: use .and(_:), or && between
// error: 'init(orPredicateWithSubpredicates:)' is unavailable: use .or(_:), or || between
// error: 'init(notPredicateWithSubpredicate:)' is unavailable: use .not(_:), or ! before
// error: 'init(entity:insertInto:)' is unavailable: use init(context:), also from a convenience
// error: 'changedValuesForCurrentEvent()' is unavailable: use changes()
// error: 'insertNewObject(forEntityName:into:)' is unavailable: use the initializer of the class
// error: 'mutableSetValue(forKey:)' is unavailable: the property of the relationship is a collection
// error: 'mutableOrderedSetValue(forKey:)' is unavailable: the property of the relationship is a list
// error: 'allObjects' is unavailable: it is a collection
// error: 'array' is unavailable: it is a collection
// error: 'append' has been renamed to 'insert(_:)': the objects have no order
// error: 'append(contentsOf:)' is unavailable: call insert(_:) for each of the objects
// error: 'NSFetchRequestResult' has been renamed to 'ManagedObject'
// error: 'NSPredicate' has been renamed to 'FetchPredicate': write a closure
// error: 'NSCompoundPredicate' has been renamed to 'FetchPredicate': write &&
// error: 'NSSortDescriptor' has been renamed to 'FetchSortKey': write sortedBy: \.name.ascending
// error: 'NSOrderedSet' has been renamed to 'OrderedToMany': an ordered relationship is
// error: 'NSSet' has been renamed to 'ToMany': a to-many relationship is
// error: 'NSMergeByPropertyObjectTrumpMergePolicy' has been renamed to 'MergePolicy.mergeByProperty
// error: 'NSMergeByPropertyStoreTrumpMergePolicy' has been renamed to 'MergePolicy.mergeByProperty
// error: 'NSErrorMergePolicy' has been renamed to 'MergePolicy.error'
// error: 'NSOverwriteMergePolicy' has been renamed to 'MergePolicy.overwrite'
// error: 'NSRollbackMergePolicy' has been renamed to 'MergePolicy.rollback'
// error: 'ValueTransformer' is unavailable: conform to AttributeTransformer, or put
// error: 'NSSecureUnarchiveFromDataTransformer' is unavailable: conform to AttributeTransformer
// error: 'init(fetchRequest:managedObjectContext:sectionNameKeyPath:cacheName:)' is unavailable: write try FetchedResultsController(request
// error: 'fetchedObjects' has been renamed to 'objects'
// error: 'object(at:)' is unavailable: write controller[ResultsPosition(section: section, item: item)]
// error: 'numberOfObjects' has been renamed to 'count'
// error: 'ascending' is unavailable: leave it out: without an order
// error: conformance of 'AnyKeyPath' to 'PredicateArgument' is unavailable: write %K, and the property without a backslash
import Copal
import CopalTestSupport

func object(_ object: NSManagedObject, _ id: NSManagedObjectID) {}
func context(_ context: NSManagedObjectContext, _ container: NSPersistentContainer) {}
func request(_ request: NSFetchRequest<Pigment>, _ policy: NSMergePolicy) {}
func results(_ results: NSFetchedResultsController<Pigment>, _ entity: NSEntityDescription) {}
func batches(_ a: NSBatchInsertRequest, _ b: NSBatchUpdateRequest, _ c: NSBatchDeleteRequest) {}

func use(_ context: ManagedObjectContext, _ pigment: Pigment) throws {
  context.automaticallyMergesChangesFromParent = true
  context.undoManager = nil
  print(context.persistentStoreCoordinator as Any)
  try context.obtainPermanentIDs(for: [pigment])
  try context.execute(1)
  context.mergeChanges(fromContextDidSave: 1)
  print(pigment.changedValuesForCurrentEvent())
  print(Pigment(entity: pigment.entity, insertInto: context))
}

func change(_ painter: Painter, _ pigment: Pigment, _ context: ManagedObjectContext) {
  let new = NSEntityDescription.insertNewObject(forEntityName: "Pigment", into: context) as! Pigment
  painter.mutableSetValue(forKey: "paintings").insert(new)
  painter.mutableOrderedSetValue(forKey: "paintings").insert(new, at: 0)
  let insert = NSBatchInsertRequest(entityName: "Pigment") { (object: ManagedObject) -> Bool in
    true
  }
  let update = NSBatchUpdateRequest(entityName: "Pigment")
  let delete = NSBatchDeleteRequest(objectIDs: [pigment.objectID])
  print(insert, update, delete)
}

func policies(_ context: ManagedObjectContext) {
  context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
  context.mergePolicy = NSMergeByPropertyStoreTrumpMergePolicy
  context.mergePolicy = NSErrorMergePolicy
  context.mergePolicy = NSOverwriteMergePolicy
  context.mergePolicy = NSRollbackMergePolicy
}

func lists(_ set: ToMany<Pigment>, _ list: OrderedToMany<Pigment>) {
  print(set.allObjects, list.array)
}

func additions(_ set: ToMany<Pigment>, _ list: OrderedToMany<Pigment>, _ pigment: Pigment) {
  list.append(pigment)
  set.append(pigment)
  set.append(contentsOf: [pigment])
}

func conditions<Result: NSFetchRequestResult>(_ request: FetchRequest<Result>) {
  print(NSPredicate(format: "price < %@", 20), NSSortDescriptor(key: "name", ascending: true))
  print(NSCompoundPredicate(andPredicateWithSubpredicates: []))
}

extension Painter {
  var tags: NSSet? { nil }
  var steps: NSOrderedSet? { nil }
}

class ColorTransformer: ValueTransformer {}
class TintTransformer: NSSecureUnarchiveFromDataTransformer {}

func fetch() {
  var request = Pigment.fetchRequest()
  request.propertiesToFetch = ["name"]
  request.propertiesToGroupBy = ["name"]
  request.havingPredicate = FetchPredicate(value: true)
  request.returnsDistinctResults = true
  request.relationshipKeyPathsForPrefetching = ["maker"]
  print(request.resultType)
  let condition = Pigment.properties.price > 1
  print(FetchPredicate(andPredicateWithSubpredicates: [condition]))
  print(FetchPredicate(orPredicateWithSubpredicates: [condition]))
  print(FetchPredicate(notPredicateWithSubpredicate: condition))
}

func list(_ request: FetchRequest<Pigment>, _ context: ManagedObjectContext) {
  _ = FetchedResultsController(
    fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
}

func rows(_ controller: FetchedResultsController<Pigment>, _ indexPath: [Int]) {
  print(controller.fetchedObjects?.count as Any, controller.object(at: indexPath))
  print(controller.sections[0].numberOfObjects)
  print(Pigment.properties.objectID.ascending)
  _ = try? FetchPredicate(format: "%K == 1", \Pigment.price)
}
