import CopalEssentials

extension ManagedObjectModel {
  /// The model as the text of a model file, in a canonical form with all keys in a fixed order.
  ///
  /// Equal models have equal texts, and reading the text makes an equal model. A store keeps its
  /// model in this form. Complexity: linear in the size of the model.
  public var canonicalJSON: String { canonicalJSON(maximumLength: .max) }

  /// The canonical form; when it has more than `maximumLength` bytes, only a part of it that also
  /// has more.
  @inline(never)
  func canonicalJSON(maximumLength: Int) -> String {
    var members = Members()
    members.add("copal", .number("\(ModelReader.format)"))
    members.add("model", .string(name))
    if version != 1 { members.add("version", version) }
    members.add("imports", imports)
    if access != .internal { members.add("access", .string(access.rawValue)) }
    members.add("doc", documentation)
    members.add("userInfo", userInfo)
    members.add("removed", removed)
    members.add("entities", .object(entities.map { JSONMember($0.name, $0.node) }))
    return JSONNode(.object(members.list)).text(maximumLength: maximumLength) + "\n"
  }
}

/// The members of an object, without those that have their default value.
private struct Members {
  var list: [JSONMember] = []

  mutating func add(_ key: String, _ kind: JSONNode.Kind) {
    list.append(JSONMember(key, JSONNode(kind)))
  }

  mutating func add(_ key: String, _ text: String?) {
    if let text { add(key, .string(text)) }
  }

  mutating func add(_ key: String, _ number: Int?) {
    if let number { add(key, .number("\(number)")) }
  }

  mutating func add(_ key: String, ifTrue flag: Bool) {
    if flag { add(key, .boolean(true)) }
  }

  mutating func add(_ key: String, _ names: [String]) {
    if !names.isEmpty { add(key, .array(names.map { JSONNode(.string($0)) })) }
  }

  mutating func add(formerNames names: [String]) {
    if names.count == 1 { add("renamedFrom", names[0]) } else { add("renamedFrom", names) }
  }

  mutating func add(_ key: String, _ info: UserInfo) {
    if !info.isEmpty { add(key, UserInfoValue.object(info).node.kind) }
  }

  mutating func add(_ key: String, _ properties: [JSONMember]) {
    if !properties.isEmpty { add(key, .object(properties)) }
  }

  mutating func add(_ key: String, _ lists: [[String]]) {
    guard !lists.isEmpty else { return }
    let nodes = lists.map { names in
      names.count == 1
        ? JSONNode(.string(names[0])) : JSONNode(.array(names.map { JSONNode(.string($0)) }))
    }
    add(key, .array(nodes))
  }

  @inline(never)
  mutating func add(_ key: String, _ constraints: [UniqueConstraintDescription]) {
    guard !constraints.isEmpty else { return }
    let lists = constraints.map { constraint in
      let nodes = constraint.attributes.map { name -> JSONNode in
        guard let ignored = constraint.ignoring[name] else { return JSONNode(.string(name)) }
        let words = UniqueConstraintDescription.Difference.allCases.filter(ignored.contains)
        return JSONNode(
          .object([
            JSONMember("attribute", JSONNode(.string(name))),
            JSONMember("ignoring", JSONNode(.array(words.map { JSONNode(.string($0.rawValue)) }))),
          ]))
      }
      return nodes.count == 1 ? nodes[0] : JSONNode(.array(nodes))
    }
    add(key, .array(lists))
  }

  /// The object, or the type alone as its short form.
  func property(_ name: String, type: String) -> JSONMember {
    guard !list.isEmpty else { return JSONMember(name, JSONNode(.string(type))) }
    let type = JSONMember("type", JSONNode(.string(type)))
    return JSONMember(name, JSONNode(.object([type] + list)))
  }
}

