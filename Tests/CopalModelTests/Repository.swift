import CopalModel
import Foundation

/// The files of the repository that the tests read.
enum Repository {
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  static func url(_ path: String) -> URL { root.appendingPathComponent(path) }

  static func text(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: url(path)), as: UTF8.self)
  }

  /// Every model file that is meant to be good, as paths from the root.
  static func goodModels() throws -> [String] {
    try ["Models", "Examples", "Tests"].flatMap { try models(under: $0) }
      // Models with mistakes on purpose, for tests of error messages.
      .filter { !$0.hasPrefix("Models/Broken/") && !$0.contains("/Misspelled/") }.sorted()
  }

  /// Every model file that is meant to be broken.
  static func brokenModels() throws -> [String] { try models(under: "Models/Broken").sorted() }

  private static func models(under folder: String) throws -> [String] {
    guard FileManager.default.fileExists(atPath: url(folder).path) else { return [] }
    return try FileManager.default.subpathsOfDirectory(atPath: url(folder).path)
      .filter { $0.hasSuffix(".model.json") && !$0.contains(".build") }
      .map { folder + "/" + $0 }
  }
}

/// The problems of a text, each as `line:column code`.
func problems(in json: String) -> [String] {
  problems(in: Array(json.utf8)).map { "\($0.position.line):\($0.position.column) \($0.code)" }
}

func problems(in json: [UInt8]) -> [ModelProblem] {
  do {
    _ = try ManagedObjectModel(json: json, file: "Test.model.json")
    return []
  } catch {
    return error.problems
  }
}

/// A model whose one entity `Pigment` has these members.
func pigmentModel(_ members: String) -> String {
  #"{ "copal": 1, "model": "Atelier", "entities": { "Pigment": { \#(members) } } }"#
}

/// The attribute `Pigment.it` with this text in a model file.
func attribute(_ text: String) throws -> AttributeDescription? {
  let json = pigmentModel(#""attributes": { "it": \#(text) }"#)
  return try ManagedObjectModel(json: json, file: "Test.model.json")
    .entity("Pigment")?.attribute("it")
}

/// The codes of the problems of the attribute `Pigment.it` with this text.
func codes(ofAttribute text: String) -> [ModelError.Code] {
  problems(in: Array(pigmentModel(#""attributes": { "it": \#(text) }"#).utf8)).map(\.code)
}
