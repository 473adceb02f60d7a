import Copal
import CopalModel
import CopalTestSupport
import Foundation
import Testing

@Suite("Closures that compare, and their texts")
struct ClosureComparisonTests {
  static let day = Date(timeIntervalSinceReferenceDate: 1000.5)
  static let id = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
  static let page = URL(filePath: "/pigments/PB29")
  static let bytes = Data([0, 1, 255])

  static let requiredAttributes = ClosureCases { cases in
    cases.same(Pigment.self, #"name == "Ochre""#) { $0.name == "Ochre" }
    cases.same(Pigment.self, #"name != "Ochre""#) { $0.name != "Ochre" }
    cases.same(Pigment.self, #"name < "Ochre""#) { $0.name < "Ochre" }
    cases.same(Pigment.self, #"name >= """#) { $0.name >= "" }
    cases.same(Pigment.self, "price == %@", Decimal(4)) { $0.price == 4 }
    cases.same(Pigment.self, #"price > CAST("12.5", "NSDecimalNumber")"#) { $0.price > 12.5 }
    cases.same(Pigment.self, "price <= %@", Decimal(-1)) { $0.price <= -1 }
    cases.same(Pigment.self, "opacity < 0.5") { $0.opacity < 0.5 }
    cases.same(Pigment.self, "opacity != 1.0") { $0.opacity != 1 }
    cases.same(Pigment.self, "isLightfast == TRUE") { $0.isLightfast == true }
    cases.same(Pigment.self, "isLightfast != %@", false, prints: "isLightfast != FALSE") {
      $0.isLightfast != false
    }
    cases.same(Pigment.self, "origin == %@", page) { $0.origin == page }
    cases.same(Pigment.self, "spectrum != %@", bytes) { $0.spectrum != bytes }
    cases.same(Pigment.self, #"spectrum == CAST("", "NSData")"#) { $0.spectrum == Data() }
    cases.same(Painting.self, "id == %@", id) { $0.id == id }
    cases.same(
      Painting.self, #"id != CAST("01020304-0506-0708-090A-0B0C0D0E0F10", "NSUUID")"#
    ) { $0.id != id }
    cases.same(Painting.self, "widthMillimetres > 500") { $0.widthMillimetres > 500 }
    cases.same(Painting.self, "views == %lld", Int64.max) { $0.views == .max }
    cases.same(Painting.self, "views >= -9223372036854775808") { $0.views >= .min }
    cases.same(Painting.self, "strokes <= 0") { $0.strokes <= 0 }
    cases.same(Painter.self, "prizes < 3") { $0.prizes < 3 }
    cases.same(Painter.self, "joined >= %@", day) { $0.joined >= day }
    cases.same(Painter.self, #"joined < CAST("2001-01-01T00:00:00Z", "NSDate")"#) {
      $0.joined < Date(timeIntervalSinceReferenceDate: 0)
    }
    cases.same(Artwork.self, #"technique == "oil""#) { $0.technique == .oil }
    cases.same(Artwork.self, #"technique != "default""#) { $0.technique != .default }
    cases.same(Artwork.self, "rank == 20") { $0.rank == .high }
    cases.same(Artwork.self, "rank > -1") { $0.rank > .unknown }
    cases.same(Etching.self, #"plate == "zinc" AND title == """#) {
      $0.plate == .zinc && $0.title == ""
    }
    cases.same(Restorer.self, #"rate > 2.5 AND name == "Berthe""#) {
      $0.rate > 2.5 && $0.name == "Berthe"
    }
  }

  static let optionalAttributes = ClosureCases { cases in
    let missing: String? = nil
    let given: String? = "PB29"
    cases.same(Pigment.self, "code == nil") { $0.code == nil }
    cases.same(Pigment.self, "code != NULL", prints: "code != nil") { $0.code != nil }
    cases.same(Pigment.self, "code == %@", missing, prints: "code == nil") { $0.code == missing }
    cases.same(Pigment.self, "code == %@", given, prints: #"code == "PB29""#) { $0.code == given }
    cases.same(Pigment.self, "density >= %@", Decimal(0.25)) { $0.density >= 0.25 }
    cases.same(Pigment.self, "introduced == nil") { $0.introduced == nil }
    cases.same(Pigment.self, "introduced > %@", day) { $0.introduced > day }
    cases.same(Pigment.self, "color == nil") { $0.color == nil }
    cases.same(Pigment.self, "NOT color != nil") { !($0.color != nil) }
    cases.same(Painting.self, "weightKilograms > 2.5") { $0.weightKilograms > 2.5 }
    cases.same(Painting.self, "weightKilograms == nil") { $0.weightKilograms == nil }
    cases.same(Painting.self, "palette != nil") { $0.palette != nil }
    cases.same(Painting.self, "finished != %@", day) { $0.finished != day }
    cases.same(Painter.self, "website == %@", page) { $0.website == page }
    cases.same(Painter.self, "portrait == %@", bytes) { $0.portrait == bytes }
    cases.same(Painter.self, "portrait == nil") { $0.portrait == nil }
    cases.same(Maker.self, "budget == 3") { $0.budget == 3 }
    cases.same(Maker.self, "rating <= -0.5") { $0.rating <= -0.5 }
    cases.same(Maker.self, "isOpen == nil") { $0.isOpen == nil }
    cases.same(Maker.self, "isOpen == FALSE") { $0.isOpen == false }
    cases.same(Artwork.self, #"ground == "Papier \"A\"""#) { $0.ground == .paper }
    cases.same(Artwork.self, "ground == nil") { $0.ground == nil }
    cases.same(Artwork.self, "type != 1") { $0.type != .portrait }
  }

  static let attributesWithEachOther = ClosureCases { cases in
    cases.same(Pigment.self, "name == code") { $0.name == $0.code }
    cases.same(Pigment.self, "code != name") { $0.code != $0.name }
    cases.same(Painting.self, "strokes >= strokes") { $0.strokes >= $0.strokes }
    cases.same(Painting.self, "widthMillimetres < heightMillimetres") {
      $0.widthMillimetres < $0.heightMillimetres
    }
    cases.same(Painter.self, "born > joined") { $0.born > $0.joined }
    cases.same(Painter.self, "joined <= born") { $0.joined <= $0.born }
    cases.same(Maker.self, "fee == debt") { $0.fee == $0.debt }
    cases.same(Maker.self, "label < budget") { $0.label < $0.budget }
  }

  @Test("a comparison with a value is its text", arguments: requiredAttributes.all)
  func checkRequired(_ item: ClosureCase) throws { try item.check() }

  @Test("a comparison of an optional attribute is its text", arguments: optionalAttributes.all)
  func checkOptional(_ item: ClosureCase) throws { try item.check() }

  @Test("a comparison of two attributes is its text", arguments: attributesWithEachOther.all)
  func checkAttributes(_ item: ClosureCase) throws { try item.check() }
}
