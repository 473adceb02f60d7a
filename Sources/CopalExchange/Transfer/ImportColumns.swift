import CopalEssentials
import CopalModel
import CopalObjects
import CopalStore

/// The properties that the columns of a file set.
struct ImportColumns {
  private let layout: EntityLayout
  private let container: PersistentContainer
  private let options: RecordImport
  private var targets: [String: Target] = [:]
  /// The names at the places of the last record, with what they set.
  private var lastTargets: [(name: String, target: Target)] = []
  /// The attributes that every new object must have, and that have no default.
  private var required: [(name: String, isReference: Bool)] = []
  /// What each object needs and the file does not have: an upsert takes it from the store.
  private(set) var filled: [String] = []
  private(set) var used: [String] = []
  private(set) var unused: [String] = []

  /// What a column sets.
  private indirect enum Target {
    case attribute(ImportedValue)
    /// A to-one relationship, by a unique attribute of its objects.
    case reference(String, ImportedValue)
    /// A to-many relationship, by a unique attribute of its objects.
    case members(String, ImportedValue)
    case nothing
    case unknown(ImportProblem)
  }

  init(_ layout: EntityLayout, _ container: PersistentContainer, _ options: RecordImport) {
    (self.layout, self.container, self.options) = (layout, container, options)
    for slot in layout.slots {
      switch slot {
      case .attribute(let attribute)
      where !attribute.isTransient && !attribute.isOptional && attribute.defaultValue == nil:
        required.append((attribute.name, false))
      case .reference(let relationship) where !relationship.isOptional:
        required.append((relationship.name, true))
      default: break
      }
    }
  }

  /// Finds the properties of a header.
  ///
  /// - Throws: ``ImportError`` for names that are none, and for two columns of one property.
  mutating func match(_ header: [String]) throws {
    var problems: [ImportProblem] = []
    var properties: [String: String] = [:]
    if options.columnNames == nil, let problem = Self.otherDelimiter(header, options.format) {
      throw ImportError(problem)
    }
    for name in header where !name.isEmpty || options.map[name] != nil {
      let target = target(name)
      switch target {
      case .unknown(let problem):
        problems.append(problem)
        continue
      case .nothing: unused.append(name)
      case .attribute(let value): used.append(describe(name, value.property))
      case .reference(let property, let value), .members(let property, let value):
        used.append(describe(name, "\(property).\(value.property)"))
      }
      if let property = property(of: target),
        let other = properties.updateValue(name, forKey: property)
      {
        problems.append(
          ImportProblem(
            .header, line: 1,
            found:
              "the columns '\(other)' and '\(name)' are both for '\(property)'",
            remedy: .map(column: name, property: nil)))
      }
      targets[name] = target
    }
    for name in options.map.keys.sorted() where !header.contains(name) {
      problems.append(
        ImportProblem(
          .header, line: 1, found: "there is no column '\(name)' in the file",
          suggestion: NearestName.of(name, among: header)))
    }
    if problems.isEmpty, properties.isEmpty {
      problems.append(ImportProblem(.header, line: 1, found: "no column is a property"))
    }
    let missing = required.map(\.name).filter { properties[$0] == nil }
    let canFill = missing.allSatisfy { name in
      layout.slotByName[name].map { layout.attributes[$0].type != .transformable } ?? false
    }
    if options.upsertKey?.count == 1, canFill {
      // The objects that are there have them.
      filled = missing
      required.removeAll { missing.contains($0.name) }
    } else if problems.isEmpty, !missing.isEmpty {
      problems.append(
        ImportProblem(
          .header, line: 1,
          found:
            "the file has no column for what each object needs: \(missing.joined(separator: ", "))"
        ))
    }
    if problems.isEmpty { return }
    // Names that the caller has given are on no line.
    if options.columnNames != nil { for place in problems.indices { problems[place].line = nil } }
    throw ImportError(problems)
  }

