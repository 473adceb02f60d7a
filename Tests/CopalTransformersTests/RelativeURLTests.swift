import Copal
import CopalStore
import CopalTestSupport
import Foundation
import Testing

/// A URL whose text is exactly this one.
private func url(_ text: String) throws -> URL {
  let url = try #require(URL(string: text))
  #expect(url.absoluteString == text)
  return url
}

private func transformer(_ base: URL?) -> RelativeURLTransformer {
  RelativeURLTransformer("PhotoURLTransformer", base: base)
}

@Suite("URLs relative to a base: their texts")
struct RelativeURLTextTests {
  /// Ways to write the base of the tables.
  static let bases = [
    "file:///art/wall/", "file:///art/wall", "file:///art//wall//", "file:///art/./x/../wall/",
    "file://localhost/art/wall/", "FILE:///%61rt/w%61ll", "file:///art/wall/?x#y",
  ]

  /// URLs in the base, and their stored texts.
  static let inside = [
    ("file:///art/wall/a.jpg", "./a.jpg"),
    ("file:///art/wall/2026/May/a.jpg", "./2026/May/a.jpg"),
    ("file:///art/wall/May/", "./May/"),
    ("file:///art/wall/", "./"),
    ("file:///art/wall", "."),
    ("file:///art//wall///May//a.jpg", "./May/a.jpg"),
    ("file:///art/wall/./May/.././a.jpg", "./a.jpg"),
    ("file:///art/wall/May/..", "./"),
    ("file:///art/wall/.", "./"),
    ("file:///art/x/%2e%2E/wall/a.jpg", "./a.jpg"),
    ("file:///../art/wall/a.jpg", "./a.jpg"),
    ("file://localhost/art/wall/a.jpg", "./a.jpg"),
    ("file:///%61rt/wal%6C/%61.jpg", "./%61.jpg"),
    ("file:///art/wall/a%20b%25%23%3F%0A.jpg", "./a%20b%25%23%3F%0A.jpg"),
    ("file:///art/wall/%C3%A9%FF", "./%C3%A9%FF"),
    ("file:///art/wall/art/wall/a.jpg", "./art/wall/a.jpg"),
    ("file:///art/wall/http:x", "./http:x"),
    ("file:///art/wall/file:/x", "./file:/x"),
    ("file:///art/wall/...", "./..."),
    ("file:///art/wall/page.html?a=/../b#c", "./page.html?a=/../b#c"),
  ]

  @Test("rows 46 and 48: what is stored for the URL of a file in the base", arguments: inside)
  func storedInside(_ text: String, _ stored: String) throws {
    for base in Self.bases {
      #expect(try transformer(url(base)).encode(url(text)) == stored, "\(base)")
    }
  }

  @Test(
    "rows 47 and 48: other URLs are stored and read as they are, also without a base for those of the web",
    arguments: [
      "https://example.org/art/wall/a.jpg", "http://example.org", "HTTP://example.org/?a#b",
      "mailto:anna@example.org", "data:,art/wall", "a:b", "http:x", "urn:x:file:///art/wall/a",
      "file:///art/wallpaper/a.jpg", "file:///art/wal", "file:///art", "file:///",
      "file:///art/wall/../a.jpg", "file:///art/wall/%2e%2e/a.jpg", "file:///x/art/wall/a.jpg",
      "file:///ART/wall/a.jpg", "file://server/art/wall/a.jpg", "file:art/wall/a.jpg",
      "file:///art%2Fwall/a.jpg", "file:///art/wall/a%2Fb", "file:///art/wall/a%00b",
    ])
  func storedOutside(_ text: String) throws {
    for base in Self.bases {
      #expect(try transformer(url(base)).encode(url(text)) == text, "\(base)")
    }
    #expect(try transformer(url("file:///mnt/new/")).decode(text).absoluteString == text)
    if !text.hasPrefix("file:") {
      #expect(try transformer(nil).encode(url(text)) == text)
      #expect(try transformer(nil).decode(text).absoluteString == text)
    }
  }

