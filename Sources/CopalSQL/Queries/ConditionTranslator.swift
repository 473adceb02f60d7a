import CopalModel
import CopalStore

/// Translates the condition of a query into SQL with the same meaning. The text does not depend on
/// the parameters.
struct ConditionTranslator {
  let mapping: TableMapping
  let dialect: any SQLDialect
  /// The form of the SQL: ``QueryNesting`` says which one.
  let form: QueryNesting.Form
  /// What stands before the columns: the name of the table and a point, or nothing.
  let qualifier: SQLFragment
  let slots: Slots
  /// Which rows may have derived columns that do not hold.
  private(set) var stale: StaleRows
  /// The tables of the objects around the one that the condition is about, the nearest one first.
  private let outer: [Level]
  /// The number of selections around the condition.
  private let depth: Int
  /// Of a query for values: the keys of groups and the aggregates.
  var groups: (keys: [SQLFragment], aggregates: [SQLFragment]) = ([], [])

  /// The slot whose normalized form has the order of the query, if its index gives the first rows.
  var orderedSlot: Int?

  /// Whose slots the condition has.
  enum Slots {
    case query
    /// A subentity of the entity: rows of other entities should have null in its columns.
    case subentity
    /// The entity of related objects.
    case related
  }

  /// The table of an object around another one.
  struct Level {
    let mapping: TableMapping
    /// The name of the table and a point.
    let qualifier: SQLFragment
    fileprivate let outer: [Level]
  }

  init(
    _ mapping: TableMapping, _ dialect: any SQLDialect, _ form: QueryNesting.Form,
    _ stale: StaleRows = .some
  ) {
    self.init(
      mapping, dialect, form: form, slots: .query, stale, qualifier: "", outer: [], depth: 0)
  }

  /// A translator whose columns have the name of their table before them, for values that are read
  /// beside other tables.
  static func named(
    _ mapping: TableMapping, _ dialect: any SQLDialect, _ form: QueryNesting.Form
  ) -> Self {
    Self(
      mapping, dialect, form: form, slots: .query, .some, qualifier: mapping.table + ".",
      outer: [], depth: 0)
  }

  private init(
    _ mapping: TableMapping, _ dialect: any SQLDialect, form: QueryNesting.Form, slots: Slots,
    _ stale: StaleRows, qualifier: SQLFragment, outer: [Level], depth: Int
  ) {
    self.mapping = mapping
    self.dialect = dialect
    self.form = form
    self.slots = slots
    self.stale = stale
    self.qualifier = qualifier
    self.outer = outer
    self.depth = depth
  }

  /// The same translator, for rows of which something else is known.
  func assuming(_ stale: StaleRows) -> Self {
    var translator = self
    translator.stale = stale
    return translator
  }

  func sql(_ condition: QueryCondition) -> SQLFragment {
    if let parts = byProjection(condition) { return parts }
    switch condition {
    case .constant(let flag): return dialect.truth(flag)
    case .isNull(let term, let isNegated):
      return expression(term) + (isNegated ? " IS NOT NULL" : " IS NULL")
    case .holds(let term, let comparison, .parameter(let number), let resultForNull)
    where term.foldedSlot.flatMap(normalizedName) != nil && comparison != .notEqual:
      return or(
        term, isNull: resultForNull,
        byDerived(term, comparison, number) ?? compare(term, comparison, number))
    case .holds(let term, let comparison, .parameter(let number), let resultForNull):
      // A comparison for inequality of a calculated value is true for null by itself.
      let isForNull = resultForNull && !(term.isCalculated && comparison == .notEqual)
      return or(term, isNull: isForNull, compare(term, comparison, number))
    case .holds(let a, let comparison, let b, let resultForNull):
      return compare(a, comparison, b, resultForNull: resultForNull)
    case .isIn(let term, let parameters, let isNegated, let resultForNull):
      return or(term, isNull: resultForNull, isIn(term, parameters, isNegated))
    case .text(let a, let test, let b, let isNegated):
      return text(a, test, b, isNegated: isNegated)
    case .related(let slot, let entity, let condition, let isNegated):
      let (hops, end) = path(to: condition, after: QueryNesting.Hop(slot: slot, entity: entity))
      return related(hops, end, isAboutOuter: condition.isAboutObject(beyond: 0), isNegated)
    case .exists(let collection, let isNegated): return exists(collection, isNegated)
    case .ofKind(let kind, let condition, let otherwise):
      return ofKind(kind, condition, otherwise: otherwise)
    case .and(let parts): return balanced(ordered(parts)[...], " AND ", empty: true)
    case .or(let parts): return balanced(ordered(parts)[...], " OR ", empty: false)
    }
  }

  /// The parts of a list in the order of the form.
  private func ordered(_ parts: [QueryCondition]) -> [QueryCondition] {
    guard form == .flat else { return parts }
    var parts = parts
    parts.swapAt(0, QueryNesting(form: form).deepest(parts))
    return parts
  }

