import Copal
import CopalColor
import CopalTestSupport
import Foundation
import Testing

/// A test for each line of `Docs/Deviations.md` about fetching, objects and saving that no other
/// suite covers.
@Suite("A deviation from Core Data")
struct DeviationTests {
  let store: TestStore
  let container: PersistentContainer
  let context: ManagedObjectContext

  init() throws {
    store = try TestStore()
    container = try store.atelier()
    context = container.makeContext()
  }

  private func save(_ names: String...) throws -> [Pigment] {
    let pigments = names.map { Pigment(context: context, name: $0) }
    try context.save()
    return pigments
  }

  private func elsewhere(_ pigment: Pigment, _ change: (ManagedObjectContext, Pigment) -> Void)
    throws
  {
    let other = container.makeContext()
    change(other, try other.existingObject(with: pigment.objectID, as: Pigment.self))
    try other.save()
  }

  @Test("a fetch gives objects with values, and registered objects keep theirs")
  func fetchKeepsValues() throws {
    let pigment = try save("Ochre")[0]
    try elsewhere(pigment) { $1.price = 7 }
    #expect(pigment.price == 12.5)
    #expect(try context.fetch(Pigment.self).first === pigment)
    #expect(pigment.price == 12.5 && !pigment.isFault)
    var request = Pigment.fetchRequest()
    request.refreshesObjects = true
    #expect(try context.fetch(request).first?.price == 7)
  }

  @Test("a fetch leaves changed objects and their versions alone")
  func fetchKeepsChanges() throws {
    let pigment = try save("Ochre")[0]
    try elsewhere(pigment) { $1.price = 7 }
    pigment.price = 9
    _ = try context.fetch(Pigment.self)
    #expect(pigment.price == 9)
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect((error?.causes.first as? PersistenceError)?.code == .conflict)
  }

  @Test("a limit of zero gives nothing")
  func zeroLimit() throws {
    _ = try save("Ochre")
    #expect(try context.fetch(Pigment.self, limit: 0).isEmpty)
  }