  /// Stored texts, the base, and the URL that is read.
  static let readTexts = [
    ("./a.jpg", "file:///mnt/new/", "file:///mnt/new/a.jpg"),
    ("./a.jpg", "file:///mnt/new", "file:///mnt/new/a.jpg"),
    ("./May/a.jpg", "file:///mnt/new//", "file:///mnt/new/May/a.jpg"),
    ("./May/", "file:///mnt/new", "file:///mnt/new/May/"),
    ("./", "file:///mnt/new", "file:///mnt/new/"),
    (".", "file:///mnt/new/", "file:///mnt/new"),
    (".", "file:///", "file:///"),
    ("./", "file:///", "file:///"),
    ("./a.jpg", "file:///", "file:///a.jpg"),
    ("./a.jpg", "file://server/new/", "file://server/new/a.jpg"),
    ("./a.jpg", "file:///mnt/new/?x#y", "file:///mnt/new/a.jpg"),
    ("./http:x", "file:///mnt/new/", "file:///mnt/new/http:x"),
    ("./a%2520b", "file:///mnt/new/", "file:///mnt/new/a%2520b"),
    ("./page.html?a=/../b#c", "file:///mnt/new/", "file:///mnt/new/page.html?a=/../b#c"),
    // A symbolic link before the dots leads elsewhere than its text.
    ("./a.jpg", "file:///link/../new/", "file:///link/../new/a.jpg"),
    // What other programs and people write.
    ("May/a.jpg", "file:///mnt/new/", "file:///mnt/new/May/a.jpg"),
    ("./May//./a.jpg", "file:///mnt/new/", "file:///mnt/new/May/a.jpg"),
    (
      "./blue hour é%20[1].jpg", "file:///mnt/new/",
      "file:///mnt/new/blue%20hour%20%C3%A9%20%5B1%5D.jpg"
    ),
  ]

  @Test("row 46: what is read in another base", arguments: readTexts)
  func readsText(_ stored: String, _ base: String, _ text: String) throws {
    #expect(try transformer(url(base)).decode(stored).absoluteString == text)
  }

  /// Stored texts that are refused.
  static let refused: [(String, PersistenceError.Code)] = [
    ("../a.jpg", .outsideBase), ("./../a.jpg", .outsideBase), ("..", .outsideBase),
    ("./a/../../b", .outsideBase), ("./a/../b", .outsideBase), ("./a/..", .outsideBase),
    ("./%2e%2e/a", .outsideBase), ("./.%2E", .outsideBase), ("/etc/passwd", .outsideBase),
    ("//server/a", .outsideBase), ("///a", .outsideBase),
    ("./..%2Fa", .invalidText), ("./a%2Fb", .invalidText), ("./a%00b", .invalidText),
    ("./a\0b", .invalidText), ("", .invalidText), ("?a", .invalidText), ("#a", .invalidText),
    ("./100%", .invalidText), ("./%4", .invalidText), ("./%zz", .invalidText),
    ("http://a b%20c", .invalidText),
  ]

  @Test("a stored text that leads out of the base, or is no URL, is an error", arguments: refused)
  func refusesText(_ stored: String, _ code: PersistenceError.Code) throws {
    for base in ["file:///mnt/new/", nil] {
      let error = try #require(throws: PersistenceError.self) {
        try transformer(base.map(url)).decode(stored)
      }
      #expect(error.code == code)
    }
  }

  @Test("a URL without a scheme cannot be saved, because it would be read as one in the base")
  func missingScheme() throws {
    for text in ["May/a.jpg", "./a.jpg", "/art/wall/a.jpg", "//server/a.jpg"] {
      let error = try #require(throws: PersistenceError.self) {
        try transformer(url("file:///art/wall/")).encode(url(text))
      }
      #expect(error.code == .missingScheme)
    }
    let relative = try #require(URL(string: "a.jpg", relativeTo: url("file:///art/wall/")))
    #expect(try transformer(url("file:///art/wall/")).encode(relative) == "./a.jpg")
  }

  @Test("two transformers with one base are equal; with a function, only a transformer and itself")
  func equality() throws {
    let folder = try url("file:///art/wall/")
    #expect(transformer(folder) == transformer(folder))
    #expect(transformer(folder) != transformer(nil))
    let asking = RelativeURLTransformer("PhotoURLTransformer") { folder }
    #expect(asking == asking)
    #expect(asking != RelativeURLTransformer("PhotoURLTransformer") { folder })
  }
}

