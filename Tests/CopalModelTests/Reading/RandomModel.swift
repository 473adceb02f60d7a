import CopalModel
import CopalTestTools
import Foundation

/// Good models that use every key in every way, with values from the ends of what their types hold.
struct RandomModel {
  private var random: SplitMix

  init(seed: UInt64) { random = SplitMix(seed: seed) }

  /// - Parameter access: only properties of a public model say who may set them.
  mutating func entities(access: ManagedObjectModel.Access = .internal) -> [EntityDescription] {
    var entities = internalEntities()
    guard access == .public else { return entities }
    for index in entities.indices {
      for place in entities[index].attributes.indices {
        entities[index].attributes[place].setAccess = setAccess()
      }
      for place in entities[index].relationships.indices {
        entities[index].relationships[place].setAccess = setAccess()
      }
    }
    return entities
  }

  private mutating func setAccess() -> AttributeDescription.SetAccess {
    AttributeDescription.SetAccess.allCases.randomElement(using: &random) ?? .public
  }

  private mutating func internalEntities() -> [EntityDescription] {
    (0..<4).map { index in
      let attributes = AttributeType.allCases.flatMap { type in
        (0..<2).map { attribute("\(type.rawValue)\(index)_\($0)", type) }
      }
      let indexed = attributes.filter { !$0.isTransient && $0.type != .transformable }.map(\.name)
      let sortable = attributes.filter { indexed.contains($0.name) && $0.type != .binary }
      let isOrdered = flip()
      let parent = index > 0 && flip() ? "Entity\(index - 1)" : nil
      return EntityDescription(
        "Entity\(index)", className: flip() ? "Größe\(index)" : nil,
        codegen: EntityDescription.Codegen.allCases.randomElement(using: &random) ?? .class,
        parent: parent, isAbstract: flip(),
        isObservable: parent == nil && flip(),
        identity: parent == nil && flip() ? attributes.randomElement(using: &random)?.name : nil,
        attributes: attributes,
        relationships: [
          RelationshipDescription(
            "many\(index)", to: "Entity\(index)", isToMany: true,
            isOptional: [nil, true, false].randomElement(using: &random) ?? nil,
            isOrdered: isOrdered, sortKeys: isOrdered ? [] : sortKeys(sortable),
            inverse: "one\(index)", deleteRule: .cascade, orphanRule: flip() ? .delete : .keep,
            maximumCount: flip() ? .max : nil, isPrefetched: flip(), documentation: text()),
          RelationshipDescription(
            "one\(index)", to: "Entity\(index)", isOptional: flip(), inverse: "many\(index)",
            isPrefetched: flip(), accessor: flip() ? .custom : .generated,
            renamedFrom: flip() ? ["old\(index)"] : [],
            conversion: flip() ? .first : .exact,
            userInfo: userInfo(depth: 2)),
          RelationshipDescription(
            "oneWay\(index)", to: "Entity\(3 - index)", isToMany: flip(), deleteRule: .deny,
            isPrefetched: flip()),
          RelationshipDescription(
            "links\(index)", to: "Entity\(3 - index)", isToMany: true,
            minimumCount: [nil, 0, 1, 7].randomElement(using: &random) ?? nil),
        ],
        fetchRequests: flip()
          ? [
            FetchRequestTemplate(
              "found\(index)",
              where: flip() ? "SELF == $self\(index) OR ANY many\(index) == nil" : nil,
              sortKeys: sortKeys(sortable), limit: flip() ? 1 : nil, documentation: text())
          ] : [],
        fetchedProperties: flip()
          ? [
            FetchedPropertyDescription(
              "others\(index)", of: "Entity\(3 - index)",
              where: flip() ? "$FETCH_SOURCE.one\(index) != nil\t OR TRUEPREDICATE" : nil,
              limit: flip() ? .max : nil, documentation: text())
          ] : [],
        uniqueConstraints: indexed.count > 1 && flip()
          ? [[indexed[0]], UniqueConstraintDescription(indexed)] : [],
        indexes: indexed.count > 1 && flip()
          ? [IndexDescription(indexed.reversed(), descending: flip() ? Set(indexed.prefix(1)) : [])]
          : [],
        renamedFrom: [[], ["Old\(index)"], ["Old\(index)", "Older\(index)"]]
          .randomElement(using: &random) ?? [],
        removed: flip() ? ["gone\(index)", "größer"] : [], documentation: text(),
        userInfo: userInfo(depth: 2))
    }
  }

