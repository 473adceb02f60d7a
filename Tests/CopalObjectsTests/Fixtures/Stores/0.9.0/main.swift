// Writes what a release leaves behind, for the tests of every later one:
// MakeFixtures Gallery.model.json Gallery.sqlite Values.archive

import Copal
import CopalArchive
import Foundation

struct MoodTransformer: AttributeTransformer {
  func encode(_ mood: String) -> String { "mood:" + mood }
  func decode(_ stored: String) -> String { String(stored.dropFirst(5)) }
}

let arguments = CommandLine.arguments
let model = try ManagedObjectModel(contentsOf: URL(filePath: arguments[1]))
let container = try PersistentContainer(
  model: ModelBinding(model), store: .sqlite(at: URL(filePath: arguments[2])),
  transformers: [MoodTransformer()])
let context = container.makeContext()

@MainActor
func insert(_ entity: String, _ values: [String: Any]) throws -> ManagedObject {
  let object = try context.insert(entity)
  for (name, value) in values { try object.setValue(value, forKey: name) }
  return object
}

func decimal(_ text: String) -> Decimal { Decimal(string: text)! }

let vermeer = try insert("Artist", ["name": "Jan Vermeer", "born": 1632])
let fabritius = try insert("Artist", ["name": "Carel Fabritius", "born": 1622])
let rembrandt = try insert("Artist", ["name": "Rembrandt"])
try rembrandt.setValue([fabritius, vermeer], forKey: "pupils")

let least = try insert(
  "Painting",
  [
    "title": "View of Delft", "note": "To be cleaned", "inventory": 1, "small": Int16.min,
    "middle": Int32.min, "large": Int64.min, "count": Int.min, "ratio": -Float.greatestFiniteMagnitude,
    "width": 2.5, "price": decimal("-92233720368547758.08"),
    "exact": decimal("-0.00000000000000000000000000000000000001"), "sold": false,
    "made": Date(timeIntervalSinceReferenceDate: -1_000_000_000.25), "label": "12",
    "code": UUID(uuidString: "00000000-0000-0000-0000-000000000000")!,
    "page": URL(string: "https://example.com/a?b=c%20d#e")!,
    "palette": Data((0..<5000).map { UInt8($0 % 251) }), "mood": "calm",
  ])
let greatest = try insert(
  "Painting",
  [
    "title": "", "note": "", "inventory": Int32.max, "small": Int16.max, "middle": Int32.max,
    "large": Int64.max, "count": Int.max, "ratio": Float.leastNonzeroMagnitude, "width": 3.5,
    "price": decimal("92233720368547758.07"),
    "exact": decimal("12345678901234567890123456789012345678"), "sold": true,
    "made": Date(timeIntervalSinceReferenceDate: 700_000_000.1), "label": "unknown",
    "code": UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")!,
    "page": URL(string: "https://example.com")!, "palette": Data(), "mood": "", "technique": "oil",
  ])
let empty = try insert(
  "Painting", ["title": "it's \"x\"\ne\u{301} 🎨", "small": 0, "ratio": 0, "owner": rembrandt])

let first = try insert(
  "Woodcut", ["title": "Woodcut 1", "zone": "A", "area": "1", "inventory": 1])
let second = try insert("Woodcut", ["title": "Woodcut 2", "zone": "B", "inventory": 2])
let third = try insert("Etching", ["title": "Etching 1", "area": "1", "inventory": 3])
let fourth = try insert("Etching", ["title": "Etching 2"])
let deleted = try insert("Etching", ["title": "Etching 3", "inventory": 4])
try vermeer.setValue([greatest, first, least], forKey: "works")
try fabritius.setValue([greatest], forKey: "works")
try context.save()

// A second save: a list in another order, a changed value, and the last key is not used any more.
try vermeer.setValue([first, least, greatest], forKey: "works")
try fourth.setValue("Changed", forKey: "note")
context.delete(deleted)
try context.save()

// One value of each kind, and one object that two others share.
let shared = ArchivedValue.object(
  ArchivedObject(
    classNames: ["Tint", "NSObject"],
    fields: ["name": .string("Ultramarin é 🎨"), "red": .float(0.25), "alpha": .real(-1e300)]))
let values = ArchivedValue.dictionary(
  [
    ("boolean", .boolean(true)), ("least", .integer(.min)), ("greatest", .unsigned(.max)),
    ("data", .data(Array(0...255))), ("date", .date(-1_000_000_000.25)),
    ("url", .url("b?c=d%20e", base: "https://example.com/a/")),
    ("uuid", .uuid(Array(1...16))), ("null", .null),
    ("set", .set([.integer(1), .integer(2)])), ("twice", .array([shared, shared])),
  ].map { ArchivedPair(key: .string($0), value: $1) })
try Data(KeyedArchive.bytes(of: values)).write(to: URL(filePath: arguments[3]))
