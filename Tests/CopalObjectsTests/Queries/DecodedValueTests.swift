import Copal
import CopalTestSupport
import Foundation
import Testing

@Suite("Fetching decoded values")
struct DecodedValueTests {
  private struct Offer: Decodable, Equatable {
    var name: String
    var maker: String?
    var price: Decimal?
  }

  /// Every type that a column has, and types that values are converted to.
  private struct Everything: Decodable, Equatable {
    enum Grade: Int, Decodable { case low = 1, high = 4 }
    enum Name: String, Decodable { case ultramarine = "Ultramarine" }
    var count: Int32
    var small: UInt8
    var grade: Grade
    var kind: Name
    var density: Float
    var ratio: Double
    var price: Decimal
    var whole: Decimal
    var added: Date
    var isSold: Bool
    var maker: ManagedObjectID?
    var raw: PropertyValue
  }

  private static let day = Date(timeIntervalSinceReferenceDate: 800_000_000.5)

  private func context(_ kind: StoreKind) throws -> ManagedObjectContext {
    let context = try TestStore(kind).container(.graph).makeContext()
    let maker = Maker(context: context)
    (maker.name, maker.budget) = ("Kremer", 10)
    for (name, count, price) in [
      ("Ultramarine", 4, "12.5"), ("Ochre", 1, "3.25"), ("Umber", 2, "4"),
    ] {
      let ware = Ware(context: context)
      (ware.name, ware.count, ware.price) = (name, Int32(count), Decimal(string: price))
      (ware.density, ware.added) = (2.5, Self.day)
      if name != "Umber" { ware.maker = maker }
    }
    return context
  }

  @Test("each column is the property with its name, saved or not", arguments: StoreKind.allCases)
  func columns(_ kind: StoreKind) throws {
    let context = try context(kind)
    for _ in 0..<2 {
      let offers = try context.fetchValues(
        Ware.self, as: Offer.self, where: { $0.count < 4 }, sortedBy: { [$0.name.sortedDescending] }
      ) { ["name": $0.name, "maker": $0.maker.name, "price": $0.price, "count": $0.count] }
      #expect(
        offers == [
          Offer(name: "Umber", maker: nil, price: 4),
          Offer(name: "Ochre", maker: "Kremer", price: Decimal(string: "3.25")),
        ])
      try context.save()
    }
  }

  @Test(
    "values of every type are decoded, and enums by their raw values", arguments: StoreKind.allCases
  )
  func types(_ kind: StoreKind) throws {
    let context = try context(kind)
    try context.save()
    let maker = try context.fetchIDs(Maker.self).first
    let rows = try context.fetchValues(
      Ware.self, as: Everything.self, where: { $0.name == "Ultramarine" }
    ) {
      [
        "count": $0.count, "small": $0.count, "grade": $0.count, "kind": $0.name,
        "density": $0.density, "ratio": $0.density, "price": $0.price, "whole": $0.count,
        "added": $0.added, "isSold": $0.isSold, "maker": $0.maker, "raw": $0.name,
      ]
    }
    #expect(
      rows == [
        Everything(
          count: 4, small: 4, grade: .high, kind: .ultramarine, density: 2.5, ratio: 2.5,
          price: Decimal(string: "12.5") ?? 0, whole: 4, added: Self.day, isSold: false,
          maker: maker, raw: "Ultramarine")
      ])
  }

  @Test("groups, distinct rows and limits work as for tuples", arguments: StoreKind.allCases)
  func groups(_ kind: StoreKind) throws {
    struct Group: Decodable, Equatable {
      var maker: String?
      var count: Int
      var sum: Decimal
    }
    let context = try context(kind)
    let groups = try context.fetchValues(
      Ware.self, as: Group.self, having: { $0.price.sum > 1 },
      sortedBy: { [$0.price.sum.sortedDescending] }, limit: 1, isDistinct: true
    ) { ["maker": $0.maker.name, "count": $0.objectID.count, "sum": $0.price.sum] }
    #expect(groups == [Group(maker: "Kremer", count: 2, sum: Decimal(string: "15.75") ?? 0)])
  }

  @Test("a type of one value decodes the only column")
  func oneColumn() throws {
    let context = try context(.memory)
    func request(_ columns: [String]) -> ValueRequest {
      ValueRequest(
        entityName: "Ware", columns: columns.map { ValueRequest.Column($0, .property($0)) })
    }
    #expect(
      try context.fetchValues(request(["name"]), as: String.self)
        == ["Ultramarine", "Ochre", "Umber"])
    #expect(try context.fetchValues(request(["count"]), as: Int?.self) == [4, 1, 2])
    #expect(
      try context.fetchValues(request(["price"]), as: Decimal.self).reduce(0, +)
        == Decimal(string: "19.75"))
    #expect(throws: PersistenceError.self) {
      try context.fetchValues(request(["name", "count"]), as: String.self)
    }
  }

  private struct Misspelled: Decodable { var nmae: String }
  private struct WrongType: Decodable { var name: Int }
  private struct Missing: Decodable { var maker: String }
  private struct TooSmall: Decodable { var count: Int8 }
  private struct WrongDate: Decodable { var count: Date }
  private struct List: Decodable { var name: [String] }
  private struct Inner: Decodable { var name: Offer }
  private struct Raw: Decodable { var count: Everything.Grade }
  private struct Thrown: Error {}
  private struct Throwing: Decodable {
    init(from decoder: any Decoder) throws { throw Thrown() }
  }

  @Test("a column that is missing or has another type is named")
  func refused() throws {
    let context = try context(.memory)
    try context.fetch(Ware.self) { $0.name == "Umber" }.first?.count = 300
    func message<Row: Decodable>(_ type: Row.Type) -> String {
      do {
        let rows = try context.fetchValues(Ware.self, as: type, where: { $0.name == "Umber" }) {
          ["name": $0.name, "maker": $0.maker.name, "count": $0.count]
        }
        return "\(rows)"
      } catch { return "\(error)" }
    }
    let start = "of the values of Ware cannot be decoded:"
    let remedy =
      "; give each property of the type a column with its name and type [request.notDecodable]"
    #expect(
      message(Misspelled.self)
        == "the column 'nmae' \(start) no column has this name; did you mean 'name'? [request.notDecodable]"
    )
    #expect(
      message(WrongType.self)
        == "the column 'name' \(start) it is string, and the property is Int\(remedy)")
    #expect(
      message(Missing.self)
        == "the column 'maker' \(start) it is null, and the property is String\(remedy)")
    #expect(
      message(TooSmall.self)
        == "the column 'count' \(start) it is integer, and the property is Int8\(remedy)")
    #expect(
      message(WrongDate.self)
        == "the column 'count' \(start) it is integer, and the property is Date\(remedy)")
    #expect(
      message(List.self)
        == "the column 'name' \(start) a column has one value, and the type is a list\(remedy)")
    #expect(
      message(Inner.self)
        == "the column 'name' \(start) a column has one value, and the type has several properties\(remedy)"
    )
    #expect(message(Raw.self).hasPrefix("the column 'count' \(start) "))
    #expect(message([Int].self).hasPrefix("a row \(start) a row is no list"))
    #expect(message(Throwing.self) == "Thrown()")
  }
}
