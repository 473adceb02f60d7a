import Copal
import CopalTestSupport
import Foundation
import Testing

@testable import CopalObjects

/// Conditions of a fetch of `Attachment`, and the names of the objects that they find.
private struct Case: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let condition: @Sendable (QueryProperties<Attachment>) -> FetchPredicate
  /// The first letters of the names of the objects.
  let found: String

  init(
    _ text: String,
    _ condition: @escaping @Sendable (QueryProperties<Attachment>) -> FetchPredicate,
    _ found: String
  ) {
    (testDescription, self.condition, self.found) = (text, condition, found)
  }
}

@Suite("Conditions about subentities")
struct SubentityConditionTests {
  /// A memo, a link, two photos, two portraits and a video.
  @discardableResult
  private static func fill(_ context: ManagedObjectContext) throws -> [String: Attachment] {
    let exhibit = Exhibit(context: context, title: "Delft")
    let memo = Memo(context: context, name: "m", text: "See the frame")
    memo.exhibit = exhibit
    let link = Link(context: context, name: "l", address: "https://example.org")
    link.width = "wide"
    let photo = Photo(context: context, name: "p", width: 100)
    photo.price = 12.5
    photo.gamma = 0.1
    photo.rank = 100
    let small = Photo(context: context, name: "s", width: 10)
    let rosa = Portrait(context: context, name: "r", width: 300)
    rosa.sitter = "Rosa"
    rosa.price = 7
    let unknown = Portrait(context: context, name: "u", width: 100)
    unknown.rank = 5
    let video = Video(context: context, name: "v", seconds: 9)
    video.width = 100
    exhibit.cover = photo
    exhibit.portrait = rosa
    rosa.similar.insert(video)
    let all: [Attachment] = [memo, link, photo, small, rosa, unknown, video]
    return Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
  }

