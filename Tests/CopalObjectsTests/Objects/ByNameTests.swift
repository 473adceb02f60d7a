import Copal
import CopalColor
import CopalTestSupport
import Foundation
import Testing

@Suite("Access by name")
struct ByNameTests {
  @Test("objects without a generated class are used by name", arguments: bothStores)
  func noClass(_ kind: StoreKind) throws {
    let container = try TestStore(kind).studio()
    let context = container.makeContext()
    let brush = try context.insert("Tool")
    try brush.setValue("brush", forKey: "name")
    #expect(try brush.value(of: "count", as: Int16.self) == 1)
    try context.save()
    let request = FetchRequest<ManagedObject>(
      entityName: "Tool", predicate: .comparison(.property("name"), .equal, .constant("brush")))
    let found = try #require(try container.makeContext().fetch(request).first)
    #expect(try found.value(of: "name", as: String.self) == "brush")
    #expect(found.entityName == "Tool" && found.entity.attributes.count == 2)
  }

  @Test("a value of every type can be set and read by name", arguments: bothStores)
  func types(_ kind: StoreKind) throws {
    let container = try TestStore(kind).atelier()
    let context = container.makeContext()
    let painter = try context.insert("Painter")
    let pigment = try context.insert("Pigment")
    let painting = try context.insert("Painting")
    let day = Date(timeIntervalSinceReferenceDate: 0.123_456_789)
    let id = UUID()
    let page = try #require(URL(string: "https://example.com/a%20b?c#d"))
    let price = try #require(Decimal(string: "19.99"))
    for (object, name, value) in [
      (painter, "name", "Rosa" as Any), (painter, "born", day), (painter, "website", page),
      (painter, "portrait", Data([0, 255])), (painter, "prizes", Int16(7)),
      (pigment, "name", "Ochre"), (pigment, "price", price), (pigment, "opacity", 0.5),
      (pigment, "isLightfast", false), (pigment, "color", SerializableColor.red),
      (painting, "id", id), (painting, "widthMillimetres", Int32(5)),
      (painting, "heightMillimetres", Int32(6)), (painting, "views", Int64.max),
      (painting, "strokes", Int.max), (painting, "weightKilograms", Float(0.1)),
      (painting, "palette", [SerializableColor.red, .blue]),
    ] {
      try object.setValue(value, forKey: name)
    }
    try context.save()
    context.refreshAllObjects()
    #expect(try painter.value(of: "name", as: String.self) == "Rosa")
    #expect(try painter.value(of: "born", as: Date.self) == day)
    #expect(try painter.value(of: "website", as: URL.self) == page)
    #expect(try painter.value(of: "portrait", as: Data.self) == Data([0, 255]))
    #expect(try painter.value(of: "prizes", as: Int16.self) == 7)
    #expect(try pigment.value(of: "price", as: Decimal.self) == price)
    #expect(try pigment.value(of: "opacity", as: Double.self) == 0.5)
    #expect(try pigment.value(of: "isLightfast", as: Bool.self) == false)
    #expect(try pigment.value(of: "color", as: SerializableColor.self) == .red)
    #expect(try painting.value(of: "id", as: UUID.self) == id)
    #expect(try painting.value(of: "views", as: Int64.self) == .max)
    #expect(try painting.value(of: "strokes", as: Int.self) == .max)
    #expect(try painting.value(of: "weightKilograms", as: Float.self) == 0.1)
    #expect(
      try painting.value(of: "palette", as: [SerializableColor].self) == [.red, .blue])
    #expect(try painter.value(of: "email", as: String.self) == nil)
  }

  @Test("an integer of any width can be set by name if it fits")
  func widths() throws {
    let context = try TestStore(.memory).atelier().makeContext()
    let painter = Painter(context: context, name: "Rosa")
    for number in [Int8(5), UInt8(5), Int16(5), UInt16(5), Int32(5), UInt64(5), UInt(5), 5] as [Any]
    {
      try painter.setValue(number, forKey: "prizes")
      #expect(painter.prizes == 5)
    }
    let pigment = Pigment(context: context, name: "Ochre")
    try pigment.setValue(1, forKey: "opacity")
    try pigment.setValue(3, forKey: "price")
    #expect(pigment.opacity == 1 && pigment.price == 3)
    try pigment.setValue(UInt64.max, forKey: "price")
    #expect(pigment.price == Decimal(UInt64.max))
    let error = #expect(throws: PersistenceError.self) {
      try pigment.setValue(UInt64.max, forKey: "opacity")
    }
    #expect(error?.code == .outOfRange && pigment.opacity == 1)
  }

  static let outOfRange: [(String, any Sendable)] = [
    ("prizes", 32_768), ("prizes", -32_769), ("prizes", Int64.max), ("prizes", 40_000),
    ("prizes", UInt64.max), ("prizes", UInt.max), ("prizes", Int128.max),
  ]

  @Test(
    "row 63: a number that does not fit is refused, and the error has the limits",
    arguments: outOfRange)
  func range(name: String, number: any Sendable) throws {
    let context = try TestStore(.memory).atelier().makeContext()
    let painter = Painter(context: context, name: "Rosa")
    painter.prizes = 3
    let error = #expect(throws: PersistenceError.self) {
      try painter.setValue(number, forKey: name)
    }
    #expect(error?.code == .outOfRange && error?.property == name)
    #expect(error?.expected == "Int16 (-32768 to 32767)")
    #expect(painter.prizes == 3)
  }

  @Test("the limits of every integer width can be set and read by name", arguments: bothStores)
  func boundaries(_ kind: StoreKind) throws {
    let container = try TestStore(kind).studio()
    let context = container.makeContext()
    for (least, greatest) in [(Int16.min, Int16.max)] {
      for number in [least, greatest] {
        let tool = try context.insert("Tool")
        try tool.setValue("\(number)", forKey: "name")
        try tool.setValue(number, forKey: "count")
      }
    }
    for number in [Int32.min, Int32.max] {
      let apprentice = Apprentice(context: context, name: "Paul")
      (apprentice.skill, apprentice.flags) = (number, number < 0 ? Int64.min : Int64.max)
    }
    try context.save()
    let other = container.makeContext()
    for tool in try other.fetch(FetchRequest<ManagedObject>(entityName: "Tool")) {
      let name = try tool.value(of: "name", as: String.self)
      #expect(try tool.value(of: "count", as: Int16.self).map { "\($0)" } == name)
    }
    #expect(try other.fetch(Apprentice.self).map(\.skill) == [.min, .max])
    #expect(try other.fetch(Apprentice.self).map(\.flags) == [.min, .max])
  }

  static let wrongTypes: [(String, any Sendable, String)] = [
    ("name", 1, "String"), ("prizes", "1", "Int16"), ("prizes", true, "Int16"),
    ("born", 0.0, "Date"), ("website", "https://example.com", "URL"),
    ("portrait", [UInt8(1)], "Data"),
  ]

  @Test("a value of a wrong type is refused, and the error has both types", arguments: wrongTypes)
  func wrongType(name: String, value: any Sendable, expected: String) throws {
    let context = try TestStore(.memory).atelier().makeContext()
    let painter = Painter(context: context, name: "Rosa")
    let error = #expect(throws: PersistenceError.self) { try painter.setValue(value, forKey: name) }
    #expect(error?.code == .wrongValueType)
    #expect(error?.entity == "Painter" && error?.property == name && error?.expected == expected)
    #expect(error?.found?.contains("\(type(of: value))") == true)
    #expect(painter.name == "Rosa" && painter.prizes == 0)
  }

  @Test(
    "a transformable takes only its class; in an array, the error has the index of the wrong element"
  )
  func transformables() throws {
    let context = try TestStore(.memory).atelier().makeContext()
    let painting = Painting(context: context, widthMillimetres: 1, heightMillimetres: 1)
    let mixed: [Any] = [SerializableColor.red, SerializableColor.blue, "green"]
    let error = #expect(throws: PersistenceError.self) {
      try painting.setValue(mixed, forKey: "palette")
    }
    #expect(error?.code == .wrongValueType && error?.expected == "[SerializableColor]")
    #expect(error?.found == "an array with String at index 2")
    let single = #expect(throws: PersistenceError.self) {
      try painting.setValue(SerializableColor.red, forKey: "palette")
    }
    #expect(single?.found == "SerializableColor")
    #expect(painting.palette == nil)
    try painting.setValue([SerializableColor](), forKey: "palette")
    #expect(painting.palette == [])
  }

  @Test("the error of an unknown name suggests the right one")
  func unknownName() throws {
    let context = try TestStore(.memory).atelier().makeContext()
    let painter = Painter(context: context, name: "Rosa")
    for attempt in [
      { try painter.setValue(nil, forKey: "nam") }, { _ = try painter.value(forKey: "nam") },
    ] as [() throws -> Void] {
      let error = #expect(throws: PersistenceError.self) { try attempt() }
      #expect(error?.code == .unknownProperty && error?.suggestion == "name")
    }
    #expect(throws: PersistenceError.self) { try painter.value(of: "name", as: Int.self) }
  }

  @Test("setting a value by name replaces one that could not be read", .modelAsIs)
  func replaces() throws {
    let store = try TestStore()
    let container = try store.atelier()
    let filling = container.makeContext()
    _ = Painter(context: filling, name: "Rosa")
    try filling.save()
    _ = try store.sqlite3("UPDATE Painter SET prizes = 'many', copal_version = 2")
    let context = container.makeContext()
    let painter = try #require(try context.fetch(Painter.self).first)
    #expect(painter.prizes == 0)
    #expect(throws: PersistenceError.self) { try painter.value(of: "prizes", as: Int16.self) }
    painter.prizes = 4
    #expect(try painter.value(of: "prizes", as: Int16.self) == 4)
    try context.save()
    #expect(try painter.value(of: "prizes", as: Int16.self) == 4)
    #expect(try store.sqlite3("SELECT prizes FROM Painter") == "4")
  }
}
