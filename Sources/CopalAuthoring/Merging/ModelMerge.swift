/// Merges two versions of a model file that come from one, by meaning: by entity, property and key,
/// and not by lines.
///
/// What one side has changed is taken; what both have changed in the same way, too. A renamed
/// entity or property (`renamedFrom`) is the same one. The items of lists such as `unique` and
/// `indexes` are sets. The result has the layout and the comments of `ours`, and the additions of
/// `theirs` behind the neighbor that they have there.
///
/// ```swift
/// let merge = ModelMerge(base: base, ours: ours, theirs: theirs)
/// print(merge?.text ?? "", merge?.conflicts ?? [])
/// ```
public struct ModelMerge: Sendable {
  /// The result. Where there are conflicts, it has git's markers around both versions of the
  /// smallest keys.
  public let text: String
  /// The places that both sides have changed in different ways:
  /// `entities.Paint.attributes.name.type`.
  public let conflicts: [String]

  /// Merges three texts; nil when one of them is not JSON with comments and trailing commas.
  public init?(base: String, ours: String, theirs: String) {
    guard let base = SyntaxTree(base), var tree = SyntaxTree(ours), let theirs = SyntaxTree(theirs)
    else { return nil }
    var merger = Merger()
    tree.root = merger.merge(
      Sides(base: base.root, ours: tree.root, theirs: theirs.root), .model, path: [])
    text = merger.conflicts.isEmpty ? tree.text : ConflictMarkers.onTheirLines(tree.text)
    conflicts = merger.conflicts
  }
}

/// The three versions of a value; nil for a version that does not have it.
private struct Sides<Value> {
  var base: Value?
  var ours: Value?
  var theirs: Value?
}

private struct Merger {
  private(set) var conflicts: [String] = []

  // MARK: Values

  mutating func merge(_ sides: Sides<SyntaxNode>, _ place: ModelPlace, path: [String]) -> SyntaxNode
  {
    let (base, ours, theirs) = (sides.base, sides.ours, sides.theirs)
    guard let ours else { return theirs ?? .scalar(SyntaxToken("null")) }
    guard let theirs else { return ours }
    // Objects are compared key by key, because only a comment can differ.
    if !ours.isObject || !theirs.isObject {
      if ours.means(theirs, place) || base.map({ theirs.means($0, place) }) == true { return ours }
      if base.map({ ours.means($0, place) }) == true { return theirs.with(leadingOf: ours) }
    }
    switch (ours, theirs) {
    case (.object(let our), .object(let their)):
      let long = place.shortKey.flatMap { key in base?.long(key) } ?? base
      let former: SyntaxList? = if case .object(let list)? = long { list } else { nil }
      return .object(
        merge(Sides(base: former, ours: our, theirs: their), our, their, place, path))
    case (.array(let our), .array(let their)):
      if let list = merge(base, our, their, path) { return .array(list) }
    case (.scalar(let our), .scalar(let their)) where path == ["version"]:
      if let first = Int(our.text), let second = Int(their.text) {
        return second > first ? theirs.with(leadingOf: ours) : ours
      }
    default: break
    }
    // The short form of a property, and its long form with more.
    if let key = place.shortKey,
      let long = merge(
        Sides(
          base: base?.long(key), ours: ours.long(key), theirs: theirs.long(key)), ours, theirs,
        place,
        path)
    {
      return long
    }
    conflicts.append(path.joined(separator: "."))
    return .conflict(ours, theirs)
  }

  /// Merges a property of which one version is in its short form.
  private mutating func merge(
    _ sides: Sides<SyntaxNode>, _ ours: SyntaxNode, _ theirs: SyntaxNode, _ place: ModelPlace,
    _ path: [String]
  ) -> SyntaxNode? {
    guard (ours.list == nil) != (theirs.list == nil), sides.ours?.list != nil,
      sides.theirs?.list != nil
    else { return nil }
    return merge(sides, place, path: path)
  }

  // MARK: Objects

  /// A key of an object as it is the same one in all versions.
  private struct Entry {
    let id: String
    var sides = Sides<SyntaxItem>()
  }

  private mutating func merge(
    _ sides: Sides<SyntaxList>, _ our: SyntaxList, _ their: SyntaxList, _ place: ModelPlace,
    _ path: [String]
  ) -> SyntaxList {
    var entries: [String: Entry] = [:]
    func add(
      _ item: SyntaxItem, _ id: String, _ side: WritableKeyPath<Sides<SyntaxItem>, SyntaxItem?>
    ) {
      entries[id, default: Entry(id: id)].sides[keyPath: side] = item
    }
    let former = Set((sides.base?.items ?? []).compactMap { $0.key?.string })
    for item in sides.base?.items ?? [] { add(item, item.name, \.base) }
    let ourIDs = our.identities(former: former, place)
    let theirIDs = their.identities(former: former, place)
    for (item, id) in zip(our.items, ourIDs) { add(item, id, \.ours) }
    for (item, id) in zip(their.items, theirIDs) { add(item, id, \.theirs) }
    var list = our
    list.items = order(ourIDs, theirIDs).compactMap { id in
      entries[id].flatMap { merge($0, place, path) }
    }
    return list.withCommas
  }