  private static let cases: [Case] = [
    Case("isKind(of: Photo.self)", { $0.isKind(of: Photo.self) }, "prsu"),
    Case("isKind(of: Portrait.self)", { $0.isKind(of: Portrait.self) }, "ru"),
    Case("isKind(of: Media.self)", { $0.isKind(of: Media.self) }, "prsuv"),
    Case("!isKind(of: Media.self)", { !$0.isKind(of: Media.self) }, "lm"),
    Case(
      "isKind(of: Memo.self) || isKind(of: Video.self)",
      { $0.isKind(of: Memo.self) || $0.isKind(of: Video.self) }, "mv"),
    Case("as(Photo.self).width > 99", { $0.as(Photo.self).width > 99 }, "pru"),
    Case("!(as(Photo.self).width > 99)", { !($0.as(Photo.self).width > 99) }, "lmsv"),
    Case("as(Photo.self).width == 100", { $0.as(Photo.self).width == 100 }, "pu"),
    Case("as(Video.self).width == 100", { $0.as(Video.self).width == 100 }, "v"),
    Case("as(Link.self).width == wide", { $0.as(Link.self).width == "wide" }, "l"),
    Case("as(Photo.self).width != 100", { $0.as(Photo.self).width != 100 }, "lmrsv"),
    Case("as(Photo.self).width == nil", { $0.as(Photo.self).width == nil }, "lmv"),
    Case("as(Photo.self).width != nil", { $0.as(Photo.self).width != nil }, "prsu"),
    Case("as(Portrait.self).width == 100", { $0.as(Portrait.self).width == 100 }, "u"),
    Case("as(Portrait.self).width != 100", { $0.as(Portrait.self).width != 100 }, "lmprsv"),
    Case("as(Portrait.self).width == nil", { $0.as(Portrait.self).width == nil }, "lmpsv"),
    Case("as(Portrait.self).name < z", { $0.as(Portrait.self).name < "z" }, "ru"),
    Case("!(as(Portrait.self).name < z)", { !($0.as(Portrait.self).name < "z") }, "lmpsv"),
    Case("as(Portrait.self).name == nil", { $0.as(Portrait.self).name == nil }, "lmpsv"),
    Case("as(Photo.self).price < 10", { $0.as(Photo.self).price < 10 }, "r"),
    Case("as(Photo.self).price == 12.5", { $0.as(Photo.self).price == 12.5 }, "p"),
    Case("as(Photo.self).price > 6.999", { $0.as(Photo.self).price > 6.999 }, "pr"),
    Case("as(Photo.self).price != 6.999", { $0.as(Photo.self).price != 6.999 }, "lmprsuv"),
    Case("as(Photo.self).gamma == 0.1", { $0.as(Photo.self).gamma == 0.1 }, "p"),
    Case(
      "as(Photo.self).width.isIn([10, 300])", { $0.as(Photo.self).width.isIn([10, 300]) }, "rs"),
    Case(
      "!as(Photo.self).width.isIn([10, 300])", { !$0.as(Photo.self).width.isIn([10, 300]) }, "lmpuv"
    ),
    Case(
      "as(Photo.self).width.isBetween(10, 100)",
      { $0.as(Photo.self).width.isBetween(10, and: 100) }, "psu"),
    Case("as(Portrait.self).sitter == nil", { $0.as(Portrait.self).sitter == nil }, "lmpsuv"),
    Case("as(Portrait.self).sitter != nil", { $0.as(Portrait.self).sitter != nil }, "r"),
    Case(
      "as(Photo.self).width > 99 && name != p",
      { $0.as(Photo.self).width > 99 && $0.name != "p" }, "ru"),
    Case(
      "as(Photo.self).width > 299 || as(Video.self).seconds < 10",
      { $0.as(Photo.self).width > 299 || $0.as(Video.self).seconds < 10 }, "rv"),
    Case(
      "!(as(Photo.self).width > 299 || isKind(of: Memo.self))",
      { !($0.as(Photo.self).width > 299 || $0.isKind(of: Memo.self)) }, "lpsuv"),
    Case(
      "as(Photo.self).name == as(Photo.self).name",
      { $0.as(Photo.self).name == $0.as(Photo.self).name }, "lmprsuv"),
    Case(
      "as(Photo.self).name != as(Photo.self).name",
      { $0.as(Photo.self).name != $0.as(Photo.self).name }, ""),
    Case(
      "!(as(Memo.self).name < as(Memo.self).text)",
      { !($0.as(Memo.self).name < $0.as(Memo.self).text) }, "lmprsuv"),
    Case(
      "as(Photo.self).width <= rank, by hand",
      { _ in
        .comparison(
          .subentityProperty(entity: "Photo", property: "width"), .lessOrEqual, .property("rank"))
      }, "p"),
    Case(
      "rank == as(Photo.self).bytes, by hand",
      { _ in
        .comparison(
          .property("rank"), .equal, .subentityProperty(entity: "Photo", property: "bytes"))
      }, "lmv"),
    Case(
      "as(Photo.self).bytes == as(Video.self).bytes, by hand",
      { _ in
        .comparison(
          .subentityProperty(entity: "Photo", property: "bytes"), .equal,
          .subentityProperty(entity: "Video", property: "bytes"))
      }, "lm"),
    Case("isKind(of: Attachment), by hand", { _ in .isKind("Attachment") }, "lmprsuv"),
  ]

  @Test("a condition finds the same objects, saved and unsaved, in both stores", arguments: cases)
  private func conditions(_ test: Case) throws {
    for kind in bothStores {
      let store = try TestStore(kind)
      let container = try store.container(.archive)
      let context = container.makeContext()
      try Self.fill(context)
      let predicate = test.condition(Attachment.properties)
      func found(_ context: ManagedObjectContext) throws -> String {
        let request = Attachment.fetchRequest().filter { _ in predicate }
        let names = try context.fetch(request).map(\.name).sorted()
        #expect(try context.count(request) == names.count)
        #expect(try context.fetchIDs(request).count == names.count)
        return names.joined()
      }
      #expect(try found(context) == test.found, "unsaved objects, \(kind)")
      try context.save()
      #expect(try found(context) == test.found, "saved objects, \(kind)")
      // Half of them with changes, so that the store and the memory answer together.
      for attachment in try context.fetch(Attachment.self) where attachment.objectID.key % 2 == 0 {
        attachment.name += ""
        attachment.rank = attachment.rank.map { $0 + 0 }
      }
      #expect(try found(context) == test.found, "changed objects, \(kind)")
      #expect(try found(container.makeContext()) == test.found, "stored objects, \(kind)")
    }
  }