  private mutating func sortKeys(_ attributes: [AttributeDescription]) -> [FetchSortKey] {
    attributes.shuffled(using: &random).prefix(Int.random(in: 0...3, using: &random))
      .map { FetchSortKey($0.name, isAscending: flip()) }
  }

  mutating func imports() -> [String] {
    ["CopalColor", "struct Foundation.Date", "CoreUI.Shapes", "func Paint.mix", "色"]
      .shuffled(using: &random).prefix(Int.random(in: 0...5, using: &random)).map { $0 }
  }

  private mutating func attribute(_ name: String, _ type: AttributeType) -> AttributeDescription {
    var attribute = AttributeDescription(
      name, type, isOptional: flip(), isTransient: flip(), documentation: text(),
      userInfo: userInfo(depth: 58))
    attribute.accessor = flip() ? .custom : .generated
    attribute.renamedFrom =
      [[], ["old_\(name)"], ["old_\(name)", "older_\(name)"]].randomElement(using: &random) ?? []
    switch type {
    case .transformable:
      attribute.transformer = "CoreUI.ColorTransformer"
      attribute.customClass = ["[String: [Color?]]", "Größe<A, B>.C"].randomElement(using: &random)
      attribute.isMutable = !attribute.isTransient && flip()
      if !attribute.isOptional, !attribute.isMutable, flip() { attribute.placeholder = ".größe" }
      attribute.isVersioned = !attribute.isTransient && flip()
      attribute.storage = flip() ? StorageType.allCases.randomElement(using: &random) : nil
      if attribute.storageType == .blob, !attribute.isTransient, flip() {
        attribute.externalThreshold = [1, 102_400, .max].randomElement(using: &random)
      }
      return attribute
    case .string where flip():
      attribute.cases = flip() ? ["oil", "größe"] : ["oil", AttributeCase("x", "\u{0}#\"\\")]
      attribute.enumName = flip() ? "Kind_\(name)" : nil
      attribute.defaultValue = flip() ? .value("oil") : nil
      if !attribute.isTransient {
        attribute.fill = flip() ? .value("oil") : nil
        attribute.renamedCases =
          flip() ? [.init("\u{0}\"öl", to: "oil"), .init("", to: "oil")] : []
        attribute.checksStored = flip()
      }
      return attribute
    case .string: attribute.rules.pattern = flip() ? #"[\s\S]*"# : nil
    case .integer where flip():
      attribute.cases = [
        AttributeCase("low", .integer(Int64(Int16.min))), AttributeCase("high", .integer(2)),
      ]
      attribute.defaultValue = flip() ? .value(.integer(2)) : nil
      if !attribute.isTransient {
        attribute.renamedCases = flip() ? [.init(.integer(-7), to: .integer(2))] : []
      }
      return attribute
    case .uri: if !attribute.isOptional, flip() { attribute.placeholder = "a:b?c=%20" }
    case .decimal: attribute.scale = flip() ? Int.random(in: 0...18, using: &random) : nil
    default: break
    }
    // A default between its limits, any of which may be missing.
    let values = (0..<3).map { _ in value(type, scale: attribute.scale) }.sorted(by: isLess)
    if flip() { attribute.defaultValue = .value(values[1]) }
    if type == .date, flip() { attribute.defaultValue = .now }
    if type == .uuid, flip() { attribute.defaultValue = .new }
    if isLimited(values[0]) {
      attribute.rules.minimum = flip() ? values[0] : nil
      attribute.rules.maximum = flip() ? values[2] : nil
    }
    if let length = length(of: values[1]) {
      attribute.rules.minimumLength = flip() ? Int.random(in: 0...length, using: &random) : nil
      attribute.rules.maximumLength = flip() ? Int.random(in: length ... .max, using: &random) : nil
    }
    if !attribute.isTransient { describeMigration(of: &attribute, fill: values[1]) }
    return attribute
  }

