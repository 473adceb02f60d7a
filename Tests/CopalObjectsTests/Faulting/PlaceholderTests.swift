import Copal
import CopalFoundation
import CopalTestSupport
import Foundation
import Testing

@Suite("Placeholders of required values")
struct PlaceholderTests {
  private static let none = URL(string: "https://example.com/none")
  private let sheet = URL(filePath: "/srv/sheets/7")

  @Test(
    "before it is set, a property shows its placeholder, and a save refuses it as any required one",
    arguments: bothStores)
  func unset(_ kind: StoreKind) throws {
    let store = try TestStore(kind)
    let container = try store.studio()
    let context = container.makeContext()
    let flask = Flask(context: context)
    let shown: (URL, Recipe, URL) = (flask.sheet, flask.recipe, flask.seen)
    #expect(shown.0 == Self.none && shown.1 == .unknown)
    #expect(shown.2.absoluteString == "about:blank")
    #expect(flask.changedValues().isEmpty && store.takeReadFailures().isEmpty)
    #expect(try flask.value(forKey: "sheet") == nil)
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(error?.causeCodes == [.required, .required])
    #expect(
      error?.causes.compactMap { ($0 as? PersistenceError)?.property } == ["sheet", "recipe"])

    (flask.sheet, flask.recipe, flask.seen) = (sheet, Recipe(text: "oil"), sheet)
    #expect(flask.sheet == sheet && flask.recipe == Recipe(text: "oil") && flask.seen == sheet)
    try context.save()
    let other = container.makeContext()
    let found = try #require(try other.first(Flask.self) { $0.sheet == sheet && $0.recipe != nil })
    #expect(found.sheet == sheet && found.recipe == Recipe(text: "oil"))
    #expect(found.seen.absoluteString == "about:blank")
    let wanted = sheet
    #expect(try other.fetch(#Predicate<Flask> { $0.sheet == wanted }) == [found])
    let sheets: [URL] = try other.fetchValues(Flask.self) { $0.sheet }
    #expect(sheets == [sheet])
    #expect(!other.hasChanges && store.takeReadFailures().isEmpty)
  }

  @Test("the placeholder can be set and saved as any other value", arguments: bothStores)
  func stored(_ kind: StoreKind) throws {
    let container = try TestStore(kind).studio()
    let context = container.makeContext()
    let flask = Flask(context: context)
    (flask.sheet, flask.recipe) = (flask.sheet, flask.recipe)
    try context.save()
    #expect(try container.makeContext().count(Flask.self) { $0.sheet == Self.none } == 1)
  }

  @Test(
    "a value that no transformer can read shows the placeholder, is reported once, and stays",
    arguments: bothStores)
  func undecodable(_ kind: StoreKind) throws {
    let container = try TestStore(kind).studio()
    let filling = container.makeContext()
    _ = Flask(context: filling, sheet: sheet, recipe: Recipe(text: "unreadable"))
    try filling.save()
    for _ in 0..<2 {
      let context = container.makeContext()
      var reported: [PersistenceError] = []
      context.readFailureHandler = { reported.append($0) }
      let flask = try #require(try context.first(Flask.self))
      #expect(flask.recipe == .unknown && flask.recipe == .unknown && flask.sheet == sheet)
      #expect(reported.map(\.code) == [.decodeFailed])
      #expect(reported.first?.property == "recipe")
      let error = #expect(throws: PersistenceError.self) {
        try flask.value(of: "recipe", as: Recipe.self)
      }
      #expect(error?.code == .decodeFailed && error?.causes.first is Unreadable)
      #expect(!context.hasChanges)
      // The save of another attribute leaves the bytes for the second turn.
      flask.label = "blue"
      try context.save()
    }
  }

  /// A column, its damaged value in SQL, and the code of the failure.
  static let damages: [(column: String, value: String, code: PersistenceError.Code)] = [
    ("sheet", "'https://example.com/a b'", .undecodable), ("sheet", "''", .undecodable),
    ("sheet", "x'00'", .typeMismatch), ("recipe", "'text'", .typeMismatch),
    ("recipe", "CAST('unreadable' AS BLOB)", .decodeFailed),
  ]

  @Test(
    "a column that was damaged shows the placeholder, is reported, and is not overwritten",
    .modelAsIs,
    arguments: damages)
  func damaged(column: String, value: String, code: PersistenceError.Code) throws {
    let store = try TestStore()
    let container = try store.studio()
    let filling = container.makeContext()
    _ = Flask(context: filling, sheet: sheet, recipe: Recipe(text: "oil"))
    try filling.save()
    #expect(
      try store.sqlite3("UPDATE Flask SET \(column) = \(value); UPDATE Flask SET copal_version = 2")
        == "")
    let before = try store.sqlite3("SELECT quote(\(column)) FROM Flask")
    let context = container.makeContext()
    let flask = try #require(try context.first(Flask.self))
    #expect(flask.sheet == (column == "sheet" ? Self.none : sheet))
    #expect(flask.recipe == (column == "recipe" ? .unknown : Recipe(text: "oil")))
    _ = (flask.sheet, flask.recipe)
    #expect(store.takeReadFailures().map(\.code) == [code])
    let error = #expect(throws: PersistenceError.self) { try flask.value(forKey: column) }
    #expect(error?.code == code && error?.property == column)
    #expect(flask.changedValues().isEmpty)
    flask.label = "blue"
    try context.save()
    #expect(try store.sqlite3("SELECT label FROM Flask") == "blue")
    #expect(try store.sqlite3("SELECT quote(\(column)) FROM Flask") == before)
    // A new value replaces the damaged one.
    (flask.sheet, flask.recipe) = (sheet, Recipe(text: "oil"))
    try context.save()
    let other = container.makeContext()
    let again = try #require(try other.first(Flask.self))
    #expect(again.sheet == sheet && again.recipe == Recipe(text: "oil"))
    #expect(store.takeReadFailures().isEmpty)
  }

  @Test("a deleted object shows the placeholder", arguments: bothStores)
  func deleted(_ kind: StoreKind) throws {
    let store = try TestStore(kind)
    let container = try store.studio()
    let context = container.makeContext()
    let flask = Flask(context: context, sheet: sheet, recipe: Recipe(text: "oil"))
    try context.save()
    let other = container.makeContext()
    let fault = try #require(try other.object(with: flask.objectID) as? Flask)
    context.delete(flask)
    try context.save()
    #expect(fault.sheet == Self.none && fault.recipe == .unknown)
    #expect(store.takeReadFailures().first?.code == .objectMissing)
  }
}