  /// The order of ours, and what only theirs has behind the neighbor that it has there.
  private func order(_ ours: [String], _ theirs: [String]) -> [String] {
    var result = ours
    for (index, id) in theirs.enumerated() where !result.contains(id) {
      let neighbor = theirs[..<index].last { result.contains($0) }
      var place = neighbor.flatMap { result.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
      // Additions of ours come first.
      while place < result.count, !theirs.contains(result[place]) { place += 1 }
      result.insert(id, at: place)
    }
    return result
  }

  private mutating func merge(_ entry: Entry, _ place: ModelPlace, _ path: [String]) -> SyntaxItem?
  {
    let (base, ours, theirs) = (entry.sides.base, entry.sides.ours, entry.sides.theirs)
    switch (base, ours, theirs) {
    case (nil, nil, let item?), (nil, let item?, nil): return item
    case (_, nil, nil): return nil
    case (let base?, nil, let changed?), (let base?, let changed?, nil):
      // Removed on one side.
      if changed.name == base.name, changed.value.means(base.value, place.place(of: base.name)) {
        return nil
      }
      conflicts.append((path + [base.name]).joined(separator: "."))
      return ours == nil ? .conflict(nil, changed) : .conflict(changed, nil)
    case (let base?, let ours?, let theirs?) where ours.printed == base.printed:
      // Also what only a comment has changed.
      return theirs
    case (let base?, let ours?, let theirs?) where theirs.printed == base.printed: return ours
    case (let base, var ours?, let theirs?):
      let inner = path + [ours.name]
      if ours.name != theirs.name, ours.name == base?.name {
        ours.key = theirs.key.map { SyntaxToken($0.text, leading: ours.key?.leading ?? []) }
      } else if ours.name != theirs.name, theirs.name != base?.name {
        conflicts.append(inner.joined(separator: "."))
        return .conflict(ours, theirs)
      }
      let before = conflicts.count
      let value = merge(
        Sides(base: base?.value, ours: ours.value, theirs: theirs.value),
        place.place(of: ours.name), path: inner)
      if value.isConflict, conflicts.count == before + 1 { return .conflict(ours, theirs) }
      // A property on one line stands there as a whole.
      if conflicts.count > before, place.place(of: ours.name).isProperty, ours.value.isOnOneLine,
        theirs.value.isOnOneLine
      {
        conflicts.removeLast(conflicts.count - before)
        conflicts.append(inner.joined(separator: "."))
        return .conflict(ours, theirs)
      }
      ours.value = value
      return ours
    }
  }

  // MARK: Lists

  /// Merges lists whose items are a set; nil for lists that are no sets.
  private func merge(
    _ base: SyntaxNode?, _ ours: SyntaxList, _ theirs: SyntaxList, _ path: [String]
  )
    -> SyntaxList?
  {
    let sets = ["unique", "indexes", "renamedFrom", "removed", "merges", "imports", "dependsOn"]
    guard let key = path.last, sets.contains(key) else { return nil }
    let former = base?.list?.items.map(\.value) ?? []
    func contains(_ items: [SyntaxNode], _ item: SyntaxNode) -> Bool {
      items.contains { item.means($0) }
    }
    let (our, their) = (ours.items.map(\.value), theirs.items.map(\.value))
    var list = ours
    list.items = ours.items.filter { contains(their, $0.value) || !contains(former, $0.value) }
    for item in theirs.items where !contains(our, item.value) && !contains(former, item.value) {
      list.items.append(item)
    }
    for index in list.items.indices where list.items[index].value.leading.isOnlySpaces {
      list.items[index].value.leading = index == 0 ? [] : [.spaces(" ")]
    }
    return list.withCommas
  }
}

extension [Trivia] {
  /// Whether there is neither a comment nor the end of a line.
  fileprivate var isOnlySpaces: Bool { allSatisfy { $0.comment == nil && !$0.isNewline } }
}

// MARK: Meanings

extension SyntaxNode {
  /// Whether two values mean the same, whatever their layout and comments, and whether a property
  /// is in its short form.
  func means(_ other: SyntaxNode, _ place: ModelPlace = .other) -> Bool {
    if let key = place.shortKey, (list == nil) != (other.list == nil) {
      return long(key).means(other.long(key), place)
    }
    switch (self, other) {
    case (.scalar(let a), .scalar(let b)):
      return a.text == b.text || a.string != nil && a.string == b.string
    case (.array(let a), .array(let b)):
      return a.items.count == b.items.count
        && zip(a.items, b.items).allSatisfy { $0.value.means($1.value) }
    case (.object(let a), .object(let b)):
      return a.items.count == b.items.count
        && a.items.allSatisfy { item in
          b.items.contains {
            $0.name == item.name && $0.value.means(item.value, place.place(of: item.name))
          }
        }
    default: return false
    }
  }

  /// The value with what stands before another one.
  func with(leadingOf other: SyntaxNode) -> SyntaxNode {
    var node = self
    node.leading = other.leading
    return node
  }