extension EntityDescription {
  fileprivate var node: JSONNode {
    var members = Members()
    if className != name { members.add("class", className) }
    if codegen != .class { members.add("codegen", codegen.rawValue) }
    members.add("parent", parent)
    members.add("abstract", ifTrue: isAbstract)
    members.add("observable", ifTrue: isObservable)
    members.add("identity", identity)
    members.add("attributes", attributes.map(\.member))
    members.add("relationships", relationships.map(\.member))
    members.add("fetchRequests", fetchRequests.map(\.member))
    members.add("fetchedProperties", fetchedProperties.map(\.member))
    members.add("unique", uniqueConstraints)
    members.add("indexes", indexes.map(\.directedAttributes))
    members.add(formerNames: renamedFrom)
    members.add("merges", merges)
    members.add("removed", removed)
    members.add("doc", documentation)
    members.add("userInfo", userInfo)
    return JSONNode(.object(members.list))
  }
}

extension AttributeDescription {
  fileprivate var member: JSONMember {
    var members = Members()
    if let defaultValue { members.add("default", node(for: defaultValue).kind) }
    members.add("placeholder", placeholder)
    members.add("transient", ifTrue: isTransient)
    addRules(to: &members)
    members.add("enum", enumName)
    members.add("transformer", transformer?.rawValue)
    members.add("class", customClass)
    members.add("storage", storage?.rawValue)
    members.add("mutable", ifTrue: isMutable)
    members.add("versioned", ifTrue: isVersioned)
    if externalThreshold == AttributeDescription.defaultExternalThreshold {
      members.add("external", ifTrue: true)
    } else {
      members.add("external", externalThreshold)
    }
    members.add("private", ifTrue: isPrivate)
    let forms = AttributeDescription.SearchForm.allCases.filter(search.contains).map(\.rawValue)
    if forms.count == 1 { members.add("search", forms[0]) } else { members.add("search", forms) }
    members.add(
      "project", projections.map { JSONMember($0.name, JSONNode(.string($0.type.rawValue))) })
    members.add("scale", scale)
    if accessor != .generated { members.add("accessor", accessor.rawValue) }
    if setAccess != .public { members.add("set", setAccess.rawValue) }
    members.add("dependsOn", dependsOn)
    members.add(formerNames: renamedFrom)
    if let fill { members.add("fill", node(for: fill).kind) }
    if conversion != .exact { members.add("conversion", conversion.rawValue) }
    members.add(
      "renamedCases", renamedCases.map { JSONMember($0.old.shownCase, node(for: $0.new)) })
    members.add("checkStored", ifTrue: checksStored)
    members.add("doc", documentation)
    members.add("userInfo", userInfo)
    return members.property(name, type: type.rawValue + (isOptional ? "?" : ""))
  }

  private func addRules(to members: inout Members) {
    if let minimum = rules.minimum { members.add("minimum", node(for: minimum).kind) }
    if let maximum = rules.maximum { members.add("maximum", node(for: maximum).kind) }
    members.add("minimumLength", rules.minimumLength)
    members.add("maximumLength", rules.maximumLength)
    members.add("pattern", rules.pattern)
    if let cases { members.add("cases", casesNode(cases)) }
  }

  /// The rules and the cases in the canonical form.
  package var rulesJSON: String {
    var members = Members()
    addRules(to: &members)
    return JSONNode(.object(members.list)).text(maximumLength: .max)
  }

  /// An array of names when every raw value is the name, and otherwise an object.
  private func casesNode(_ cases: [AttributeCase]) -> JSONNode.Kind {
    if type == .string, cases.allSatisfy({ $0.rawValue == .string($0.name) }) {
      return .array(cases.map { JSONNode(.string($0.name)) })
    }
    return .object(cases.map { JSONMember($0.name, node(for: $0.rawValue)) })
  }

  @inline(never)
  private func node(for value: AttributeDescription.Default) -> JSONNode {
    switch value {
    case .value(let value): node(for: value)
    // For other types the word would be a plain value, so an object is written, which the reader
    // refuses.
    case .now: JSONNode(type == .date ? .string("now") : .object([]))
    case .new: JSONNode(type == .uuid ? .string("new") : .object([]))
    }
  }

