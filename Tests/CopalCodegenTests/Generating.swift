import CopalCodegen
import CopalModel

/// The code of a model that is written as a file would be.
func code(
  _ json: String, file: String = "Models/Atelier.model.json", module: String? = nil
) throws -> String {
  let model = try ManagedObjectModel(json: json, file: file)
  return try CodeGenerator(model, file: file, module: module, text: json).swiftText()
}

/// The code of a model `Atelier` with one entity `Pigment`.
func pigmentCode(
  attributes: String, entity: String = "", model: String = "", module: String? = nil
) throws -> String {
  try code(
    """
    {
      "copal": 1, "model": "Atelier", \(model)
      "entities": {
        "Pigment": { \(entity)
          "attributes": { \(attributes) }
        }
      }
    }
    """, module: module)
}

/// The problems of a model that reads well and cannot be generated, as a compiler prints them.
func problems(_ json: String) throws -> [String] {
  let file = "Atelier.model.json"
  let model = try ManagedObjectModel(json: json, file: file)
  do {
    _ = try CodeGenerator(model, file: file, text: json).swiftText()
    return []
  } catch {
    return error.problems.map(\.description)
  }
}