  /// What is wrong with a header that has another character between its fields.
  private static func otherDelimiter(_ header: [String], _ format: RecordFormat)
    -> ImportProblem?
  {
    guard case .csv(let delimiter) = format, header.count == 1, let name = header.first else {
      return nil
    }
    let found = (";\t," as String).first { $0 != delimiter && name.contains($0) }
    return found.map {
      ImportProblem(
        .header, line: 1, found: "the first line has one column, '\(name)'",
        remedy: .delimiter($0))
    }
  }

  /// The format, with the form of the times of a log.
  func format(_ format: RecordFormat) -> RecordFormat {
    guard case .lines(let template) = format, let form = options.dateFormat else { return format }
    let dates = template.names.filter { name in
      guard case .attribute(let value) = target(name) else { return false }
      return value.isDate
    }
    return .lines(template.knowing(form.text, of: Set(dates)))
  }

  private func describe(_ name: String, _ property: String) -> String {
    name == property ? name : "\(name) → \(property)"
  }

  private func property(of target: Target) -> String? {
    switch target {
    case .attribute(let value): value.property
    case .reference(let property, _), .members(let property, _): property
    case .nothing, .unknown: nil
    }
  }

  private func target(_ column: String) -> Target {
    let name = options.map[column] ?? column
    // What a dump has beside the properties.
    if name.isEmpty || name == "$id" || name == "$entity" { return .nothing }
    let isMapped = options.map[column] != nil
    let path = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    if path.count == 2, let relationship = relationship(path[0], exactly: isMapped) {
      return related(relationship, path[1], column, exactly: isMapped)
    }
    if path.count == 1 {
      if let slot = slot(name, exactly: isMapped) { return .attribute(value(slot, layout)) }
      if let relationship = relationship(name, exactly: isMapped) {
        return .unknown(
          ImportProblem(
            .header, line: 1,
            found:
              "'\(column)' is a relationship, and needs a unique attribute of its objects",
            remedy: .map(
              column: column,
              property: relationship.relationship.name + "."
                + (uniqueNames(relationship.destination).first ?? "ATTRIBUTE"))))
      }
    }
    let suggestion = NearestName.of(name, among: names)
    if isMapped {
      let hint = suggestion.map { "; did you mean '\($0)'?" } ?? ""
      return .unknown(
        ImportProblem(
          .header, line: 1, entity: layout.name,
          found: "the map gives '\(column)' the property '\(name)', and there is none\(hint)"))
    }
    return .unknown(
      ImportProblem(
        .unknownProperty, line: 1, entity: layout.name, found: name, suggestion: suggestion,
        remedy: .map(column: name, property: suggestion ?? "PROPERTY")))
  }

  private func related(
    _ relationship: RelationshipLayout, _ attribute: String, _ column: String, exactly: Bool
  ) -> Target {
    let destination = container.store.schema.entities[relationship.destination]
    let unique = uniqueNames(relationship.destination)
    guard let name = unique.first(where: { Self.matches($0, attribute, exactly: exactly) }),
      let slot = destination.slotByName[name]
    else {
      let known = unique.isEmpty ? "it has none" : "there are " + unique.joined(separator: ", ")
      return .unknown(
        ImportProblem(
          .header, line: 1,
          found: "'\(attribute)' is no unique attribute of \(destination.name); \(known)"))
    }
    let value = value(slot, destination)
    let property = relationship.relationship.name
    if !relationship.relationship.isToMany { return .reference(property, value) }
    if case .links = relationship.storage { return .members(property, value) }
    return .unknown(
      ImportProblem(
        .header, line: 1,
        found:
          "'\(property)' is set at its other end: import \(destination.name) with a column for it"))
  }

  private func value(_ slot: Int, _ layout: EntityLayout) -> ImportedValue {
    ImportedValue(
      slot, layout, RowTransformers(container, entity: layout.index), options.style,
      decimalComma: options.hasDecimalComma, dateFormat: options.dateFormat)
  }

  private func slot(_ name: String, exactly: Bool) -> Int? {
    let found = layout.slotByName.keys.sorted().first {
      guard let slot = layout.slotByName[$0], case .attribute(let attribute) = layout.slots[slot],
        !attribute.isTransient
      else { return false }
      return $0 == name
    }
    if let found { return layout.slotByName[found] }
    if exactly { return nil }
    return layout.slots.indices.first { slot in
      guard case .attribute(let attribute) = layout.slots[slot], !attribute.isTransient else {
        return false
      }
      return Self.matches(attribute.name, name, exactly: false)
    }
  }