  @Test("relationships and transformables of a subentity are compared, too", arguments: bothStores)
  func references(_ kind: StoreKind) throws {
    let context = try TestStore(kind).container(.archive).makeContext()
    let all = try Self.fill(context)
    let exhibit = try #require(try context.fetch(Exhibit.self).first)
    let memo = try #require(all["m"])
    for _ in 0..<2 {
      #expect(try context.fetch(Attachment.self) { $0.as(Memo.self).exhibit == exhibit } == [memo])
      #expect(try context.count(Attachment.self) { $0.as(Photo.self).exhibit == exhibit } == 0)
      #expect(try context.count(Attachment.self) { $0.as(Photo.self).exhibit != exhibit } == 7)
      #expect(try context.count(Attachment.self) { $0.as(Memo.self).exhibit == nil } == 6)
      #expect(try context.count(Attachment.self) { $0.as(Memo.self).exhibit.isIn([exhibit]) } == 1)
      try context.save()
    }
  }

  @Test("the statement compares the column of the subentity, and its entity")
  func statements() throws {
    let store = try TestStore()
    let context = try store.container(.archive).makeContext()
    func sql(_ condition: @escaping (QueryProperties<Attachment>) -> FetchPredicate) throws
      -> String
    {
      _ = store.recorder.take()
      _ = try context.count(Attachment.self, where: condition)
      let all = store.recorder.take().filter { $0.hasPrefix("SELECT count") }
      return all.joined().replacing(#"SELECT count(*) FROM "Attachment" WHERE "#, with: "")
    }
    #expect(try sql { $0.isKind(of: Video.self) } == #""copal_entity" = 'Video'"#)
    #expect(
      try sql { !$0.isKind(of: Photo.self) } == #""copal_entity" NOT IN ('Photo', 'Portrait')"#)
    #expect(
      try sql { $0.as(Photo.self).width > 3 }
        == #"("copal_entity" IN ('Photo', 'Portrait') AND "Photo.width" > ?)"#)
    #expect(
      try sql { $0.as(Photo.self).width != 3 }
        == #"("copal_entity" NOT IN ('Photo', 'Portrait') OR ("Photo.width" <> ? OR "Photo.width" IS NULL))"#
    )
    #expect(
      try sql { $0.as(Link.self).address == "x" }
        == #"(+"copal_entity" = 'Link' AND "address" = ?)"#)
    #expect(
      try sql { $0.as(Portrait.self).width > 3 }
        == #"("copal_entity" = 'Portrait' AND "Photo.width" > ?)"#)
    #expect(
      try sql { $0.as(Portrait.self).width != 3 }
        == #"("copal_entity" <> 'Portrait' OR ("Photo.width" <> ? OR "Photo.width" IS NULL))"#)
    // The index of the subentity's unique constraint, which has only rows with a value, is used.
    let plan = try store.sqlite3(
      #"EXPLAIN QUERY PLAN SELECT count(*) FROM "Attachment" WHERE +"copal_entity" = 'Link' AND "address" = 'x'"#
    )
    #expect(plan.contains("(address=?)"), "\(plan)")
    let kind = try store.sqlite3(
      #"EXPLAIN QUERY PLAN SELECT count(*) FROM "Attachment" WHERE "copal_entity" = 'Video'"#)
    #expect(kind.contains("USING COVERING INDEX"), "\(kind)")
  }

  @Test("a column of a subentity that another program has written in other rows is not read")
  func foreignColumns() throws {
    let store = try TestStore()
    let container = try store.container(.archive)
    let writer = container.makeContext()
    try Self.fill(writer)
    try writer.save()
    _ = try store.sqlite3(
      #"UPDATE Attachment SET "Photo.width" = 100, address = 'x', text = 'x' WHERE name = 'v'"#)
    let conditions: [(String, (QueryProperties<Attachment>) -> FetchPredicate)] = [
      ("pru", { $0.as(Photo.self).width > 99 }), ("lmrsv", { $0.as(Photo.self).width != 100 }),
      ("lmv", { $0.as(Photo.self).width == nil }), ("prsu", { $0.as(Photo.self).width != nil }),
      ("pu", { $0.as(Photo.self).width.isIn([100]) }),
      ("", { $0.as(Link.self).address == "x" }), ("", { $0.as(Memo.self).text.hasPrefix("x") }),
    ]
    for (names, condition) in conditions {
      for isChanged in [false, true] {
        let context = container.makeContext()
        // Then the objects are judged in memory.
        if isChanged { for media in try context.fetch(Attachment.self) { media.name += "" } }
        let found = try context.fetch(Attachment.self, where: condition).map(\.name)
        #expect(found.sorted().joined() == names, "\(isChanged)")
        #expect(try context.count(Attachment.self, where: condition) == found.count)
      }
    }
  }

  @Test("conditions about subentities have a form in JSON, which is read as the same condition")
  func coding() throws {
    let width = FetchExpression.subentityProperty(entity: "Photo", property: "width")
    let cases: [(FetchPredicate, String)] = [
      (.isKind("Photo"), #"{"isKind":"Photo"}"#),
      (.not(.isKind("Photo")), #"{"not":{"isKind":"Photo"}}"#),
      (.comparison(width, .greater, .constant(3)), #"{">":[{"as":["Photo","width"]},3]}"#),
      (.isIn(width, [3, .null]), #"{"in":[{"as":["Photo","width"]},[3,null]]}"#),
    ]
    for (predicate, json) in cases {
      #expect(String(decoding: try JSONEncoder().encode(predicate), as: UTF8.self) == json)
      #expect(try JSONDecoder().decode(FetchPredicate.self, from: Data(json.utf8)) == predicate)
    }
    for json in [
      #"{"isKind":3}"#, #"{"==":[{"as":["Photo"]},3]}"#, #"{"==":[{"as":["Photo","a","b"]},3]}"#,
    ] {
      #expect(throws: DecodingError.self, "\(json)") {
        try JSONDecoder().decode(FetchPredicate.self, from: Data(json.utf8))
      }
    }
  }

  @Test("a wrong name of an entity or of a property is an error with the remedy")
  func errors() throws {
    let context = try TestStore(.memory).container(.archive).makeContext()
    func error<T: ManagedObject>(_ type: T.Type, _ predicate: FetchPredicate) -> String {
      do {
        _ = try context.count(FetchRequest<T>(predicate: predicate))
        return "none"
      } catch { return "\(error)" }
    }
    #expect(
      error(Attachment.self, .isKind("Phto"))
        == "the model has no entity 'Phto'; did you mean 'Photo'? [request.unknownEntity]")
    #expect(
      error(Attachment.self, .isKind("Exhibit")) == """
        Exhibit is no subentity of Attachment, so no object of Attachment is one; name one of its \
        subentities: Memo, Link, Media, Photo, Portrait, Video [request.unrelatedEntity]
        """)
    #expect(
      error(Memo.self, .isKind("Photo")) == """
        Photo is no subentity of Memo, so no object of Memo is one; Memo has no subentities \
        [request.unrelatedEntity]
        """)
    #expect(error(Memo.self, .isKind("Attachment")) == "none")
    // An ancestor has its own properties, and not those that the entity adds.
    let inherited = FetchExpression.subentityProperty(entity: "Attachment", property: "name")
    #expect(error(Memo.self, .comparison(inherited, .equal, .constant("m"))) == "none")
    let added = FetchExpression.subentityProperty(entity: "Attachment", property: "text")
    for predicate: FetchPredicate in [
      .comparison(added, .equal, .constant("x")), .comparison(inherited, .equal, added),
      .isIn(added, ["x"]),
    ] {
      let found = error(Memo.self, predicate)
      #expect(found.hasPrefix("Attachment has no property 'text'"), "\(found)")
      #expect(found.hasSuffix("[request.unknownProperty]"), "\(found)")
    }
    let width = FetchExpression.subentityProperty(entity: "Photo", property: "widht")
    #expect(
      error(Attachment.self, .comparison(width, .equal, .constant(3)))
        == "Photo has no property 'widht'; did you mean 'width'? [request.unknownProperty]")
    let name = FetchExpression.subentityProperty(entity: "Photo", property: "width")
    #expect(
      error(Attachment.self, .comparison(name, .equal, .constant("x"))).contains(
        "[request.predicateType]"))
  }
}
