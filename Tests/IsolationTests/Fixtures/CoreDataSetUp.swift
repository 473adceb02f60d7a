// error: 'init(name:)' is unavailable: give the generated model too
// error: 'loadPersistentStores(completionHandler:)' is unavailable: remove the call
// error: 'persistentStoreDescriptions' is unavailable: give the store to the initializer
// error: 'persistentStoreCoordinator' has been renamed to 'store'
// error: 'managedObjectModel' has been renamed to 'model'
// error: 'newBackgroundContext()' has been renamed to 'makeContext()': or use perform(_:)
// error: 'performBackgroundTask' has been renamed to 'perform(_:)': it is async
// error: 'defaultDirectoryURL()' is unavailable: use SQLiteStore.defaultURL(named:)
// error: 'init()' is unavailable: a container makes contexts; use makeContext(), or viewContext
import Copal
import CopalTestSupport

func open() -> PersistentContainer {
  let container = PersistentContainer(name: "Atelier")
  container.loadPersistentStores { _, error in print(error as Any) }
  print(container.persistentStoreDescriptions, container.persistentStoreCoordinator)
  print(container.managedObjectModel, PersistentContainer.defaultDirectoryURL())
  return container
}

func work(_ container: PersistentContainer) {
  let context = container.newBackgroundContext()
  container.performBackgroundTask { _ = try? $0.count(Pigment.fetchRequest()) }
  print(context, ManagedObjectContext())
}