@Suite("URLs relative to a base: hostile names")
struct RelativeURLNameTests {
  /// Names of files that mean something in URLs, in paths or in texts.
  static let names = [
    "a b", " ", "100%", "%41", "%2e%2e", "a%2Fb", "%", "#1", "why?", "a?b#c", "é", "e\u{301}", "日本",
    "😀", "a\nb", "\n", "a\tb", "\u{1}", "\u{7F}", "http:x", "a:b", ":", "file:", "~", "...", "..a",
    ".hidden", "a\\b", "\"", "'", "a;b", "a&b=c", "[x]", "{x}", "|", "^", "`", "*", "<>", "+", "@",
    "a,b", "\u{200D}", "\u{FEFF}", "\u{301}", "-", "$HOME", "!",
  ]

  @Test("row 48: a file is found by its URL after its folder was moved", arguments: names)
  func files(_ name: String) throws {
    let store = try TestStore()
    let folders = ["A", "B é#%41"].map { store.folder.appending(path: $0) }
    let inner = folders[0].appending(path: "May")
    try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
    let file = URL(filePath: inner.path(percentEncoded: false) + "/" + name)
    try Data(name.utf8).write(to: file)
    do {
      let context = try store.hangings(in: folders[0]).makeContext()
      Hanging(context: context).photo = file
      try context.save()
    }
    try FileManager.default.moveItem(at: folders[0], to: folders[1])
    let context = try store.hangings(in: folders[1]).makeContext()
    let photo = try #require(try context.fetch(Hanging.self).first?.photo)
    #expect(try Data(contentsOf: photo) == Data(name.utf8))
    #expect(
      photo.path(percentEncoded: false).utf8.elementsEqual(
        (folders[1].path(percentEncoded: false) + "/May/" + name).utf8))
  }

  /// A random name of a file, mostly of bytes that mean something.
  private static func name(_ generator: inout SplitMix) -> String {
    let alphabet = Array(" %#?:;/.\\~&=+@![]{}|'\"<>^`*,-_aA0\n\té日😀\u{301}\u{1}".unicodeScalars)
    while true {
      var name = ""
      for _ in 0..<Int.random(in: 1...12, using: &generator) {
        name.unicodeScalars.append(alphabet.randomElement(using: &generator) ?? "x")
      }
      name = String(String.UnicodeScalarView(name.unicodeScalars.filter { $0 != "/" }))
      if !["", ".", ".."].contains(name) { return name }
    }
  }

  private static func path(_ depth: ClosedRange<Int>, _ generator: inout SplitMix) -> String {
    (0..<Int.random(in: depth, using: &generator)).map { _ in "/" + name(&generator) }.joined()
  }

  @Test("random paths are read as they were saved, in their base and in another one")
  func randomPaths() throws {
    var generator = SplitMix(seed: 48)
    for round in 0..<2000 {
      let bases = [
        "/home/old" + Self.path(0...2, &generator), "/mnt" + Self.path(0...2, &generator),
      ]
      let path = Self.path(1...4, &generator)
      let file = URL(filePath: bases[0] + path, directoryHint: .notDirectory)
      let transformers = bases.map { transformer(URL(filePath: $0, directoryHint: .isDirectory)) }
      let stored = try transformers[0].encode(file)
      #expect(stored.hasPrefix("./") && !stored.contains("/home/old"), "round \(round): \(path)")
      #expect(stored.utf8.allSatisfy { (0x21...0x7E).contains($0) })
      #expect(try transformers[0].decode(stored).absoluteString == file.absoluteString)
      let moved = try transformers[1].decode(stored).path(percentEncoded: false)
      #expect(moved.utf8.elementsEqual((bases[1] + path).utf8), "round \(round): \(path)")
    }
  }

  @Test("no random stored text without a scheme leads out of the base")
  func randomTexts() throws {
    var generator = SplitMix(seed: 49)
    let parts = [
      ".", "..", "/", "//", "%2e", "%2E%2e", "%2F", "%00", "%", "a", "é", ":", "?", "#", " ", "\\",
      "%5C", "~", "\0", "\n",
    ]
    let base = URL(filePath: "/mnt/new/", directoryHint: .isDirectory)
    var readCount = 0
    for _ in 0..<5000 {
      let text = (0..<Int.random(in: 1...10, using: &generator))
        .compactMap { _ in parts.randomElement(using: &generator) }.joined()
      guard let read = try? transformer(base).decode(text), read.isFileURL else { continue }
      readCount += 1
      let path = read.path(percentEncoded: false)
      // Foundation's path of a name that is not UTF-8 is empty, so that the encoded path is
      // compared too.
      for path in [path, read.path(percentEncoded: true)] where path != "" {
        #expect(path == "/mnt/new" || path.hasPrefix("/mnt/new/"), "\(text.debugDescription)")
      }
      #expect(read.path(percentEncoded: true) != "")
      #expect(!path.split(separator: "/").contains(".."), "\(text.debugDescription)")
      #expect(!path.utf8.contains(0), "\(text.debugDescription)")
    }
    #expect(readCount > 500)
  }
}

