import CopalModel

/// The differences of attributes.
extension ModelDifference {
  mutating func compareAttributes(_ index: Int) {
    for attribute in entity(index).storedAttributes { compare(attribute, index) }
    for loss in losses where loss.entity == index {
      if let attribute = mapping.attribute(at: loss.place) { add(loss, of: attribute) }
    }
  }

  // MARK: Removed attributes

  /// Adds the change of an attribute that objects had, and do not have any more.
  private mutating func add(_ loss: PropertyLoss, of attribute: AttributeDescription) {
    let (name, index) = (attribute.name, loss.entity)
    let line = mapping.new.line(index)
    if line.contains(where: { entity($0).relationship(name) != nil }) {
      return add(
        .needingStep(
          .type, entity: entity(index).name, property: name,
          "was an attribute, and is a relationship now"))
    }
    let heir = line.flatMap { entity($0).storedAttributes }
      .first { $0.renamedFrom.contains(name) }?.name
    let isTransient = line.contains { entity($0).attribute(name)?.isTransient == true }
    let mapping = mapping
    let taken = heir.flatMap { heir in
      loss.formers.compactMap { mapping.oldName(ofAttribute: heir, from: $0) }.first
    }
    add(
      Removal(
        loss: loss, kind: "attribute", isTransient: isTransient, heir: heir, taken: taken,
        suggestion: heir == nil ? suggestion(for: attribute, loss) : nil))
  }

  /// The new attribute that an old one may be: the one of the same type, or the most similar of
  /// them.
  private func suggestion(for attribute: AttributeDescription, _ loss: PropertyLoss) -> String? {
    let candidates = mapping.new.line(loss.entity).flatMap { entity($0).storedAttributes }.filter {
      now in
      now.type == attribute.type
        && loss.formers.allSatisfy { mapping.oldName(ofAttribute: now.name, from: $0) == nil }
    }.map(\.name)
    if candidates.count == 1 { return candidates[0] }
    return NearestName.of(attribute.name, among: candidates)
  }

  // MARK: Declared attributes

  /// Compares a stored attribute that an entity declares.
  private mutating func compare(_ attribute: AttributeDescription, _ index: Int) {
    let (name, owner) = (attribute.name, entity(index).name)
    let origin = mapping.origin(ofAttribute: name, in: index)
    addJoin(origin.sources, of: name, owner)
    let isNew = origin.parts.isEmpty
    for place in origin.sources {
      guard let was = mapping.attribute(at: place) else { continue }
      add(AttributeChange(from: was, to: attribute), owner)
    }
    guard !origin.lacking.isEmpty else {
      // Of a new entity there are no objects yet.
      if isNew, former(index) != nil {
        add(
          ModelChange(
            .added, entity: owner, property: name, detail: "new", isHarmless: isHarmless(attribute))
        )
      }
      return
    }
    let whose = isNew ? "" : " for \(list(origin.lacking))"
    if attribute.valueOfOldObjects != nil {
      return add(
        ModelChange(
          .added, entity: owner, property: name,
          detail: "new\(whose), with a value for old objects",
          effect: .writesRows))
    }
    add(
      ModelChange(
        .added, entity: owner, property: name,
        detail: attribute.isOptional ? "new\(whose)" : "new and required\(whose)",
        outcome: attribute.isOptional ? .lossless : .dependsOnRows,
        refusal: attribute.isOptional
          ? nil : ModelChange.Refusal(.migrationNewRequired, cure: Self.cureOfNil(attribute)),
        isHarmless: isNew && isHarmless(attribute)))
  }

  /// Whether programs that do not know a new attribute can go on: their objects have nil in it.
  private func isHarmless(_ attribute: AttributeDescription) -> Bool {
    attribute.isOptional && attribute.valueOfOldObjects == nil
      && attribute.externalThreshold == nil && attribute.search.isEmpty
      && attribute.projections.isEmpty
  }

  /// What a person can do when objects have no value. Transformables have none in a model file.
  private static func cureOfNil(_ attribute: AttributeDescription) -> String {
    attribute.type == .transformable
      ? "make the attribute optional"
      : "add \"default\", or \"fill\" with a value for these objects only"
  }

