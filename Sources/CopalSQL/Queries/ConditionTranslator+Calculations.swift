import CopalModel
import CopalStore

/// Calculated values in SQL.
extension ConditionTranslator {
  func sql(_ calculation: QueryCalculation) -> SQLFragment {
    if form == .flat, let program = CalculationProgram(calculation) { return sql(program) }
    switch calculation.operation {
    case .slot(let slot): return value(slot)
    case .key: return key
    case .parameter(let number):
      return .value(
        .parameter(number, calculation.type.parameterForm), PlaceholderType(calculation.type))
    case .null: return "NULL"
    case .group(let position): return groups.keys[position]
    case .aggregated(let position): return groups.aggregates[position]
    case .outer(let levels, let inner): return outer(levels).sql(inner)
    case .related(let slot, let entity, let value):
      return related(slot, entity, value) { $0.sql($1) }
    case .ofKind(let kind, let value):
      let inner = ofKind(kind)
      return "CASE WHEN " + qualifier + inner.mapping.entity(isOneOf: kind.entities) + " THEN "
        + inner.sql(value) + " END"
    case .call(let function, let arguments):
      return dialect.call(function, arguments.map { (sql($0), $0.type) })
    case .aggregate(let aggregate, let collection, let value):
      let (inner, from) = members(of: collection)
      if let value, value.isAboutOuter {
        // SQL aggregates the rows of the selection whose columns are named: that of the values, not
        // that of the outer object.
        let name = SQLFragment.identifier("copal_value")
        return "(SELECT " + dialect.aggregate(aggregate, name, of: value.type, scale: nil)
          + " FROM " + dialect.from("SELECT " + inner.sql(value) + " AS " + name + " FROM " + from)
          + ")"
      }
      return "(SELECT " + inner.aggregate(aggregate, value) + " FROM " + from + ")"
    case .conditional(let condition, let first, let second):
      return "CASE WHEN " + sql(condition) + " THEN " + sql(first) + " ELSE " + sql(second)
        + " END"
    }
  }

  /// A value of the object of a to-one relationship.
  private func related(
    _ slot: Int, _ entity: Int, _ value: QueryCalculation,
    _ sql: (ConditionTranslator, QueryCalculation) -> SQLFragment
  ) -> SQLFragment {
    let hop = QueryNesting.Hop(slot: slot, entity: entity)
    let (hops, end) = form == .flat ? value.path(after: [hop]) : ([hop], value)
    let (inner, from) = object(hops)
    return "(SELECT " + sql(inner, end) + " FROM " + from + ")"
  }

  /// Null, and 1 where the stored value of a property or of a path cannot be read. Null for another
  /// calculation.
  func unreadable(_ calculation: QueryCalculation) -> SQLFragment {
    switch calculation.operation {
    case .slot(let slot) where mapping.layout.projection(ofSlot: slot) == nil:
      dialect.unreadable(column(slot), slot, of: mapping.layout) ?? "NULL"
    case .related(let slot, let entity, let value):
      related(slot, entity, value) { $0.unreadable($1) }
    default: "NULL"
    }
  }

  private func sql(_ program: CalculationProgram) -> SQLFragment {
    let inputs = program.inputs.map { input in
      switch input {
      case .value(let calculation): sql(calculation)
      case .condition(let condition): sql(condition)
      }
    }
    return dialect.run(program.steps, inputs)
  }

  /// An aggregate of a value; of the number of rows for nil.
  func aggregate(_ aggregate: FetchAggregate, _ value: QueryCalculation?) -> SQLFragment {
    guard let value else { return "count(*)" }
    // The integers of decimals with a scale are added as integers.
    if case .slot(let slot) = value.operation, let scale = mapping.layout.attributes[slot].scale,
      aggregate == .sum || aggregate == .average
    {
      return dialect.aggregate(aggregate, column(slot), of: .decimal, scale: scale)
    }
    return dialect.aggregate(aggregate, sql(value), of: value.type, scale: nil)
  }

  /// The value of a slot in the form of its type.
  private func value(_ slot: Int) -> SQLFragment {
    let attribute = mapping.layout.attributes[slot]
    if let scale = attribute.scale { return dialect.decimalText(column(slot), scale: scale) }
    return attribute.type == .float ? dialect.roundedToFloat(column(slot)) : column(slot)
  }
}

extension QueryValueType {
  /// The form of a parameter that is compared with a calculated value.
  var parameterForm: ParameterForm {
    if case .object = self { return .key }
    return .otherValue(scale: nil)
  }
}

extension QueryCondition {
  /// Whether the condition has columns of several tables, so that its tables need names.
  var needsNames: Bool {
    switch self {
    case .exists: true
    case .isNull(let term, _), .isIn(let term, _, _, _): term.needsNames
    case .holds(let a, _, let b, _), .text(let a, _, let b, _): a.needsNames || b.needsNames
    case .related(_, _, let condition, _): condition.needsNames
    case .ofKind(_, let condition, let otherwise): condition.needsNames || otherwise.needsNames
    case .and(let parts), .or(let parts): parts.contains(where: \.needsNames)
    case .constant: false
    }
  }
}

extension QueryTerm {
  fileprivate var needsNames: Bool {
    if case .calculated(let calculation) = self { return calculation.needsNames }
    return false
  }
}

extension QueryCalculation {
  /// Whether a part of the value is about an object around the collection.
  fileprivate var isAboutOuter: Bool {
    switch operation {
    case .outer: true
    case .slot, .key, .parameter, .null, .group, .aggregated: false
    case .related(_, _, let inner), .ofKind(_, let inner): inner.isAboutOuter
    case .call(_, let arguments): arguments.contains(where: \.isAboutOuter)
    // These can have parts about any object, and the longer form is always right.
    case .aggregate, .conditional: true
    }
  }

  fileprivate var needsNames: Bool {
    switch operation {
    case .outer, .related, .aggregate: true
    case .slot, .key, .parameter, .null, .group, .aggregated: false
    case .ofKind(_, let inner): inner.needsNames
    case .call(_, let arguments): arguments.contains(where: \.needsNames)
    case .conditional(let condition, let first, let second):
      condition.needsNames || first.needsNames || second.needsNames
    }
  }
}