@Suite("URLs relative to a base: in a store")
struct RelativeURLStoreTests {
  private let old = URL(filePath: "/home/anna/Exhibition/", directoryHint: .isDirectory)
  private let new = URL(filePath: "/mnt/museum/Exhibition/", directoryHint: .isDirectory)

  @Test(
    "row 50: the generated property is a URL?, and its values are read back",
    arguments: StoreKind.allCases)
  func property(_ kind: StoreKind) throws {
    let photo: ReferenceWritableKeyPath<Hanging, URL?> = \.photo
    let container = try TestStore(kind).hangings(in: old)
    let context = container.makeContext()
    let urls = [old.appending(path: "a b.jpg"), try url("https://example.org/a"), nil]
    for url in urls { Hanging(context: context)[keyPath: photo] = url }
    try context.save()
    #expect(try container.makeContext().fetch(Hanging.self).map { $0[keyPath: photo] } == urls)
  }

  @Test("row 45: an attribute of type uri stores a URL as it is", arguments: StoreKind.allCases)
  func plainURI(_ kind: StoreKind) throws {
    let container = try TestStore(kind).hangings(in: old)
    let context = container.makeContext()
    let urls = [try url("https://example.org/a%20b?c#d"), old.appending(path: "a%b.jpg")]
    for url in urls { Hanging(context: context).link = url }
    try context.save()
    #expect(try container.makeContext().fetch(Hanging.self).map(\.link) == urls)
  }

