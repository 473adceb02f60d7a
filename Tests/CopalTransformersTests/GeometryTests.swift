import Copal
import CopalTestSupport
import Foundation
import Testing

@Suite("Points, sizes and rectangles")
struct GeometryTests {
  private let points = PointTransformer<PlanePoint>("NailTransformer")
  private let rectangles = RectangleTransformer<PlaneRectangle>("FrameTransformer")

  /// Coordinates, and how they are stored.
  static let numbers: [(Double, String)] = [
    (0, "0"), (-0.0, "-0"), (1, "1"), (-12, "-12"), (2.5, "2.5"), (0.1, "0.1"),
    (0.1 + 0.2, "0.30000000000000004"), (1e15, "1000000000000000"), (1e16, "1e+16"),
    (1e-7, "1e-07"), (.leastNonzeroMagnitude, "5e-324"),
    (.greatestFiniteMagnitude, "1.7976931348623157e+308"), (.infinity, "inf"), (-.infinity, "-inf"),
  ]

  @Test(
    "a coordinate is stored as the shortest text that is read as the same bits", arguments: numbers)
  func storesNumber(_ number: Double, _ text: String) throws {
    let stored = try points.encode(PlanePoint(x: number, y: -number))
    #expect(stored.hasPrefix("{\(text), "))
    let read = try points.decode(stored)
    #expect(read.x.bitPattern == number.bitPattern && read.y.bitPattern == (-number).bitPattern)
  }

  @Test("10,000 random rectangles are read bit for bit")
  func randomRectangles() throws {
    var generator = SplitMix(seed: 28)
    func number() -> Double {
      let number = Double(bitPattern: generator.next())
      return number.isNaN ? 1 : number
    }
    for _ in 0..<10_000 {
      let all = (number(), number(), number(), number())
      let rectangle = PlaneRectangle(x: all.0, y: all.1, width: all.2, height: all.3)
      let read = try rectangles.decode(rectangles.encode(rectangle))
      #expect(read.origin.x.bitPattern == all.0.bitPattern)
      #expect(read.origin.y.bitPattern == all.1.bitPattern)
      #expect(read.size.width.bitPattern == all.2.bitPattern)
      #expect(read.size.height.bitPattern == all.3.bitPattern)
    }
  }

  @Test("NaN is not saved, wherever it is")
  func notANumber() throws {
    for index in 0..<4 {
      var all = [1.0, 2, 3, 4]
      all[index] = .nan
      let rectangle = PlaneRectangle(x: all[0], y: all[1], width: all[2], height: all[3])
      let error = try #require(throws: PersistenceError.self) { try rectangles.encode(rectangle) }
      #expect(error.code == .transformerNotANumber && error.expected == "PlaneRectangle")
    }
  }

  /// Texts that other programs and people write.
  static let readable: [(String, PlanePoint)] = [
    ("{1, 2}", PlanePoint(x: 1, y: 2)), ("{1,2}", PlanePoint(x: 1, y: 2)),
    (" { 1 , 2 } ", PlanePoint(x: 1, y: 2)), ("{1.0, 2.50}", PlanePoint(x: 1, y: 2.5)),
    ("{+1, -.5}", PlanePoint(x: 1, y: -0.5)), ("{1E2, 1e-2}", PlanePoint(x: 100, y: 0.01)),
    ("{0.10000000000000001, 3.1400000000000001}", PlanePoint(x: 0.1, y: 3.14)),
  ]

  @Test("a text of another program is read, with other spaces and digits", arguments: readable)
  func readsText(_ text: String, _ point: PlanePoint) throws {
    #expect(try points.decode(text) == point)
  }

  @Test(
    "another text is transformer.invalidText",
    arguments: [
      "", "{", "{}", "{1}", "{1, }", "{, 2}", "{1, 2", "1, 2}", "1, 2", "{1, 2}}", "{1, 2} 3",
      "{1; 2}",
      "{1, 2, 3}", "{{1, 2}}", "{{1, 2}, {3, 4}}", "(1, 2)", "{a, b}", "{1 2}", "{0x1, 2}",
      "{0x1p3, 2}",
      "{nan, 2}", "{-nan, 2}", "{infinity, 2}", "{INF, 2}", "{1e999, 2}", "{1, -1e999}", "{--1, 2}",
      "{1e, 2}", "{1_000, 2}", "{１, 2}", "{1\n, 2}", "{1, 2}\0", "{\u{301}1, 2}", "{1,5, 2}",
    ])
  func damaged(_ text: String) throws {
    let error = try #require(throws: PersistenceError.self) { try points.decode(text) }
    #expect(error.code == .invalidText)
    #expect(error.expected == "PlanePoint, such as {1, 2.5}")
    // In a rectangle, it is damaged in both places.
    for rectangle in ["{\(text), {3, 4}}", "{{3, 4}, \(text)}"] {
      #expect(throws: PersistenceError.self) { try rectangles.decode(rectangle) }
    }
  }