  @Test("objects with equal sort keys are in the order of their insertion")
  func order() throws {
    _ = try save("Umber", "Ochre", "Sienna")
    #expect(try context.fetch(Pigment.self).map(\.name) == ["Umber", "Ochre", "Sienna"])
    #expect(
      try context.fetch(Pigment.self, sortedBy: \.price.descending).map(\.name)
        == ["Umber", "Ochre", "Sienna"])
  }

  @Test("strings sort by their bytes")
  func bytes() throws {
    _ = try save("ochre", "Umber", "é", "e\u{301}")
    let names = try context.fetch(Pigment.self, sortedBy: \.name.ascending).map(\.name)
    #expect(
      names.map { Array($0.utf8) } == ["Umber", "e\u{301}", "ochre", "é"].map { Array($0.utf8) })
  }

  @Test("logic has two values, and nil sorts first")
  func nothing() throws {
    let pigments = try save("Ochre", "Umber")
    pigments[1].density = 3
    try context.save()
    #expect(try context.count(Pigment.self) { $0.density == nil } == 1)
    #expect(try context.count(Pigment.self) { $0.density != 3 } == 1)
    #expect(try context.count(Pigment.self) { $0.density < 5 } == 1)
    #expect(try context.count(Pigment.self) { !($0.density < 5) } == 1)
    #expect(
      try context.fetch(Pigment.self, sortedBy: \.density.ascending).map(\.name)
        == ["Ochre", "Umber"])
    #expect(
      try context.fetch(Pigment.self, sortedBy: \.density.descending).map(\.name)
        == ["Umber", "Ochre"])
  }

  @Test("isDeleted of a deleted object stays true, and its last values stay readable")
  func deleted() throws {
    let pigment = try save("Ochre")[0]
    context.delete(pigment)
    try context.save()
    #expect(pigment.isDeleted && pigment.name == "Ochre")
    #expect(pigment.managedObjectContext == nil)
  }

  @Test("a fault without a row reads as nil or zero, and its changes are not saved")
  func missing() throws {
    let pigment = try save("Ochre")[0]
    try context.refresh(pigment, mergeChanges: false)
    try elsewhere(pigment) { $0.delete($1) }
    #expect(pigment.name == "" && pigment.isDeleted)
    pigment.price = 3
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect((error?.causes.first as? PersistenceError)?.code == .incompleteObject)
  }

  @Test("the temporary id finds the object after its first save")
  func temporaryID() throws {
    let pigment = Pigment(context: context, name: "Ochre")
    let temporary = pigment.objectID
    try context.save()
    #expect(temporary.isTemporary && !pigment.objectID.isTemporary)
    #expect(try context.object(with: temporary) === pigment)
    #expect(throws: PersistenceError.self) { try container.makeContext().object(with: temporary) }
  }

  @Test("keys are never used twice")
  func keys() throws {
    let pigment = try save("Ochre")[0]
    context.delete(pigment)
    try context.save()
    #expect(try save("Umber")[0].objectID.description.hasSuffix("/p2"))
  }

  @Test("setting a property to its current value is not a change, and nothing is written")
  func sameValue() throws {
    let pigment = try save("Ochre")[0]
    pigment.name = "Ochre"
    #expect(pigment.hasChanges && pigment.changedValues().isEmpty)
    #expect(try store.recorder.statements { try context.save() }.isEmpty)
  }

  @Test(
    "a transient keeps its value over a save, and is discarded with a change that it depends on")
  func transients() throws {
    let pigment = try save("Ochre")[0]
    pigment.swatch = .red
    try context.save()
    #expect(pigment.swatch == .red)
    try context.refresh(pigment, mergeChanges: false)
    #expect(pigment.swatch == nil)

    let painting = Painting(context: context, widthMillimetres: 3, heightMillimetres: 4)
    #expect(painting.areaSquareMillimetres == 12)
    painting.widthMillimetres = 5
    #expect(painting.areaSquareMillimetres == 20)
  }

  @Test("negative zero is stored as zero, and NaN is refused")
  func zeros() throws {
    let pigment = try save("Ochre")[0]
    pigment.opacity = -0.0
    try context.save()
    #expect(pigment.opacity.sign == .plus)
    pigment.opacity = .nan
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect((error?.causes.first as? PersistenceError)?.code == .notANumber)
  }

  @Test("a save checks only changed attributes, and reports all failures")
  func validation() throws {
    let pigment = try save("Ochre")[0]
    _ = try store.sqlite3("UPDATE Pigment SET price = -100")
    context.refreshAllObjects()
    pigment.density = 2
    try context.save()

    pigment.density = 50
    pigment.price = -1
    Pigment(context: context).code = "no code"
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(error?.causes.count == 4)
  }

  @Test("unique values can be swapped in one save")
  func swap() throws {
    let pigments = try save("Ochre", "Umber")
    (pigments[0].name, pigments[1].name) = ("Umber", "Ochre")
    try context.save()
    #expect(try context.fetch(Pigment.self).map(\.name) == ["Umber", "Ochre"])
  }

  @Test("deleting an object of another context traps")
  func foreignObject() async {
    await #expect(processExitsWith: .failure) {
      let container = try PersistentContainer(
        model: .atelier, store: .inMemory, transformers: TestTransformers.atelier)
      let pigment = Pigment(context: container.makeContext(), name: "Ochre")
      container.makeContext().delete(pigment)
    }
  }

  @Test("changes of an object that was deleted elsewhere are discarded by a refresh")
  func deletedElsewhere() throws {
    let pigment = try save("Ochre")[0]
    try elsewhere(pigment) { $0.delete($1) }
    pigment.price = 3
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect((error?.causes.first as? PersistenceError)?.code == .deletedElsewhere)
    try context.refresh(pigment, mergeChanges: false)
    #expect(!context.hasChanges)
    try context.save()
  }

  @Test("decimals compare as numbers, with a scale and without")
  func decimals() throws {
    let pigments = try save("Ochre", "Umber")
    (pigments[0].price, pigments[0].density) = (9, 9)
    (pigments[1].price, pigments[1].density) = (10, 10)
    try context.save()
    for name in ["price", "density"] {
      let request = FetchRequest<Pigment>(
        entityName: "Pigment",
        predicate: .comparison(.property(name), .less, .constant(.decimal(9.5))))
      #expect(try context.fetch(request) == [pigments[0]])
      let all = FetchRequest<Pigment>(entityName: "Pigment", sortKeys: [.descending(name)])
      #expect(try context.fetch(all) == [pigments[1], pigments[0]])
    }
  }

  @Test("a save ends the snapshot of a read transaction")
  func readingEnds() throws {
    let pigment = try save("Ochre")[0]
    try context.readTransaction {
      #expect(try context.count(Pigment.self) == 1)
      let other = container.makeContext()
      _ = Pigment(context: other, name: "Umber")
      try other.save()
      #expect(try context.count(Pigment.self) == 1)
      pigment.price = 3
      try context.save()
      #expect(try context.count(Pigment.self) == 2)
    }
  }

  @Test("a store whose file is gone refuses to save")
  func fileReplaced() throws {
    let pigment = try save("Ochre")[0]
    try FileManager.default.removeItem(at: store.file)
    pigment.price = 3
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(error?.code == .fileReplaced && context.hasChanges)
  }

  @Test(
    "an empty store migrates every change that loses nothing, and refuses a name that is gone",
    arguments: [
      (#""text": "string", "more": "string?""#, true),
      (#""text": "string", "count": { "type": "integer", "default": 1 }"#, true),
      (#""text": "string", "count": "integer""#, true), (#""text": "string?""#, true),
      (#""text": "integer""#, true), (#""words": "string""#, false), (#""text": "uuid""#, true),
    ])
  func changedModels(attributes: String, fits: Bool) throws {
    func open(_ attributes: String) throws {
      let model = try ManagedObjectModel(
        json: """
          {"copal": 1, "model": "Notes", "entities": {"Note": {"attributes": {\(attributes)}}}}
          """, file: "Notes.model.json")
      _ = try PersistentContainer(
        model: ModelBinding(model), store: .sqlite(at: store.folder.appending(path: "Notes.sqlite"))
      )
    }
    try open(#""text": "string""#)
    if fits {
      try open(attributes)
    } else {
      let error = #expect(throws: PersistenceError.self) { try open(attributes) }
      #expect(error?.code == .modelDiffers)
      try open(#""text": "string""#)
    }
  }
}
