import CopalAuthoring
import CopalModel
import CopalTestTools
import Testing

@Suite("Merging models by meaning")
struct ModelMergeTests {
  private static func model(_ book: String, rest: String = "") -> String {
    #"{ "copal": 1, "model": "M", "entities": { "Book": { "attributes": { \#(book) } }\#(rest) } }"#
  }

  private static func entities(_ text: String) throws -> ManagedObjectModel {
    try ManagedObjectModel(json: text, file: "M.model.json")
  }

  @Test("both sides add: the additions of ours come first")
  func additions() throws {
    let merge = try #require(
      ModelMerge(
        base: Self.model(#""a": "string""#), ours: Self.model(#""a": "string", "b": "date""#),
        theirs: Self.model(#""a": "string", "c": "uuid""#)))
    #expect(merge.conflicts == [])
    #expect(try Self.entities(merge.text).entities[0].attributes.map(\.name) == ["a", "b", "c"])
  }

  @Test("a rename on one side, and a change of the property on the other side, go together")
  func rename() throws {
    let merge = try #require(
      ModelMerge(
        base: Self.model(#""a": "string""#),
        ours: Self.model(#""title": { "type": "string", "renamedFrom": "a" }"#),
        theirs: Self.model(#""a": { "type": "string", "maximumLength": 9 }"#)))
    #expect(merge.conflicts == [])
    let attribute = try Self.entities(merge.text).entities[0].attributes[0]
    #expect(attribute.name == "title" && attribute.renamedFrom == ["a"])
    #expect(attribute.rules.maximumLength == 9)
  }

  @Test("the same key with two values is a conflict with git's markers around the smallest keys")
  func conflict() throws {
    let merge = try #require(
      ModelMerge(
        base: Self.model(#""a": "string""#), ours: Self.model(#""a": "date""#),
        theirs: Self.model(#""a": "uuid""#)))
    #expect(
      merge.conflicts == ["entities.Book.attributes.a.type"]
        || merge.conflicts == ["entities.Book.attributes.a"])
    for marker in ["<<<<<<< ours\n", "\n=======\n", "\n>>>>>>> theirs\n"] {
      #expect(merge.text.contains(marker))
    }
  }

  @Test(
    "two keys that JSON does not allow stay two",
    arguments: ["A\tx", #"A\q"#, #"A\u12"#, #"A\ud800"#])
  func notAllowed(key: String) throws {
    func text(_ a: String, _ b: String) -> String {
      #"{ "\#(key)": [\#(a)], "B\#(key)": [\#(b)] }"#
    }
    let merge = try #require(
      ModelMerge(base: text("1", "1"), ours: text("2", "1"), theirs: text("1", "3")))
    #expect(merge.text == text("2", "3"))
  }

  @Test("the greater version, the union of lists")
  func versions() throws {
    func text(_ version: Int, _ indexes: String) -> String {
      #"{ "copal": 1, "model": "M", "version": \#(version), "entities": { "B": { "attributes": { "a": "string", "b": "date", "c": "uuid" }, "indexes": [\#(indexes)] } } }"#
    }
    let merge = try #require(
      ModelMerge(base: text(1, #""a""#), ours: text(2, #""a", "b""#), theirs: text(3, #""a", "c""#))
    )
    #expect(merge.conflicts == [])
    let model = try Self.entities(merge.text)
    #expect(model.version == 3)
    #expect(model.entities[0].indexes.map(\.attributes) == [["a"], ["b"], ["c"]])
  }

  @Test("comments go with what they belong to, also those of the last item")
  func comments() throws {
    func text(_ attributes: String...) -> String {
      """
      { "copal": 1, "model": "M", "entities": {
        // about A
        "A": { "attributes": {
          \(attributes.joined(separator: "\n    "))
        } }
      } }

      """
    }
    let merge = try #require(
      ModelMerge(
        base: text(#""z": "string?" // zed"#),
        ours: text(#""z": "string?", // zed"#, #""o": "date?" // of ours"#),
        theirs: text(#""z": "string?", // zed"#, "// above t", #""t": "date?" // of theirs"#)))
    #expect(
      merge.text
        == text(
          #""z": "string?", // zed"#, #""o": "date?", // of ours"#, "// above t",
          #""t": "date?" // of theirs"#))
  }

  @Test("a comment that only the other side has changed is taken")
  func otherComment() throws {
    let base = "{ \"copal\": 1, \"model\": \"M\",\n  // a\n  \"entities\": {} }\n"
    let theirs = base.replacing("// a", with: "// b")
    #expect(ModelMerge(base: base, ours: base, theirs: theirs)?.text == theirs)
    #expect(ModelMerge(base: base, ours: theirs, theirs: base)?.text == theirs)
  }

  @Test("two sides that add the same file merge without an older version")
  func addedTwice() throws {
    let merge = try #require(
      ModelMerge(
        base: "{}", ours: Self.model(#""a": "string""#),
        theirs: Self.model(#""a": "string""#, rest: #", "B": {}"#)))
    #expect(merge.conflicts == [])
    #expect(try Self.entities(merge.text).entities.map(\.name) == ["Book", "B"])
  }

  @Test("a property on one line is a conflict as a whole, and the lists beside it stay readable")
  func conflictOfLines() throws {
    func text(_ pages: String, _ indexes: String) -> String {
      """
      {
        "copal": 1,
        "model": "M",
        "entities": {
          "Book": {
            "attributes": {
              "pages": \(pages)
            },
            "indexes": [\(indexes)]
          }
        }
      }

      """
    }
    let merge = try #require(
      ModelMerge(
        base: text(#""integer""#, #""a""#), ours: text(#""integer16?""#, #""a", "b""#),
        theirs: text(#"{ "type": "integer64?", "doc": "d" }"#, #""c", "a""#)))
    #expect(merge.conflicts == ["entities.Book.attributes.pages"])
    #expect(
      merge.text == """
        {
          "copal": 1,
          "model": "M",
          "entities": {
            "Book": {
              "attributes": {
        <<<<<<< ours
                "pages": "integer16?",
        =======
                "pages": { "type": "integer64?", "doc": "d" },
        >>>>>>> theirs
              },
              "indexes": ["a", "b", "c"]
            }
          }
        }

        """)
  }

  @Test("a text that is not JSON has no merge")
  func noJSON() { #expect(ModelMerge(base: "{", ours: "{}", theirs: "{}") == nil) }

  // MARK: Random triples

  /// A model as plain dictionaries: entities, attributes, keys.
  private typealias Plain = [String: [String: [String: String]]]

  private enum Edit {
    case set([String], String)
    case remove([String])
  }

  /// The values by their paths. An entity and an attribute are paths, too.
  private static func leaves(_ model: Plain) -> [[String]: String] {
    var leaves: [[String]: String] = [:]
    for (entity, attributes) in model {
      leaves[[entity]] = "entity"
      for (attribute, keys) in attributes {
        leaves[[entity, attribute]] = "attribute"
        for (key, value) in keys { leaves[[entity, attribute, key]] = value }
      }
    }
    return leaves
  }

  private static func plain(_ leaves: [[String]: String]) -> Plain {
    var model: Plain = [:]
    for (path, value) in leaves.sorted(by: { $0.key.count < $1.key.count }) {
      switch path.count {
      case 1: model[path[0], default: [:]] = model[path[0]] ?? [:]
      case 2: model[path[0], default: [:]][path[1], default: [:]] = model[path[0]]?[path[1]] ?? [:]
      default: model[path[0], default: [:]][path[1], default: [:]][path[2]] = value
      }
    }
    return model
  }

  private static func text(_ model: Plain, _ random: inout SplitMix) -> String {
    let entities = model.sorted { $0.key < $1.key }.map { entity, attributes in
      let lines = attributes.sorted { $0.key < $1.key }.map { name, keys in
        if keys.count == 1, let type = keys["type"], Bool.random(using: &random) {
          return #"      "\#(name)": \#(type)"#
        }
        let pairs = keys.sorted { $0.key < $1.key }.map { #""\#($0.key)": \#($0.value)"# }
        return #"      "\#(name)": { \#(pairs.joined(separator: ", ")) }"#
      }
      return """
            // of \(entity)
            "\(entity)": {
              "attributes": {
        \(lines.joined(separator: ",\n"))
              }
            }
        """
    }
    return """
      { "copal": 1, // c
        "model": "M",
        "entities": {
      \(entities.joined(separator: ",\n"))
        }
      }

      """
  }

  private static func read(_ text: String) -> Plain? {
    guard let root = SyntaxTree(text)?.root.list else { return nil }
    var model: Plain = [:]
    func items(_ list: SyntaxList?, _ key: String) -> [SyntaxItem] {
      list?.items.first { $0.key?.string == key }?.value.list?.items ?? []
    }
    for entity in items(root, "entities") {
      guard let name = entity.key?.string else { return nil }
      model[name] = [:]
      for attribute in items(entity.value.list, "attributes") {
        guard let property = attribute.key?.string else { return nil }
        var keys: [String: String] = [:]
        if case .scalar(let token) = attribute.value { keys["type"] = token.text }
        for item in attribute.value.list?.items ?? [] {
          if case .scalar(let token) = item.value { keys[item.key?.string ?? ""] = token.text }
        }
        model[name]?[property] = keys
      }
    }
    return model
  }

  private static let types = [#""string""#, #""date""#, #""uuid""#]

  private static func edited(_ base: Plain, _ random: inout SplitMix) -> Plain {
    var model = base
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      guard let entity = model.keys.sorted().randomElement(using: &random) else { continue }
      let attribute = model[entity]?.keys.sorted().randomElement(using: &random)
      let type = types.randomElement(using: &random) ?? ""
      switch Int.random(in: 0..<8, using: &random) {
      case 0: model["N\(Int.random(in: 0...3, using: &random))"] = ["x": ["type": type]]
      case 1: model[entity] = nil
      case 2: model[entity]?["n\(Int.random(in: 0...3, using: &random))"] = ["type": type]
      case 3: if let attribute { model[entity]?[attribute] = nil }
      case 4: if let attribute { model[entity]?[attribute]?["doc"] = nil }
      default:
        let key = ["type", "doc", "default"].randomElement(using: &random) ?? ""
        if let attribute { model[entity]?[attribute]?[key] = type }
      }
    }
    return model
  }

  @Test(
    "random triples: equal to applying both sides, or a conflict exactly where both touch the same")
  func triples() throws {
    var random = SplitMix(seed: 1000)
    var (clean, conflicting) = (0, 0)
    for round in 0..<1000 {
      var base: Plain = [:]
      for entity in 0..<Int.random(in: 1...3, using: &random) {
        for attribute in 0..<Int.random(in: 1...3, using: &random) {
          base["E\(entity)", default: [:]]["a\(attribute)"] =
            Bool.random(using: &random)
            ? ["type": Self.types[0]] : ["type": Self.types[1], "doc": #""d""#]
        }
      }
      let (our, their) = (Self.edited(base, &random), Self.edited(base, &random))
      let merge = try #require(
        ModelMerge(
          base: Self.text(base, &random), ours: Self.text(our, &random),
          theirs: Self.text(their, &random)))
      let before = Self.leaves(base)
      let (ours, theirs) = (Self.leaves(our), Self.leaves(their))
      let isConflict = Self.touchTheSame(before, ours, theirs)
      #expect(isConflict == !merge.conflicts.isEmpty, "round \(round): \(merge.text)")
      if isConflict || !merge.conflicts.isEmpty {
        conflicting += 1
        continue
      }
      clean += 1
      // What one side has removed is gone, and what one side has set is there.
      var expected = before
      for side in [ours, theirs] {
        for path in before.keys where side[path] == nil { expected[path] = nil }
        for (path, value) in side where before[path] != value { expected[path] = value }
      }
      #expect(Self.read(merge.text) == Self.plain(expected), "round \(round): \(merge.text)")
    }
    #expect(clean > 300 && conflicting > 100)
  }

  /// Whether both sides have changed one path in different ways, or one side something inside what
  /// the other side has removed.
  private static func touchTheSame(
    _ before: [[String]: String], _ ours: [[String]: String], _ theirs: [[String]: String]
  ) -> Bool {
    func changed(_ side: [[String]: String]) -> Set<[String]> {
      Set(Set(before.keys).union(side.keys).filter { before[$0] != side[$0] })
    }
    let (first, second) = (changed(ours), changed(theirs))
    if first.contains(where: { second.contains($0) && ours[$0] != theirs[$0] }) { return true }
    return [(ours, second, theirs), (theirs, first, ours)].contains { remover, changes, changer in
      changes.contains { path in
        (1..<max(path.count, 1)).contains { length in
          let outer = Array(path.prefix(length))
          return before[outer] != nil && remover[outer] == nil && changer[outer] != nil
        }
      }
    }
  }
}