  /// Adds what changes for the values of an attribute.
  private mutating func add(_ change: AttributeChange, _ owner: String) {
    let (was, now) = (change.old, change.new)
    func add(
      _ kind: ModelChange.Kind, _ detail: String, effect: ModelChange.Effect = .inPlace,
      _ refusal: ModelChange.Refusal? = nil
    ) {
      self.add(
        ModelChange(
          kind, entity: owner, property: now.name, detail: detail, effect: effect,
          outcome: refusal == nil ? .lossless : .dependsOnRows, refusal: refusal))
    }
    if was.name != now.name { add(.renamed, "renamed from \(was.name)") }
    addType(change, owner)
    if was.isOptional, !now.isOptional {
      if change.fill != nil {
        add(.required, "required, with a value for objects without one", effect: .writesRows)
      } else {
        add(
          .required, "required",
          ModelChange.Refusal(.migrationMissingValues, cure: Self.cureOfNil(now)))
      }
    } else if now.isOptional, !was.isOptional {
      add(.optional, "optional")
    }
    if !change.renamedCases.isEmpty {
      self.add(
        ModelChange(
          .values, entity: owner, property: now.name, detail: "raw values change",
          effect: .writesRows))
    }
    if now.checksStored {
      // Where the store's model has it, too, only a rule has changed, if anything.
      self.add(
        ModelChange(
          .values, entity: owner, property: now.name, detail: "stored values are checked",
          outcome: .dependsOnRows,
          refusal: ModelChange.Refusal(
            .migrationBrokenRules,
            cure: "remove \"checkStored\", "
              + (now.cases == nil
                ? "" : "write \"renamedCases\" for raw values that have changed, ")
              + "or change these values with the program that had the model"),
          isHarmless: was.checksStored))
    }
    if (was.externalThreshold == nil) != (now.externalThreshold == nil) {
      if now.externalThreshold != nil {
        add(.external, "large values in files", effect: .nothing)
      } else {
        add(
          .external, "all values in their rows", effect: .writesRows,
          ModelChange.Refusal(
            .migrationMissingFile,
            cure: "put the files back, or "
              + (now.conversion == .unversioned
                ? "keep \"external\" in this version"
                : "write \"conversion\": \"nil\" at an optional attribute")))
      }
    }
    if was.search != now.search {
      add(
        .search, now.search.isEmpty ? "no search any more" : "search: \(now.searchText)",
        effect: now.search.isSubset(of: was.search) ? .inPlace : .writesRows)
    }
    if Set(was.projections) != Set(now.projections) {
      let isLess = Set(now.projections).isSubset(of: was.projections)
      add(
        .projections,
        now.projections.isEmpty
          ? "no projections any more"
          : "projections: \(now.projections.map(\.name).joined(separator: ", "))",
        effect: isLess ? .inPlace : .writesRows)
    }
    if change.losesVersions {
      let detail = "not versioned any more"
      self.add(
        now.conversion == .unversioned
          ? ModelChange(
            .versioned, entity: owner, property: now.name, detail: detail, effect: .writesRows,
            outcome: .lossy(word: "unversioned"))
          : ModelChange(
            .versioned, entity: owner, property: now.name, detail: detail,
            refused: ModelChange.Refusal(
              .migrationNeedsWord,
              cure: "write \"conversion\": \"unversioned\" to remove the versions")))
    } else if now.isVersioned, !was.isVersioned {
      add(.versioned, "versioned")
    }
  }

  private mutating func addType(_ change: AttributeChange, _ owner: String) {
    let (was, now) = (change.old, change.new)
    let isSame =
      was.type == now.type && was.scale == now.scale
      && (was.type != .transformable || was.storageType == now.storageType)
    if isSame { return }
    let detail = "\(was.typeText) to \(now.typeText)"
    let name = now.name
    switch change.step {
    case .needsStep:
      add(.needingStep(.type, entity: owner, property: name, "changes from \(detail)"))
    case .needsWord(key: "conversion", _):
      add(
        ModelChange(
          .type, entity: owner, property: name, detail: detail,
          refused: ModelChange.Refusal(
            .migrationNeedsWord,
            cure:
              "write \"conversion\" with \"secondsSince1970\", \"secondsSince2001\" or \"millisecondsSince1970\", so that the instant of the number 0 is known"
          )))
    case .needsWord:
      add(
        .needingStep(
          .type, entity: owner, property: name,
          "changes from \(detail), and only the former transformer can read the values"))
    case .inPlace, .converted:
      let outcome: ModelChange.Outcome =
        if !change.step.checksRows {
          .lossless
        } else if now.conversion == .exact || now.conversion == .unversioned {
          .dependsOnRows
        } else {
          .lossy(word: now.conversion.rawValue)
        }
      add(
        ModelChange(
          .type, entity: owner, property: name, detail: detail,
          effect: change.convertsValues ? .writesRows : .inPlace, outcome: outcome,
          refusal: ModelChange.Refusal(.migrationInexact, cure: change.cureOfInexact)))
    }
  }
}

extension AttributeChange {
  /// The words that let values become others.
  fileprivate var cureOfInexact: String {
    let others = ", or change these values with the program that had the model"
    if new.conversion.isOfDate {
      return "use the type \(new.type.integerRange == nil ? "\"double\"" : "\"integer\"")" + others
    }
    var words: [String] = []
    if new.conversion != .nearest, new.type.isNumber { words.append("\"nearest\"") }
    if new.isOptional { words.append("\"nil\"") }
    words.append(
      new.valueOfOldObjects == nil ? "\"fill\" beside a \"fill\" or a \"default\"" : "\"fill\"")
    return "write \"conversion\" with " + words.joined(separator: " or ") + others
  }
}

extension AttributeDescription {
  /// The forms of `search`, as words.
  fileprivate var searchText: String {
    SearchForm.allCases.filter(search.contains).map(\.rawValue).joined(separator: ", ")
  }

  /// The type as a model file has it, with the scale.
  var typeText: String {
    let storage = type == .transformable ? " stored as \(storageType.rawValue)" : ""
    return
      "\(type.rawValue)\(isOptional ? "?" : "")\(scale.map { " of scale \($0)" } ?? "")\(storage)"
  }
}