  /// What stands before the first token.
  var leading: [Trivia] {
    get {
      switch self {
      case .scalar(let token): token.leading
      case .array(let list), .object(let list): list.open.leading
      }
    }
    set {
      switch self {
      case .scalar(var token):
        token.leading = newValue
        self = .scalar(token)
      case .array(var list):
        list.open.leading = newValue
        self = .array(list)
      case .object(var list):
        list.open.leading = newValue
        self = .object(list)
      }
    }
  }

  /// A property in its long form: `{ "type": "string?" }`.
  func long(_ key: String) -> SyntaxNode {
    guard case .scalar(let token) = self, token.string != nil else { return self }
    let item = SyntaxItem(
      key: SyntaxToken("\"\(key)\"", leading: [.spaces(" ")]), colon: SyntaxToken(":"),
      value: .scalar(SyntaxToken(token.text, leading: [.spaces(" ")])))
    return .object(
      SyntaxList(
        open: SyntaxToken("{", leading: token.leading), items: [item],
        close: SyntaxToken("}", leading: [.spaces(" ")])))
  }

  /// A place where both versions stand, between git's markers.
  static func conflict(_ ours: SyntaxNode, _ theirs: SyntaxNode) -> SyntaxNode {
    .scalar(SyntaxToken(ConflictMarkers.text(ours.printed, theirs.printed)))
  }

  fileprivate var printed: String {
    var text = ""
    write(to: &text)
    return text
  }

  fileprivate var isObject: Bool { if case .object = self { true } else { false } }

  /// Whether it stands on one line.
  fileprivate var isOnOneLine: Bool {
    var bare = self
    bare.leading = []
    return !bare.printed.contains(where: \.isNewline)
  }

  var isConflict: Bool {
    if case .scalar(let token) = self {
      token.text.hasPrefix("\n" + ConflictMarkers.ours)
    } else {
      false
    }
  }
}

/// The lines that git puts around the versions of a conflict.
enum ConflictMarkers {
  static let ours = "<<<<<<< ours"
  static let middle = "======="
  static let theirs = ">>>>>>> theirs"

  /// The text with a line end behind each closing marker.
  static func onTheirLines(_ text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
      line.hasPrefix(theirs) && line != theirs
        ? [Substring(theirs), line.dropFirst(theirs.count)] : [line]
    }
    return lines.joined(separator: "\n")
  }

  static func text(_ first: String, _ second: String) -> String {
    "\n\(ours)\(first.onItsLine)\n\(middle)\(second.onItsLine)\n\(theirs)"
  }
}

extension String {
  fileprivate var onItsLine: String { isEmpty || first?.isNewline == true ? self : "\n" + self }
}

extension SyntaxItem {
  /// The key's name; empty for an element of an array.
  var name: String { key?.string ?? "" }

  /// The text without the comma, which only the last item of a list lacks.
  fileprivate var printed: String {
    var text = ""
    var item = self
    item.comma = nil
    item.write(to: &text)
    return text
  }

  /// An item where both versions stand; nil for a version that was removed.
  static func conflict(_ ours: SyntaxItem?, _ theirs: SyntaxItem?) -> SyntaxItem {
    func printed(_ item: SyntaxItem?) -> String {
      var text = ""
      var item = item
      item?.comma = SyntaxToken(",")
      item?.write(to: &text)
      return text
    }
    return SyntaxItem(
      value: .scalar(SyntaxToken(ConflictMarkers.text(printed(ours), printed(theirs)))))
  }
}

extension SyntaxList {
  /// What the keys are called in the version before: a renamed one by its former name.
  fileprivate func identities(former: Set<String>, _ place: ModelPlace) -> [String] {
    let names = Set(items.map(\.name))
    return items.map { item in
      guard place.hasRenames, !former.contains(item.name) else { return item.name }
      return item.formerNames.first { former.contains($0) && !names.contains($0) } ?? item.name
    }
  }

  /// The list with a comma behind each item but the last one.
  fileprivate var withCommas: SyntaxList {
    var list = self
    for index in list.items.indices {
      if list.items[index].value.isConflict {
        list.items[index].comma = nil
      } else if index == list.items.count - 1 {
        list.items[index].comma = nil
      } else if list.items[index].comma == nil {
        list.items[index].comma = SyntaxToken(",")
      }
    }
    return list
  }
}

extension SyntaxItem {
  /// The names of `renamedFrom`.
  fileprivate var formerNames: [String] {
    guard let node = value.list?.items.first(where: { $0.name == "renamedFrom" })?.value else {
      return []
    }
    return node.string.map { [$0] } ?? node.list?.items.compactMap(\.value.string) ?? []
  }
}

extension ModelPlace {
  fileprivate var isProperty: Bool { if case .property = self { true } else { false } }

  /// Whether the keys are names of entities or properties, which can be renamed.
  fileprivate var hasRenames: Bool {
    switch self {
    case .entities, .properties: true
    case .model, .entity, .property, .other: false
    }
  }
}
