import CopalModel
import Foundation
import Testing

@Suite("ManagedObjectID")
struct ManagedObjectIDTests {
  private let store = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
  private let place = "copal://01020304-0506-0708-090A-0B0C0D0E0F10"

  @Test(
    "an object id can be written as a URI and read back",
    arguments: [
      (1, "/Pigment/p1"), (42, "/Pigment/p42"), (-7, "/Pigment/t7"),
      (.max, "/Pigment/p9223372036854775807"), (-.max, "/Pigment/t9223372036854775807"),
    ] as [(Int64, String)])
  func uri(key: Int64, path: String) throws {
    let id = ManagedObjectID(
      EntityIdentity(EntityFamily(store: store, root: "Pigment"), name: "Pigment", index: 3), key)
    #expect(id.description == place + path)
    let other = try #require(ManagedObjectID(uri: id.description))
    #expect(other == id)
    #expect(other.hashValue == id.hashValue)
    #expect(other.isTemporary == (key < 0))
    #expect(other.entityName == "Pigment")
    #expect(other.storeIdentifier == store)
    let data = try JSONEncoder().encode([id])
    #expect(try JSONDecoder().decode([ManagedObjectID].self, from: data) == [id])
  }

  @Test(
    "a URI of another form is not an object id",
    arguments: [
      "", "copal://", "/Pigment/p1", "/Pigment/p0", "/Pigment/p-1", "/Pigment/p+1", "/Pigment/p01",
      "/Pigment/p", "/Pigment/x1", "/Pigment/1", "//p1", "/p1", "/Pigment/p1/", "/Pigment/p1 ",
      "/Pigment/p9223372036854775808", "/Pigment/p1e3", "/Pigment/p١", "/Pigment/Pigment/p1",
      "//Pigment/p1",
      "/Person//p1", "/Being/Person/Painter/p1",
    ])
  func others(path: String) throws {
    for text in [path, "Copal" + place.dropFirst(5) + path, "copal://x" + path]
      + (path.hasPrefix("/Pigment/p1") && path.count == 11 ? [] : [place + path])
    {
      #expect(ManagedObjectID(uri: text) == nil, "\(text)")
      let json = try JSONEncoder().encode([text])
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode([ManagedObjectID].self, from: json)
      }
    }
  }

  @Test("an id with the name of the root equals the id with the name of a subentity")
  func families() {
    let family = EntityFamily(store: store, root: "Person")
    func id(_ name: String, _ key: Int64) -> ManagedObjectID {
      ManagedObjectID(EntityIdentity(family, name: name), key)
    }
    #expect(id("Person", 1) == id("Restorer", 1) && id("Person", 1) != id("Restorer", 2))
    #expect(Set([id("Person", 1), id("Restorer", 1)]).count == 1)
    #expect(ManagedObjectID(store: store, entityName: "Person", key: 1) == id("Restorer", 1))
    #expect(id("Restorer", 1).entityName == "Restorer")
    // The text of an id has the root, so that this holds after reading it, too.
    #expect(id("Restorer", 1).description == place + "/Person/Restorer/p1")
    #expect(id("Person", 1).description == place + "/Person/p1")
    for name in ["Person", "Restorer"] {
      let read = ManagedObjectID(uri: id(name, 1).description)
      #expect(read == id("Restorer", 1) && read?.entityName == name)
      #expect(read?.hashValue == id("Restorer", 1).hashValue)
    }
    #expect(
      ManagedObjectID(store: store, entityName: "Restorer", rootName: "Person", key: 1)
        == id("Person", 1))
  }

  @Test("object ids of different stores, entities or keys differ")
  func equality() {
    func id(_ store: UUID, _ name: String, _ key: Int64) -> ManagedObjectID {
      ManagedObjectID(store: store, entityName: name, key: key)
    }
    let one = id(store, "Pigment", 1)
    #expect(one == id(store, "Pigment", 1))
    #expect(Set([one, id(store, "Pigment", 1)]).count == 1)
    #expect(one != id(store, "Pigment", 2))
    #expect(one != id(store, "Painter", 1))
    #expect(one != id(UUID(), "Pigment", 1))
  }
}
