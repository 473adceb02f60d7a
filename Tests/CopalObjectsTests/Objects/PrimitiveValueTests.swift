import Copal
import CopalColor
import CopalTestSupport
import Foundation
import Testing

@Suite("Primitive values")
struct PrimitiveValueTests {
  @Test("setting a primitive value does not mark the object as changed", arguments: bothStores)
  func noChange(_ kind: StoreKind) throws {
    let context = try TestStore(kind).atelier().makeContext()
    let pigment = Pigment(context: context, name: "Ochre")
    try context.save()
    try pigment.setPrimitiveValue(0.5, forKey: "opacity")
    try pigment.setPrimitiveValue(SerializableColor.red, forKey: "color")
    #expect(pigment.opacity == 0.5 && pigment.color == .red)
    #expect(try pigment.primitiveValue(forKey: "opacity") as? Double == 0.5)
    #expect(!pigment.isUpdated && !context.hasChanges)
  }

  @Test("a primitive value is written with the next change of the object", arguments: bothStores)
  func written(_ kind: StoreKind) throws {
    let container = try TestStore(kind).atelier()
    let context = container.makeContext()
    let pigment = Pigment(context: context, name: "Ochre")
    try context.save()
    try pigment.setPrimitiveValue(0.5, forKey: "opacity")
    try context.save()
    #expect(try container.makeContext().fetch(Pigment.self).first?.opacity == 1)
    pigment.didChangeValue(forKey: "opacity")
    #expect(pigment.isUpdated)
    try context.save()
    #expect(try container.makeContext().fetch(Pigment.self).first?.opacity == 0.5)
  }

  @Test(
    "setting a primitive value of a fault fills it first, so that the value stays",
    arguments: bothStores)
  func faults(_ kind: StoreKind) throws {
    let context = try TestStore(kind).atelier().makeContext()
    let pigment = Pigment(context: context, name: "Ochre")
    try context.save()
    try context.refresh(pigment, mergeChanges: false)
    try pigment.setPrimitiveValue(0.5, forKey: "opacity")
    #expect(!pigment.isFault && pigment.opacity == 0.5 && pigment.name == "Ochre")
  }

  @Test("a custom accessor reads and sets the primitive value", arguments: bothStores)
  func accessor(_ kind: StoreKind) throws {
    let context = try TestStore(kind).atelier().makeContext()
    let painting = Painting(context: context, widthMillimetres: 2, heightMillimetres: 3)
    try context.save()
    #expect(painting.primitiveAreaSquareMillimetres == nil)
    #expect(painting.areaSquareMillimetres == 6 && !painting.isUpdated)
    #expect(painting.primitiveAreaSquareMillimetres == 6)
    painting.areaSquareMillimetres = 7
    #expect(painting.areaSquareMillimetres == 7 && painting.isUpdated)
  }

  @Test(
    "setPrimitiveValue throws for unknown names and wrong types, like setValue",
    arguments: bothStores)
  func errors(_ kind: StoreKind) throws {
    let context = try TestStore(kind).atelier().makeContext()
    let pigment = Pigment(context: context, name: "Ochre")
    #expect(throws: PersistenceError.self) { try pigment.setPrimitiveValue(1, forKey: "shade") }
    #expect(throws: PersistenceError.self) { try pigment.setPrimitiveValue("1", forKey: "opacity") }
    #expect(throws: PersistenceError.self) { try pigment.primitiveValue(forKey: "shade") }
  }
}
