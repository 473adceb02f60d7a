import Copal
import CopalTestSupport
import Foundation
import Testing

/// A model with an attribute of each type, rules, a family, large values in files, and
/// relationships with limits; and a store of it without faults.
struct Warehouse {
  static let model = """
    { "copal": 1, "model": "Warehouse", "entities": {
      "Item": {
        "codegen": "none",
        "attributes": {
          "name": { "type": "string", "minimumLength": 2, "maximumLength": 10 },
          "mail": { "type": "string?", "pattern": "[^@ ]+@[^@ ]+" },
          "kind": { "type": "string", "cases": ["dry", "wet"], "default": "dry" },
          "small": { "type": "integer16", "minimum": 0, "maximum": 150 },
          "medium": "integer32?",
          "large": "integer64?",
          "weight": "decimal?",
          "price": { "type": "decimal?", "scale": 2, "minimum": 1 },
          "rating": { "type": "double?", "maximum": 5 },
          "ratio": "float?",
          "isNew": "boolean?",
          "made": { "type": "date?", "maximum": "2100-01-01T00:00:00Z" },
          "key": "uuid?",
          "site": "uri?",
          "bytes": { "type": "binary?", "maximumLength": 4 },
          "scan": { "type": "binary?", "external": 1024, "maximumLength": 100000 },
          "code": "string?",
          "shelf": "string?",
          "place": "integer64?"
        },
        "relationships": {
          "box": { "type": "Box?", "inverse": "items" },
          "friends": { "type": "[Item]", "inverse": "friends" }
        },
        "unique": ["code", ["shelf", "place"]]
      },
      "Box": {
        "codegen": "none",
        "attributes": { "label": { "type": "string", "search": "normalized" } },
        "relationships": {
          "items": { "type": "[Item]", "inverse": "box", "minimum": 1, "maximum": 2 },
          "keeper": { "type": "Dog", "inverse": "boxes" }
        },
        "unique": [{ "attribute": "label", "ignoring": ["case", "diacritics"] }]
      },
      "Animal": { "codegen": "none", "abstract": true, "attributes": { "call": "string" } },
      "Dog": {
        "codegen": "none", "parent": "Animal",
        "attributes": { "tricks": { "type": "integer64", "default": 0, "minimum": 0 } },
        "relationships": { "boxes": { "type": "[Box]", "inverse": "keeper" } }
      },
      "Cat": { "codegen": "none", "parent": "Animal" }
    } }
    """

  let test: TestStore
  let container: PersistentContainer

  /// Four items, the first two in the first box, the third in the second box; a dog, which keeps
  /// both, and a cat. The first item has a large value.
  init(_ kind: StoreKind = .sqlite) throws {
    test = try TestStore(kind)
    container = try PersistentContainer(
      model: ModelBinding(name: "Warehouse", json: Self.model, classes: []),
      store: test.configuration())
    let context = container.makeContext()
    func insert(_ entity: String, _ values: [String: Any?]) throws -> ManagedObject {
      let object = try context.insert(entity)
      for (name, value) in values { try object.setValue(value, forKey: name) }
      return object
    }
    let dog = try insert("Dog", ["call": "Rex"])
    _ = try insert("Cat", ["call": "Tom"])
    let boxes = try ["Äpfel", "Birnen"].map { try insert("Box", ["label": $0, "keeper": dog]) }
    var items: [ManagedObject] = []
    for number in 1...4 {
      items.append(
        try insert(
          "Item",
          [
            "name": "item \(number)", "mail": "a@b", "kind": "wet", "small": Int16(number),
            "medium": Int32(1), "large": Int64(1), "weight": Decimal(1.5), "price": Decimal(2),
            "rating": 4.5, "ratio": Float(0.5), "isNew": true,
            "made": Date(timeIntervalSince1970: 0),
            "key": UUID(), "site": URL(string: "https://example.com/a%20b"), "bytes": Data([1, 2]),
            "scan": Data(repeating: 7, count: number == 1 ? 50_000 : 50), "code": "c\(number)",
            "shelf": "s", "place": Int64(number),
            "box": number < 4 ? boxes[number / 3] : nil,
          ]))
    }
    try items[0].setValue(Set([items[1]]), forKey: "friends")
    try context.save()
  }

  /// The path of the file with the large value.
  func largeFile() throws -> String {
    let name = try test.sqlite3("SELECT scan FROM Item WHERE typeof(scan) = 'text'")
    return test.file.path(percentEncoded: false) + "-files/" + name
  }
}