  @Test("row 46: saved in one base, read in another; the stored text has neither", .modelAsIs)
  func twoBases() throws {
    let store = try TestStore()
    do {
      let context = try store.hangings(in: old).makeContext()
      Hanging(context: context).photo = old.appending(path: "May/blue hour.jpg")
      try context.save()
    }
    #expect(try store.sqlite3("SELECT photo FROM Hanging") == "./May/blue%20hour.jpg")
    let containers = try [old, new].map(store.hangings(in:))
    let photos = try containers.map { try $0.makeContext().fetch(Hanging.self).first?.photo }
    #expect(photos == [old, new].map { $0.appending(path: "May/blue hour.jpg") })
    let context = containers[1].makeContext()
    try #require(try context.fetch(Hanging.self).first).photo = new.appending(path: "June.jpg")
    try context.save()
    #expect(try store.sqlite3("SELECT photo FROM Hanging") == "./June.jpg")
    #expect(
      try containers[0].makeContext().fetch(Hanging.self).first?.photo
        == old.appending(path: "June.jpg"))
  }

  @Test(
    "row 49: without a base, a relative URL is nil with transformer.missingBase, and stays as it is",
    .modelAsIs)
  func missingBase() throws {
    let store = try TestStore()
    do {
      let context = try store.hangings(in: old).makeContext()
      Hanging(context: context).photo = old.appending(path: "a.jpg")
      Hanging(context: context).photo = try url("https://example.org/a.jpg")
      try context.save()
    }
    let context = try store.hangings(in: nil).makeContext()
    let hangings = try context.fetch(Hanging.self)
    #expect(try hangings.map(\.photo) == [nil, url("https://example.org/a.jpg")])
    let failure = try #require(store.takeReadFailures().first)
    #expect(failure.code == .decodeFailed && failure.property == "photo")
    #expect(failure.objectID == hangings[0].objectID)
    let cause = try #require(failure.causes.first as? PersistenceError)
    #expect(cause.code == .missingBase && cause.found == "PhotoURLTransformer")
    hangings[0].title = "Blue hour"
    try context.save()
    #expect(
      try store.sqlite3("SELECT title, photo FROM Hanging ORDER BY rowid")
        == "Blue hour|./a.jpg\n|https://example.org/a.jpg")
  }

  @Test("row 49: without a base, the URL of a file is not saved, and one of the web is", .modelAsIs)
  func savingWithoutBase() throws {
    let store = try TestStore()
    let context = try store.hangings(in: nil).makeContext()
    let hanging = Hanging(context: context)
    hanging.photo = old.appending(path: "a.jpg")
    let error = try #require(throws: PersistenceError.self) { try context.save() }
    let cause = try #require(error.causes.first as? PersistenceError)
    #expect(cause.code == .encodeFailed && cause.property == "photo")
    #expect((cause.causes.first as? PersistenceError)?.code == .missingBase)
    #expect(try store.sqlite3("SELECT count(*) FROM Hanging") == "0")
    hanging.photo = try url("https://example.org/a.jpg")
    try context.save()
    #expect(try store.sqlite3("SELECT photo FROM Hanging") == "https://example.org/a.jpg")
  }

  @Test("a base that becomes known later is used by the next object that is read")
  func baseFromFunction() throws {
    let store = try TestStore()
    do {
      let context = try store.hangings(in: old).makeContext()
      Hanging(context: context).photo = old.appending(path: "a.jpg")
      try context.save()
    }
    let base = Locked<URL?>(nil)
    let container = try store.hangings(
      RelativeURLTransformer("PhotoURLTransformer") { base.withLock { $0 } })
    let context = container.makeContext()
    let hanging = try #require(try context.fetch(Hanging.self).first)
    #expect(hanging.photo == nil)
    #expect(store.takeReadFailures().map(\.code) == [.decodeFailed])
    base.withLock { $0 = new }
    try context.refresh(hanging, mergeChanges: false)
    #expect(hanging.photo == new.appending(path: "a.jpg"))
    #expect(store.takeReadFailures().isEmpty)
  }

  @Test(
    "a stored text that leads out of the base is an error of its attribute, and stays", .modelAsIs)
  func outsideBase() throws {
    let store = try TestStore()
    do {
      let context = try store.hangings(in: old).makeContext()
      Hanging(context: context).photo = old.appending(path: "a.jpg")
      try context.save()
    }
    _ = try store.sqlite3("UPDATE Hanging SET photo = './../../bert/secret'")
    let context = try store.hangings(in: new).makeContext()
    let hanging = try #require(try context.fetch(Hanging.self).first)
    #expect(hanging.photo == nil)
    let cause = try #require(store.takeReadFailures().first?.causes.first as? PersistenceError)
    #expect(
      "\(cause)"
        == "the stored relative URL could lead out of its base, because it has the component '..'; the stored value is kept unchanged; correct it in the store, or set the attribute [transformer.outsideBase]"
    )
    hanging.title = "Blue hour"
    try context.save()
    #expect(try store.sqlite3("SELECT photo FROM Hanging") == "./../../bert/secret")
  }

  @Test(
    "a container whose base is not the URL of a file does not open",
    arguments: ["https://example.org/art/", "art/wall/", "file:art", "file:///art%2Fwall/"])
  func invalidBase(_ text: String) throws {
    let error = try #require(throws: PersistenceError.self) {
      try TestStore().hangings(in: url(text))
    }
    #expect(error.code == .invalidBase && error.property == "photo" && error.entity == "Hanging")
  }
}