  /// Joins parts as a balanced tree, because databases limit the depth of an expression.
  private func balanced(
    _ parts: ArraySlice<QueryCondition>, _ word: SQLFragment, empty: Bool
  ) -> SQLFragment {
    guard let first = parts.first else { return dialect.truth(empty) }
    if parts.count == 1 { return sql(first) }
    let middle = parts.startIndex + parts.count / 2
    return "(" + balanced(parts[..<middle], word, empty: empty) + word
      + balanced(parts[middle...], word, empty: empty) + ")"
  }

  // MARK: Subentities

  private func ofKind(
    _ kind: EntityKind, _ condition: QueryCondition, otherwise: QueryCondition
  ) -> SQLFragment {
    let inner = ofKind(kind)
    let mapping = inner.mapping
    // Another program can write the columns that the subentity adds in the rows of other entities,
    // too. Where an index finds the values, that of entities is not used.
    let isByValues = condition.indexUse(of: mapping) != .nothing
    let column = (isByValues ? dialect.notByIndex : "") + qualifier
    let isKind = column + mapping.entity(isOneOf: kind.entities)
    let isOther = column + mapping.entity(isNoneOf: kind.entities)
    switch (condition, otherwise) {
    case (.constant(true), .constant(false)): return isKind
    case (.constant(false), .constant(true)): return isOther
    case (_, .constant(false)): return "(" + isKind + " AND " + inner.sql(condition) + ")"
    case (_, .constant(true)): return "(" + isOther + " OR " + inner.sql(condition) + ")"
    default:
      return "(" + isKind + " AND " + inner.sql(condition) + " OR " + isOther + " AND "
        + sql(otherwise) + ")"
    }
  }

  /// The translator for the slots of a subentity.
  func ofKind(_ kind: EntityKind) -> ConditionTranslator {
    ConditionTranslator(
      mapping.mapping(of: kind.entity), dialect, form: form, slots: .subentity, stale,
      qualifier: qualifier, outer: outer, depth: depth)
  }

  // MARK: Related objects

  /// The relationships of one selection, and the condition on the object at their end. In the
  /// nested form each relationship has its own selection.
  private func path(to condition: QueryCondition, after hop: QueryNesting.Hop)
    -> (hops: [QueryNesting.Hop], end: QueryCondition)
  {
    form == .flat ? condition.path(after: [hop]) : ([hop], condition)
  }

  /// The keys of the related objects are found by themselves, so that a database can use an index
  /// of theirs, or of the relationship.
  ///
  /// - Parameter isAboutOuter: whether a part of the condition is about this object, or about one
  ///   around it.
  private func related(
    _ hops: [QueryNesting.Hop], _ condition: QueryCondition, isAboutOuter: Bool, _ isNegated: Bool
  ) -> SQLFragment {
    if isAboutOuter {
      let (inner, from) = object(hops)
      return (isNegated ? "NOT EXISTS (SELECT 1 FROM " : "EXISTS (SELECT 1 FROM ") + from
        + " AND " + inner.sql(condition) + ")"
    }
    let isNamed = hops.count > 1 || condition.needsNames || depth > 0
    let first = related(hops[0].entity, named: isNamed)
    let (inner, joined) = first.joined(hops.dropFirst())
    let isKind =
      first.mapping.isEntity(withSubentities: true, first.qualifier).map { $0 + " AND " } ?? ""
    let keys: SQLFragment =
      "(SELECT " + first.key + " FROM " + first.table + joined + " WHERE " + isKind
      + inner.sql(condition) + ")"
    let column = column(hops[0].slot)
    return isNegated
      ? or(.slot(hops[0].slot), isNull: true, column + " NOT IN " + keys) : column + " IN " + keys
  }

  /// The objects of the next relationships of a path: the translator for the slots of the last one,
  /// and what follows the first table after `FROM`.
  private func joined(_ hops: ArraySlice<QueryNesting.Hop>)
    -> (last: ConditionTranslator, sql: SQLFragment)
  {
    var (last, sql) = (self, "" as SQLFragment)
    for hop in hops {
      let next = last.related(hop.entity, named: true)
      sql += " JOIN " + next.table + " ON " + next.key + " = " + last.column(hop.slot)
      if let isKind = next.mapping.isEntity(withSubentities: true, next.qualifier) {
        sql += " AND " + isKind
      }
      last = next
    }
    return (last, sql)
  }

  /// The translator for the object of a to-one relationship.
  ///
  /// - Parameter named: whether the table gets another name, so that columns of other tables can be
  ///   named beside its own.
  func related(_ entity: Int, named: Bool) -> ConditionTranslator {
    let related = mapping.mapping(ofDestination: entity)
    return ConditionTranslator(
      related, dialect, form: form, slots: .related, stale, qualifier: named ? alias + "." : "",
      outer: [level] + outer, depth: depth + 1)
  }