  private func relationship(_ name: String, exactly: Bool) -> RelationshipLayout? {
    let all = container.store.schema.relationships[layout.index].filter { !$0.isHidden }
    return all.first { $0.relationship.name == name }
      ?? all.first { Self.matches($0.relationship.name, name, exactly: exactly) }
  }

  /// The attributes that alone are unique.
  private func uniqueNames(_ entity: Int) -> [String] {
    let layout = container.store.schema.entities[entity]
    return layout.uniqueConstraints.filter { $0.slots.count == 1 }.map {
      layout.attributes[$0.slots[0]].name
    }
  }

  private var names: [String] {
    layout.slots.filter { if case .attribute = $0 { true } else { $0.isReference } }
      .map(\.propertyName)
  }

  /// Whether a name of a file is that of a property: the same, or without case, `_`, `-` and
  /// spaces.
  static func matches(_ property: String, _ name: String, exactly: Bool) -> Bool {
    if property == name { return true }
    if exactly { return false }
    func plain(_ text: String) -> String {
      text.lowercased().filter { $0 != "_" && $0 != "-" && $0 != " " }
    }
    return plain(property) == plain(name)
  }

  // MARK: Records

  /// What a field sets. Most records have the same names at the same places.
  private mutating func target(of field: ImportRecord.Field, at place: Int) -> Target {
    if place < lastTargets.count, lastTargets[place].name == field.name {
      return lastTargets[place].target
    }
    let target = targets[field.name] ?? self.target(field.name)
    targets[field.name] = target
    if place == lastTargets.count {
      lastTargets.append((field.name, target))
    } else if place < lastTargets.count {
      lastTargets[place] = (field.name, target)
    }
    return target
  }

  /// The assignments of a record; nil if something is wrong with it.
  mutating func row(
    of record: ImportRecord, _ add: (ImportProblem) -> Void
  ) -> [BatchAssignment]? {
    var row: [BatchAssignment] = []
    row.reserveCapacity(record.fields.count)
    var isFine = true
    func report(_ problem: ImportProblem, _ field: ImportRecord.Field?) {
      var problem = problem
      let isName = problem.code == .unknownProperty
      let place = record.place((isName ? field?.nameOffset : field?.offset) ?? 0)
      problem.line = place.line
      problem.column = field == nil ? nil : place.column
      isFine = false
      add(problem)
    }
    for (place, field) in record.fields.enumerated() {
      let target = target(of: field, at: place)
      if let property = property(of: target), row.contains(where: { $0.property == property }) {
        report(
          ImportProblem(
            .notJSON, entity: layout.name, property: property, found: "the property is there twice"),
          field)
        continue
      }
      do throws(ImportedValue.Refusal) {
        switch target {
        case .nothing: break
        case .unknown(let problem): report(problem, field)
        case .attribute(let value):
          if value.hasDefault, field.content.isNone {
            if let found = value.defaultValue {
              row.append(BatchAssignment(value.property, .constant(found)))
            }
            continue
          }
          let checked = try Self.checked(value, field.content)
          row.append(
            value.isTransformable
              ? BatchAssignment(
                value.property, storedForm: checked.value, version: checked.version)
              : BatchAssignment(value.property, .constant(checked.value)))
        case .reference(let property, let value):
          row.append(
            BatchAssignment(
              property, toObjectWhere: value.property,
              try Self.key(value, field.content).value))
        case .members(let property, let value):
          row.append(
            BatchAssignment(
              property, toObjectsWhere: value.property,
              try Self.keys(value, field.content).map(\.value)))
        }
      } catch {
        report(error.problem, field)
      }
    }
    // What is wrong with a value is said already.
    if !isFine { return nil }
    for property in required {
      let assignment = row.first { $0.property == property.name }
      let isNone = property.isReference && assignment?.value == .constant(.null)
      if assignment != nil, !isNone { continue }
      let field = record.fields.enumerated().first {
        self.property(of: target(of: $0.element, at: $0.offset)) == property.name
      }?.element
      report(ImportProblem(.required, entity: layout.name, property: property.name), field)
    }
    return isFine ? row : nil
  }

