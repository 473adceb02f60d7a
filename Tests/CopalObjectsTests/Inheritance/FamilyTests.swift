import Copal
import CopalModel
import CopalStore
import CopalTestSupport
import Foundation
import Testing

@testable import CopalObjects

/// The class that a person writes for the root, with a hook.
class Person: ManagedObject {
  var fetchCount = 0
  var faultCount = 0
  override func awakeFromFetch() { fetchCount += 1 }

  var isReadAgain = false

  override func didTurnIntoFault() {
    faultCount += 1
    if isReadAgain { _ = name }
  }
}

@Suite("Generated code of a parent and its children")
struct FamilyTests {
  private static func container(_ test: TestStore) throws -> PersistentContainer {
    try test.container(.family)
  }

  private static func context(_ test: TestStore) throws -> ManagedObjectContext {
    try container(test).makeContext()
  }

  @Test("the classes of the family have the layouts of the model")
  func layouts() throws {
    let problems = LayoutCheck.problems(
      ModelBinding.family.entities, against: try ModelBinding.family.model)
    #expect(problems.isEmpty)
    #expect(ModelBinding.family.entities.map(\.overridesHooks) == [true, true, true])
  }

  @Test(
    "the accessors of the parent and of the child read the rows of a child", arguments: bothStores)
  func accessors(_ kind: StoreKind) throws {
    let store = try TestStore(kind)
    let context = try Self.context(store)
    let rosa = Restorer(context: context, name: "Rosa", rate: 12.5)
    rosa.style = "Realism"
    rosa.greeting = "Bonjour"
    let person: Person = rosa
    #expect(person.name == "Rosa" && person.greeting == "Bonjour" && rosa.rate == 12.5)
    person.name = "Rosa Bonheur"
    // The greeting depends on the name.
    #expect(rosa.greeting == nil)
    try context.save()
    try context.refresh(rosa, mergeChanges: false)
    #expect(person.name == "Rosa Bonheur" && rosa.style == "Realism" && rosa.rate == 12.5)
    #expect(person.greeting == nil)
    #expect(rosa.fetchCount == 1)
    rosa.rate += 1
    #expect(rosa.changes().map(\.name) == ["rate"])
    try context.save()
    #expect(try context.fetch(Restorer.self) { $0.rate == 13.5 } == [rosa])
  }

  @Test("conditions and orders have the attributes of the class and of its ancestors")
  func queries() throws {
    let context = try Self.context(try TestStore())
    for (name, rate) in [("Rosa", 20), ("Edmonia", 30), ("Paula", 5)] as [(String, Double)] {
      _ = Restorer(context: context, name: name, rate: rate)
    }
    let artisan = Artisan(context: context, name: "Berthe")
    try context.save()
    let found = try context.fetch(Restorer.self, sortedBy: \.name.ascending, \.rate.descending) {
      $0.rate > 10 && $0.name != "Berthe" && $0.style == nil
    }
    #expect(found.map(\.name) == ["Edmonia", "Rosa"])
    #expect(try context.fetch(Artisan.fetchRequest().filter { $0.name == "Berthe" }) == [artisan])
    #expect(try context.fetchIDs(Artisan.self) { $0.name == "Berthe" } == [artisan.objectID])
    #expect(try context.count(Person.self) { $0.name == "Berthe" } == 1)
    var alone = Person.fetchRequest()
    alone.includesSubentities = false
    #expect(try context.count(alone) == 0)
  }