  /// The value as JSON. A value that the format cannot express becomes one that the reader refuses,
  /// so that the mistake is reported.
  @inline(never)
  private func node(for value: PropertyValue) -> JSONNode {
    switch value {
    case .null: JSONNode(.null)
    case .integer(let number): JSONNode(.number("\(number)"))
    case .double(let number) where !number.isFinite: JSONNode(.object([]))
    case .double(let number) where type == .float && Double(Float(number)) == number:
      JSONNode(.number("\(Float(number))"))
    case .double(let number): JSONNode(.number("\(number)"))
    case .decimal(let number): number.isNaN ? JSONNode(.object([])) : JSONNode(.number("\(number)"))
    case .boolean(let flag): JSONNode(.boolean(flag))
    case .date(let date): JSONNode(DateText.text(for: date).map { .string($0) } ?? .object([]))
    case .string(let text): JSONNode(.string(text))
    case .binary(let data): JSONNode(.string(data.base64EncodedString()))
    case .uuid(let uuid): JSONNode(.string(uuid.uuidString))
    case .uri(let url): JSONNode(.string(url.absoluteString))
    case .object: JSONNode(.object([]))
    }
  }
}

extension RelationshipDescription {
  fileprivate var member: JSONMember {
    var members = Members()
    // The reader makes a minimum of it.
    if isToMany, !isOptional, minimumCount == nil { members.add("optional", .boolean(false)) }
    members.add("ordered", ifTrue: isOrdered)
    switch sortKeys.count {
    case 1: members.add("sort", sortKeys[0].text)
    default: members.add("sort", sortKeys.map(\.text))
    }
    members.add("inverse", inverse)
    if deleteRule != .nullify { members.add("delete", deleteRule.rawValue) }
    if orphanRule != .keep { members.add("orphans", orphanRule.rawValue) }
    members.add("minimum", minimumCount)
    members.add("maximum", maximumCount)
    members.add("prefetch", ifTrue: isPrefetched)
    if accessor != .generated { members.add("accessor", accessor.rawValue) }
    if setAccess != .public { members.add("set", setAccess.rawValue) }
    members.add(formerNames: renamedFrom)
    if conversion != .exact { members.add("conversion", conversion.rawValue) }
    members.add("doc", documentation)
    members.add("userInfo", userInfo)
    let type = isToMany ? "[\(destination)]" : destination + (isOptional ? "?" : "")
    return members.property(name, type: type)
  }
}

extension FetchRequestTemplate {
  fileprivate var member: JSONMember {
    var members = Members()
    members.add("where", condition)
    members.add("sort", sortKeys)
    members.add("limit", limit)
    members.add("doc", documentation)
    // The short form is the condition alone.
    if let condition, members.list.count == 1 {
      return JSONMember(name, JSONNode(.string(condition)))
    }
    return JSONMember(name, JSONNode(.object(members.list)))
  }
}

extension FetchedPropertyDescription {
  fileprivate var member: JSONMember {
    var members = Members()
    members.add("destination", .string(destination))
    members.add("where", condition)
    members.add("sort", sortKeys)
    members.add("limit", limit)
    members.add("doc", documentation)
    return JSONMember(name, JSONNode(.object(members.list)))
  }
}

extension Members {
  fileprivate mutating func add(_ key: String, _ keys: [FetchSortKey]) {
    switch keys.count {
    case 1: add(key, keys[0].completeText)
    default: add(key, keys.map(\.completeText))
    }
  }
}

extension FetchSortKey {
  /// The key as a template has it: with words for the order of texts and of nil.
  fileprivate var completeText: String {
    var words = [text]
    if textOrder != .bytes { words.append(textOrder.rawValue) }
    if let nilOrder { words.append(nilOrder.rawValue) }
    return words.joined(separator: " ")
  }

  /// The key as a model has it.
  fileprivate var text: String { isAscending ? property : "-" + property }
}

extension UserInfoValue {
  fileprivate var node: JSONNode {
    switch self {
    case .null: JSONNode(.null)
    case .boolean(let flag): JSONNode(.boolean(flag))
    case .number(let text): JSONNode(.number(text))
    case .string(let text): JSONNode(.string(text))
    case .array(let values): JSONNode(.array(values.map(\.node)))
    case .object(let members):
      JSONNode(
        .object(
          members.inOrder { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            .map { JSONMember($0.key, $0.value.node) }))
    }
  }
}