  private static func checked(_ value: ImportedValue, _ content: ImportRecord.Content)
    throws(ImportedValue.Refusal) -> ImportedValue.Checked
  {
    switch content {
    case .text(let text): try value.value(ofText: text)
    case .json(let item): try value.value(of: item)
    }
  }

  /// The value by which an object is found; nil for no object.
  private static func key(_ value: ImportedValue, _ content: ImportRecord.Content)
    throws(ImportedValue.Refusal) -> ImportedValue.Checked
  {
    switch content {
    case .text(nil), .json(.null): ImportedValue.Checked(value: .null)
    default: try checked(value, content)
    }
  }

  /// The values by which the members are found: a list of JSON, or texts between spaces.
  private static func keys(_ value: ImportedValue, _ content: ImportRecord.Content)
    throws(ImportedValue.Refusal) -> [ImportedValue.Checked]
  {
    var keys: [ImportedValue.Checked] = []
    switch content {
    case .text(nil), .json(.null): break
    case .text(let text?):
      if text.hasPrefix("["),
        case .array(let items)? = try? JSONScanner.value(Array(text.utf8)[...])
      {
        for item in items { keys.append(try value.value(of: item.item)) }
      } else {
        for part in text.split(separator: " ") {
          keys.append(try value.value(ofText: String(part)))
        }
      }
    case .json(.array(let items)):
      for item in items { keys.append(try value.value(of: item.item)) }
    case .json(let item): keys.append(try value.value(of: item))
    }
    return keys
  }

  // MARK: Refusals of the store

  /// What a refused batch says of the records; nil for an error that does not concern them.
  func problems(
    of error: PersistenceError, _ batch: [[BatchAssignment]], _ lines: [Int]
  ) -> [ImportProblem]? {
    let errors =
      error.code == .batchFailed
      ? error.causes.compactMap { $0 as? PersistenceError } : [error]
    let concerned = errors.filter { error in
      error.row != nil || [.missingReference, .uniqueConflict].contains(error.code)
    }
    guard !concerned.isEmpty else { return nil }
    return concerned.map { error in
      let place = error.row.map { min(max($0 - 1, 0), lines.count - 1) }
      var problem = ImportProblem(
        .refused, line: place.map { lines[$0] }, entity: error.entity ?? layout.name,
        property: error.property)
      switch error.code {
      case .uniqueConflict:
        problem.code = .notUnique
        problem.remedy = .upsertKey
        problem.found = place.map { text(of: error.property ?? "", batch[$0]) } ?? ""
      case .missingReference, .batchMissingObject:
        problem.code = .missingObject
        problem.found = place.map { text(of: error.property ?? "", batch[$0]) } ?? ""
      default:
        var plain = error
        plain.row = nil
        problem.property = nil
        problem.entity = nil
        problem.found = "\(plain)"
      }
      return problem
    }
  }

  /// The value of a property in a row, for a message.
  private func text(of property: String, _ row: [BatchAssignment]) -> String {
    let names = property.split(separator: ",").map { $0.trimmingPrefix(" ") }
    let isPrivate = targets.values.contains { target in
      switch target {
      case .attribute(let value): names.contains { $0 == value.property } && value.isPrivate
      case .reference(let property, let value), .members(let property, let value):
        names.contains { $0 == property } && value.isPrivate
      case .nothing, .unknown: false
      }
    }
    if isPrivate { return ExchangeText.hidden }
    return names.compactMap { name -> String? in
      guard let assignment = row.first(where: { $0.property == name }) else { return nil }
      if case .objectsWhere(_, let values)? = assignment.related {
        return values.compactMap { ExchangeText.text($0) }.joined(separator: " ")
      }
      guard case .constant(let value) = assignment.value else { return nil }
      return ExchangeText.text(value)
    }.joined(separator: ", ")
  }
}