  @Test(
    "a fetch of the parent has the objects of its children, saved and unsaved, in the order in which they were made",
    arguments: bothStores)
  func fetchOfParent(_ kind: StoreKind) throws {
    let test = try TestStore(kind)
    let container = try Self.container(test)
    let context = container.makeContext()
    let rosa = Restorer(context: context, name: "Rosa", rate: 20)
    let jan = Person(context: context, name: "Jan")
    let berthe = Artisan(context: context, name: "Berthe")
    let paula = Restorer(context: context, name: "Paula", rate: 5)
    let all: [Person] = [rosa, jan, berthe, paula]
    #expect(try context.fetch(Person.self) == all)
    try context.save()
    #expect(all.map(\.objectID.key) == [1, 2, 3, 4])
    _ = test.recorder.take()
    let found = try context.fetch(Person.self)
    #expect(found == all)
    #expect(test.recorder.take().count == (kind == .sqlite ? 1 : 0))
    #expect(found.map { "\(type(of: $0))" } == ["Restorer", "Person", "Artisan", "Restorer"])
    // Changes that are not saved: an object that matches now, one that matches no longer, and a new
    // one.
    rosa.name = "Anna"
    jan.name = "Zeno"
    let clara = Restorer(context: context, name: "Clara", rate: 1)
    context.delete(berthe)
    #expect(
      try context.fetch(Person.self, sortedBy: \.name.ascending) { $0.name < "N" } == [rosa, clara])
    #expect(try context.fetch(Artisan.self) == [rosa, paula, clara])
    #expect(try context.fetchIDs(Restorer.self) == [rosa, paula, clara].map(\.objectID))
    #expect(try context.count(Person.self) == 4)
    var alone = Person.fetchRequest()
    alone.includesSubentities = false
    #expect(try context.fetch(alone) == [jan])
    try context.save()
    #expect(
      try container.makeContext().fetch(Person.self).map { "\(type(of: $0)) \($0.name)" }
        == ["Restorer Anna", "Person Zeno", "Restorer Paula", "Restorer Clara"])
  }

  @Test("faults of several entities are read with one statement")
  func faults() throws {
    let test = try TestStore()
    let context = try Self.context(test)
    let people: [Person] = [
      Restorer(context: context, name: "Rosa", rate: 20), Person(context: context, name: "Jan"),
      Artisan(context: context, name: "Berthe"),
    ]
    try context.save()
    for person in people { try context.refresh(person, mergeChanges: false) }
    _ = try context.objects(with: people.map(\.objectID))
    _ = test.recorder.take()
    try context.fulfill(people)
    #expect(people.map(\.name) == ["Rosa", "Jan", "Berthe"])
    #expect(test.recorder.take().count == 1)
  }

  @Test(
    "the objects of a family have different keys, and one instance for each key",
    arguments: bothStores)
  func identity(_ kind: StoreKind) throws {
    let context = try Self.context(try TestStore(kind))
    var people: [Person] = []
    for number in 0..<5 {
      people.append(Person(context: context, name: "\(number)"))
      people.append(Restorer(context: context, name: "\(number)", rate: 1))
    }
    let temporary = people.map(\.objectID)
    #expect(Set(temporary).count == 10)
    try context.save()
    #expect(Set(people.map(\.objectID.key)) == Set(1...10))
    for (id, person) in zip(temporary, people) {
      #expect(try context.existingObject(with: id) === person)
      #expect(try context.existingObject(with: person.objectID) === person)
      // An id that was made with the name of the root finds the object, too.
      let asPerson = ManagedObjectID(
        store: id.storeIdentifier, entityName: "Person", key: person.objectID.key)
      #expect(asPerson == person.objectID)
      #expect(try context.object(with: asPerson) === person)
    }
    #expect(context.registeredObjects == Set(people))
    context.delete(people[1])
    try context.save()
    #expect(context.registeredObjects.count == 9)
  }

  @Test("an entity without a class has the class of its nearest ancestor")
  func inheritedClass() throws {
    let bindings = ModelBinding.family.entities.filter { $0.entityName == "Person" }
    let model = ModelBinding(try ModelBinding.family.model, classes: bindings)
    let context = try TestStore(.memory).container(model).makeContext()
    let restorer = try #require(try context.insert("Restorer") as? Person)
    restorer.name = "Rosa"
    try restorer.setValue(2.5, forKey: "rate")
    try context.save()
    #expect(restorer.entityName == "Restorer" && restorer.name == "Rosa")
  }

  @Test("the class of a child that does not inherit from the class of its parent is refused")
  func unrelatedClass() throws {
    final class Unrelated: ManagedObject {}
    let model = try ModelBinding.family.model
    let bindings = [
      EntityBinding("Person", Person.self, layoutHash: 0),
      EntityBinding("Restorer", Unrelated.self, layoutHash: 0),
    ]
    #expect(
      ClassCheck.problems(bindings, of: model).map(\.found) == [
        "Unrelated does not inherit from Person, the class of Person"
      ])
    #expect(ClassCheck.problems(ModelBinding.family.entities, of: model).isEmpty)
  }

  @Test("each class has the name of its entity and the names of all its attributes")
  func names() {
    #expect(
      [Person.entityName, Artisan.entityName, Restorer.entityName]
        == ["Person", "Artisan", "Restorer"])
    #expect(Person.PropertyNames.name == "name")
    #expect([Restorer.PropertyNames.name, Restorer.PropertyNames.rate] == ["name", "rate"])
  }
}
