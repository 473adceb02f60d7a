import BenchKit
import Copal

// What is read once, but before a program does anything: models, and texts of conditions.

/// The JSON of a model with some entities of eight attributes, each with a relationship to the next.
private func modelText(_ entities: Int) -> String {
  let texts = (0..<entities).map { number in
    """
    "Entity\(number)": {
      "attributes": {
        "name": "string",
        "code": {"type": "string?", "maximumLength": 20, "pattern": "[A-Z]+"},
        "price": {"type": "decimal", "default": 12.5},
        "count": {"type": "integer32", "minimum": 0, "default": 3},
        "made": "date?",
        "kind": {"type": "string", "cases": ["oil", "water"], "default": "oil"},
        "note": "string?",
        "flag": "boolean"
      },
      "relationships": {
        "next": {"type": "Entity\((number + 1) % entities)?", "inverse": "before"},
        "before": {"type": "[Entity\((number + entities - 1) % entities)]", "inverse": "next"}
      },
      "fetchRequests": {
        "cheap": {"where": "price < 10 AND name BEGINSWITH[c] 'a'", "sort": "name"}
      },
      "unique": ["code"],
      "indexes": ["name"]
    }
    """
  }
  return """
    {"copal": 1, "model": "Large", "entities": {\(texts.joined(separator: ",\n"))}}
    """
}

/// Reads a model's JSON, and opens its store, which is there.
func openModel(_ entities: Int, _ file: String, _ budget: Budget) throws -> GrowthMeasurement {
  let text = modelText(entities)
  var sum = Checksum()
  var measured = try budget.measure(entities) { call in
    let model = try ManagedObjectModel(json: text, file: "Large.model.json")
    let container = try PersistentContainer(
      model: ModelBinding(model), store: .sqlite(at: URL(filePath: file)))
    let object = try container.makeContext().insert("Entity\(call % entities)")
    sum.add(Int64(model.entities.count + (object.isInserted ? 1 : 0)), of: call)
  }
  measured.checksum = sum.value
  return measured
}

/// Reads the texts of conditions, each one for the first time.
func conditionTexts(_ count: Int, _ budget: Budget) throws -> GrowthMeasurement {
  var round = 0
  var sum = Checksum()
  var measured = try budget.measure(count) { call in
    var found = 0
    for number in 0..<count {
      let number = round * count + number
      let condition = try FetchPredicate(
        format: """
          rank < \(number) AND name BEGINSWITH[cd] 'n\(number)' OR \
          (name IN {'a', 'b', %@} AND NOT rank BETWEEN {%d, \(number + 7)})
          """, "c", number)
      if case .or = condition { found += 1 }
    }
    round += 1
    sum.add(Int64(found), of: call)
  }
  measured.checksum = sum.value
  return measured
}