  @Test("no mutation of a stored rectangle does more than throw an error of the transformer")
  func mutations() throws {
    var generator = SplitMix(seed: 29)
    let text = Array("{{1, -2.5}, {210, 1e+16}}".utf8)
    let bytes = Array("{}, .-+eE019in\0\u{301}".utf8)
    var readCount = 0
    for _ in 0..<20_000 {
      var mutated = text
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let place = Int.random(in: 0..<mutated.count, using: &generator)
        mutated[place] = bytes.randomElement(using: &generator) ?? 0
      }
      do {
        let read = try rectangles.decode(String(decoding: mutated, as: UTF8.self))
        #expect(try rectangles.decode(rectangles.encode(read)) == read)
        readCount += 1
      } catch let error as PersistenceError {
        #expect(error.code == .invalidText)
      }
    }
    #expect(readCount > 500)
  }

  @Test("row 28: points, sizes and rectangles are read back", arguments: StoreKind.allCases)
  func roundTrip(_ kind: StoreKind) throws {
    let container = try TestStore(kind).hangings(in: nil)
    let context = container.makeContext()
    let hanging = Hanging(context: context)
    hanging.nail = PlanePoint(x: 1, y: 2.5)
    hanging.format = PlaneSize(width: 210, height: .infinity)
    hanging.frame = PlaneRectangle(x: 1, y: 2.5, width: -210, height: 0.1)
    hanging.light = CGPoint(x: 0.1, y: -3)
    _ = Hanging(context: context)
    try context.save()
    let found = try container.makeContext().fetch(Hanging.self)
    #expect(found.map(\.nail) == [hanging.nail, nil])
    #expect(found.map(\.format) == [hanging.format, nil])
    #expect(found.map(\.frame) == [hanging.frame, nil])
    #expect(found.map(\.light) == [CGPoint(x: 0.1, y: -3), nil])
  }

  @Test(
    "other programs read the texts in the columns; a damaged one is an error of its attribute",
    .modelAsIs)
  func columns() throws {
    let store = try TestStore()
    do {
      let context = try store.hangings(in: nil).makeContext()
      let hanging = Hanging(context: context)
      hanging.nail = PlanePoint(x: 1, y: 2.5)
      hanging.format = PlaneSize(width: 210, height: 297)
      hanging.frame = PlaneRectangle(x: 1, y: 2.5, width: 210, height: 297)
      hanging.light = CGPoint(x: 0.1, y: -3)
      try context.save()
    }
    #expect(
      try store.sqlite3("SELECT nail, format, frame, light FROM Hanging")
        == "{1, 2.5}|{210, 297}|{{1, 2.5}, {210, 297}}|{0.1, -3}")
    _ = try store.sqlite3("UPDATE Hanging SET frame = '{1, 2.5}', nail = '{9, 8}'")
    let hanging = try #require(
      try store.hangings(in: nil).makeContext().fetch(Hanging.self).first)
    #expect(hanging.frame == nil && hanging.nail == PlanePoint(x: 9, y: 8))
    let failure = try #require(store.takeReadFailures().first)
    #expect(failure.code == .decodeFailed && failure.property == "frame")
    #expect((failure.causes.first as? PersistenceError)?.code == .invalidText)
  }

  /// A rectangle of 32-bit numbers, as a drawing program has it.
  struct SmallPoint: PointValue, Equatable { var x, y: Float }
  struct SmallSize: SizeValue, Equatable { var width, height: Float }
  struct SmallRectangle: RectangleValue, Equatable {
    var origin: SmallPoint
    var size: SmallSize
  }

  @Test("custom types conform with their members; 32-bit numbers are exact too")
  func ownTypes() throws {
    let transformer = RectangleTransformer<SmallRectangle>("SmallTransformer")
    let rectangle = SmallRectangle(
      origin: SmallPoint(x: 0.1, y: .leastNonzeroMagnitude),
      size: SmallSize(width: .greatestFiniteMagnitude, height: -.infinity))
    #expect(try transformer.decode(transformer.encode(rectangle)) == rectangle)
    #expect(
      try transformer.decode("{{0.1, 1}, {2, 3}}")
        == SmallRectangle(origin: SmallPoint(x: 0.1, y: 1), size: SmallSize(width: 2, height: 3)))
    #expect(throws: PersistenceError.self) { try transformer.decode("{{1e300, 1}, {2, 3}}") }
    let error = try #require(throws: PersistenceError.self) {
      try PointTransformer<SmallPoint>("S").encode(SmallPoint(x: .nan, y: 1))
    }
    #expect(error.code == .transformerNotANumber)
  }

  @Test("the types of CoreGraphics and of Foundation on Linux are stored in the same form")
  func coreGraphics() throws {
    let transformer = RectangleTransformer<CGRect>("CGRectTransformer")
    let rectangle = CGRect(x: 1, y: 2.5, width: -210, height: 297)
    #expect(try transformer.encode(rectangle) == "{{1, 2.5}, {-210, 297}}")
    // The sign of a width is kept, although CGRect regards both as equal.
    #expect(try transformer.decode("{{1, 2.5}, {-210, 297}}").size.width == -210)
    #expect(try transformer.decode(transformer.encode(.null)).isNull)
    let sizes = SizeTransformer<CGSize>("CGSizeTransformer")
    #expect(
      try sizes.decode(sizes.encode(CGSize(width: 0.1, height: 2))) == CGSize(width: 0.1, height: 2)
    )
  }
}