  private mutating func describeMigration(
    of attribute: inout AttributeDescription, fill: PropertyValue
  ) {
    attribute.fill = flip() ? .value(fill) : nil
    if attribute.type == .uuid, flip() { attribute.fill = .new }
    var conversions: [AttributeDescription.Conversion] = [.exact]
    if attribute.isOptional { conversions.append(.toNil) }
    if attribute.fill != nil || attribute.defaultValue != nil { conversions.append(.fill) }
    if attribute.type == .date { conversions += [.secondsSince1970, .secondsSince2001] }
    if attribute.type == .float || attribute.type == .decimal { conversions.append(.nearest) }
    attribute.conversion = conversions.randomElement(using: &random) ?? .exact
    attribute.checksStored = !attribute.rules.isEmpty && flip()
  }

  // MARK: Values

  mutating func value(_ type: AttributeType, scale: Int? = nil) -> PropertyValue {
    switch type {
    case .integer16: .integer(Int64(integer(Int16.self)))
    case .integer32: .integer(Int64(integer(Int32.self)))
    case .integer64, .integer: .integer(integer(Int64.self))
    case .float: .double(Double(float()))
    case .double: .double(double())
    case .decimal: .decimal(scale.map { scaled($0) } ?? decimal())
    case .boolean: .boolean(flip())
    case .date: .date(date())
    case .binary:
      .binary(
        Data(
          (0..<Int.random(in: 0...40, using: &random)).map { _ in
            UInt8.random(in: 0...255, using: &random)
          }))
    case .string: .string(text() ?? "")
    case .uuid: .uuid(uuid())
    case .uri: .uri(uri())
    case .transformable: .null
    }
  }

  private mutating func integer<Integer: FixedWidthInteger>(_: Integer.Type) -> Integer {
    let ends: [Integer] = [.min, .max, 0, 1, .min + 1]
    return flip()
      ? ends.randomElement(using: &random) ?? 0 : .random(in: .min ... .max, using: &random)
  }

  mutating func float() -> Float {
    let ends: [Float] = [
      0, -0.0, .leastNonzeroMagnitude, -.leastNormalMagnitude, .greatestFiniteMagnitude,
      -.greatestFiniteMagnitude, .pi, 1e10, 16_777_216, 0.1,
    ]
    if flip() { return ends.randomElement(using: &random) ?? 0 }
    let float = Float(bitPattern: UInt32.random(in: 0 ... .max, using: &random))
    return float.isFinite ? float : 1
  }

  mutating func double() -> Double {
    let ends: [Double] = [
      0, -0.0, .leastNonzeroMagnitude, -.leastNormalMagnitude, .greatestFiniteMagnitude,
      -.greatestFiniteMagnitude, .pi, 1e22, 9_007_199_254_740_992, 0.1,
    ]
    if flip() { return ends.randomElement(using: &random) ?? 0 }
    let double = Double(bitPattern: UInt64.random(in: 0 ... .max, using: &random))
    return double.isFinite ? double : 1
  }

  /// A decimal of up to 38 digits and any power of ten that a model can say.
  mutating func decimal() -> Decimal {
    if Int.random(in: 0...9, using: &random) == 0 { return 0 }
    let length = flip() ? 38 : Int.random(in: 1...38, using: &random)
    let digits = (1..<length).map { _ in "\(Int.random(in: 0...9, using: &random))" }.joined()
    let exponent =
      flip()
      ? [-128, -38, -1, 0, 127].randomElement(using: &random) ?? 0
      : Int.random(in: -128...127, using: &random)
    // No zero at an end: the power of ten is the one that the model counts.
    let text = "\(flip() ? "-" : "")\(digits.isEmpty ? "" : "1\(digits.dropFirst())")7e\(exponent)"
    return DecimalLiteral(text)?.decimal ?? 0
  }

