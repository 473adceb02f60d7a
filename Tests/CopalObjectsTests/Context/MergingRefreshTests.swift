import Copal
import CopalColor
import CopalTestSupport
import Foundation
import Testing

@Suite("refresh(mergeChanges: true)")
struct MergingRefreshTests {
  private struct World {
    let mine: ManagedObjectContext
    let pigment: Pigment
    let others: (_ change: (Pigment) -> Void) throws -> Void
  }

  private func world(_ kind: StoreKind) throws -> World {
    let container = try TestStore(kind).atelier()
    let (mine, other) = (container.makeContext(), container.makeContext())
    let pigment = Pigment(context: mine, name: "Ochre")
    (pigment.opacity, pigment.color) = (0.5, .red)
    try mine.save()
    let id = pigment.objectID
    return World(mine: mine, pigment: pigment) { change in
      other.refreshAllObjects()
      change(try other.existingObject(with: id, as: Pigment.self))
      try other.save()
    }
  }

  @Test(
    "a refresh with merging gives a property that was set to its current value the store's value",
    arguments: bothStores)
  func same(_ kind: StoreKind) throws {
    let world = try world(kind)
    let pigment = world.pigment
    (pigment.opacity, pigment.color) = (0.5, .red)
    pigment.name = "Umber"
    pigment.name = "Ochre"
    pigment.isLightfast = false
    try world.others { ($0.opacity, $0.name, $0.color) = (0.25, "Sienna", .blue) }
    try world.mine.refresh(pigment, mergeChanges: true)
    #expect(pigment.name == "Sienna" && pigment.opacity == 0.25 && pigment.color == .blue)
    #expect(!pigment.isLightfast && pigment.changedValues().keys.sorted() == ["isLightfast"])
    try world.mine.save()
    try world.mine.refresh(pigment, mergeChanges: false)
    #expect(pigment.name == "Sienna" && pigment.opacity == 0.25 && pigment.color == .blue)
  }

  @Test(
    "an object without remaining changes is unchanged after a refresh with merging",
    arguments: bothStores)
  func nothingLeft(_ kind: StoreKind) throws {
    let world = try world(kind)
    world.pigment.opacity = 0.5
    #expect(world.mine.hasChanges && !world.pigment.hasPersistentChangedValues)
    try world.others { $0.opacity = 0.25 }
    try world.mine.refresh(world.pigment, mergeChanges: true)
    #expect(!world.mine.hasChanges && !world.pigment.isUpdated && world.pigment.opacity == 0.25)
  }

  @Test(
    "a refresh with merging discards a primitive value of an unchanged object",
    arguments: bothStores)
  func primitive(_ kind: StoreKind) throws {
    let world = try world(kind)
    try world.pigment.setPrimitiveValue(0.75, forKey: "opacity")
    #expect(world.pigment.opacity == 0.75 && !world.mine.hasChanges)
    try world.others { $0.opacity = 0.25 }
    var request = Pigment.fetchRequest()
    request.refreshesObjects = true
    _ = try world.mine.fetch(request)
    #expect(world.pigment.opacity == 0.25)
    world.pigment.isLightfast = false
    try world.mine.save()
    try world.others { #expect($0.opacity == 0.25) }
  }

  @Test("hasPersistentChangedValues is true only for changes that a save would write")
  func persistentChanges() throws {
    let world = try world(.sqlite)
    let (context, pigment) = (world.mine, world.pigment)
    #expect(!pigment.hasPersistentChangedValues)
    pigment.swatch = .red
    #expect(pigment.hasChanges && !pigment.hasPersistentChangedValues)
    pigment.color = .red
    #expect(!pigment.hasPersistentChangedValues)
    pigment.color = .blue
    #expect(pigment.hasPersistentChangedValues)
    context.delete(pigment)
    #expect(pigment.hasChanges && !pigment.hasPersistentChangedValues)
    #expect(Pigment(context: context, name: "New").hasPersistentChangedValues)
  }
}