  /// The object at the end of a path in a selection: the translator for its slots, and what follows
  /// `FROM`.
  func object(_ hops: [QueryNesting.Hop]) -> (inner: ConditionTranslator, from: SQLFragment) {
    let first = related(hops[0].entity, named: true)
    let (inner, joined) = first.joined(hops.dropFirst())
    let isKind = first.mapping.isEntity(withSubentities: true, first.qualifier)
    let from =
      first.table + joined + " WHERE " + first.key + " = " + level.qualifier
      + mapping.column(hops[0].slot) + (isKind.map { " AND " + $0 } ?? "")
    return (inner, from)
  }

  // MARK: Collections

  /// The name of the table of the next selection.
  private var alias: SQLFragment { .identifier("copal_\(depth + 1)") }
  private var linkAlias: SQLFragment { .identifier("copal_\(depth + 1)_links") }

  /// The table in a selection, with its name in there.
  var table: SQLFragment {
    qualifier == "" ? mapping.table : mapping.table + " AS " + .identifier("copal_\(depth)")
  }

  var key: SQLFragment { qualifier + mapping.key }

  func column(_ slot: Int) -> SQLFragment {
    if let projection = mapping.layout.projection(ofSlot: slot) { return projected(projection) }
    return qualifier + mapping.column(slot)
  }

  /// The table of this object for a selection inside: its columns must be named.
  var level: Level {
    Level(
      mapping: mapping, qualifier: qualifier == "" ? mapping.table + "." : qualifier, outer: outer)
  }

  /// The translator for the object some levels around.
  func outer(_ levels: Int) -> ConditionTranslator {
    guard levels > 0, levels <= outer.count else { return self }
    let level = outer[levels - 1]
    return ConditionTranslator(
      level.mapping, dialect, form: form, slots: .related, stale, qualifier: level.qualifier,
      outer: level.outer, depth: depth)
  }

  /// The objects of a collection in a selection: the translator for their slots, and what follows
  /// `FROM`.
  func members(of collection: QueryCollection) -> (inner: ConditionTranslator, from: SQLFragment) {
    let inner = ConditionTranslator(
      mapping.mapping(ofDestination: collection.destination), dialect, form: form, slots: .related,
      stale, qualifier: alias + ".",
      outer: [level] + outer, depth: depth + 1)
    let owner = inner.outer(collection.level + 1).key
    var from: SQLFragment
    switch mapping.storage(of: collection) {
    case .inverseSlot(let slot, _):
      from = inner.table + " WHERE " + inner.column(slot) + " = " + owner
    case .links(let table, let end):
      let links = mapping.links(table)
      from =
        links.table + " AS " + linkAlias + " JOIN " + inner.table + " ON " + inner.key + " = "
        + linkAlias + "." + links.column(at: end.other) + " WHERE " + linkAlias + "."
        + links.column(at: end) + " = " + owner
    // The binder makes no collection of a to-one relationship.
    case .slot, nil: from = inner.table + " WHERE " + dialect.truth(false)
    }
    if let isKind = inner.mapping.isEntity(
      withSubentities: true, dialect.notByIndex + inner.qualifier)
    {
      from += " AND " + isKind
    }
    if let condition = collection.condition { from += " AND " + inner.sql(condition) }
    return (inner, from)
  }

  private func exists(_ collection: QueryCollection, _ isNegated: Bool) -> SQLFragment {
    if let owners = owners(of: collection, isNegated) { return owners }
    return (isNegated ? "NOT EXISTS (SELECT 1 FROM " : "EXISTS (SELECT 1 FROM ")
      + members(of: collection).from + ")"
  }

  /// The objects with a collection by the keys that its objects have: where an index finds these
  /// objects. Nil elsewhere.
  private func owners(of collection: QueryCollection, _ isNegated: Bool) -> SQLFragment? {
    guard collection.level == 0, let condition = collection.condition, !condition.needsNames,
      case .inverseSlot(let slot, _)? = mapping.storage(of: collection)
    else { return nil }
    let inner = related(collection.destination, named: depth > 0)
    guard condition.indexUse(of: inner.mapping) != .nothing else { return nil }
    let isKind =
      inner.mapping.isEntity(withSubentities: true, dialect.notByIndex + inner.qualifier).map {
        " AND " + $0
      } ?? ""
    let owner = inner.column(slot)
    // With a null in it, a list has no other value than its own and null.
    let isKnown: SQLFragment = isNegated ? " AND " + owner + " IS NOT NULL" : ""
    let selection =
      "SELECT " + owner + " FROM " + inner.table + " WHERE " + inner.sql(condition) + isKind
      + isKnown
    return isNegated
      ? dialect.isNotIn(key, selection: selection) : key + " IN (" + selection + ")"
  }
}