  private mutating func scaled(_ scale: Int) -> Decimal {
    DecimalText.decimal(scaled: integer(Int64.self), by: scale)
  }

  /// A date that some zone has within the years 1 to 9999.
  mutating func date() -> Date {
    let day = 86_340.0
    let (first, last) = (-63_113_904_000 - day, 252_423_993_599 + day)
    let ends = [
      first, last, first.nextUp, last + 0.99, -63_113_904_000, 252_423_993_599, 0, -0.0, -0.001,
      0.001, -1e-20, .leastNonzeroMagnitude, -.leastNonzeroMagnitude, -1.0.nextUp, -1.0.nextDown,
      1.0.nextDown, -0.1, 1e9 + 0.1,
      -1e9 - 0.1,
    ]
    switch Int.random(in: 0...3, using: &random) {
    case 0: return Date(timeIntervalSinceReferenceDate: .random(in: first...last, using: &random))
    case 1: return Date(timeIntervalSinceReferenceDate: .random(in: -2...2, using: &random))
    case 2:
      return Date(timeIntervalSinceReferenceDate: .random(in: 0...1e9, using: &random).rounded())
    default:
      return Date(timeIntervalSinceReferenceDate: ends.randomElement(using: &random) ?? 0)
    }
  }

  mutating func uuid() -> UUID {
    let (a, b) = (random.next(), random.next())
    return withUnsafeBytes(of: (a, b)) { UUID(uuid: $0.load(as: uuid_t.self)) }
  }

  mutating func uri() -> URL {
    let texts = [
      "https://example.com/?a=%20\(random.next())#b", "file:///a%20b/c", "mailto:a@example.com",
      "urn:isbn:0451450523", "relative/path", "../up", "?query", "#fragment",
      "http://[::1]:8080/", "http://user:secret@example.com", "data:text/plain;base64,AQID",
      "HTTP://EXAMPLE.COM/%C3%A9", "//host/path", "a:", "/",
    ]
    return texts.randomElement(using: &random).flatMap { URL(string: $0) } ?? URL(filePath: "/")
  }

  // MARK: Texts

  mutating func flip() -> Bool { Bool.random(using: &random) }

  mutating func text() -> String? {
    let letters =
      Array(
        "aé色🎨\"\\/\n\r\t\u{0}\u{1F}\u{7F}\u{85}\u{2028}\u{FEFF}\u{FFFF}{}[],:/*?".unicodeScalars)
      + ["e", "\u{301}", "\u{316}", "👩", "\u{200D}", "🇸", "🇪", "\u{10FFFF}", "\u{202E}"]
    guard flip() else { return nil }
    var text = ""
    for letter in letters.shuffled(using: &random).prefix(Int.random(in: 0...12, using: &random)) {
      text.unicodeScalars.append(letter)
    }
    return text
  }

  /// Notes of so many levels at most.
  mutating func userInfo(depth: Int) -> UserInfo {
    guard flip() else { return [:] }
    var nested = UserInfoValue.number("-1.50e+7")
    // One level is the object itself.
    for _ in 1..<Int.random(in: 1...depth, using: &random) {
      nested =
        flip()
        ? .array([nested, .null]) : .object(["k" + (text() ?? ""): nested, "": .boolean(flip())])
    }
    return ["k" + (text() ?? ""): nested, "text": .string(text() ?? ""), "empty": .array([])]
  }

  private func isLimited(_ value: PropertyValue) -> Bool {
    switch value {
    case .integer, .double, .decimal, .date: true
    default: false
    }
  }

  private func length(of value: PropertyValue) -> Int? {
    switch value {
    case .string(let text): text.count
    case .binary(let data): data.count
    default: nil
    }
  }

  private func isLess(_ a: PropertyValue, _ b: PropertyValue) -> Bool {
    switch (a, b) {
    case (.integer(let a), .integer(let b)): a < b
    case (.double(let a), .double(let b)): a < b
    case (.decimal(let a), .decimal(let b)): a < b
    case (.date(let a), .date(let b)): a < b
    default: false
    }
  }
}
