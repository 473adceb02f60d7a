import Copal
import CopalTestSupport

extension ErrorSentence {
  /// Requests that are made of the fetch requests of a model.
  static let fetchRequests: [Self] = [
    request(
      "Pigment has no fetch request 'chaep' in the model; did you mean 'cheap'? [request.unknownTemplate]",
      "chaep"),
    request(
      "Pigment has no fetch request 'dear' in the model; add it to \"fetchRequests\", or correct the name [request.unknownTemplate]",
      "dear"),
    request(
      "the fetch request Pigment.cheap needs a value for $limit; give each variable a value [request.missingVariable]",
      "cheap"),
    request(
      "the fetch request Pigment.cheap has no variable 'lmit'; did you mean 'limit'? [request.unknownVariable]",
      "cheap", ["lmit": 1]),
    request(
      "the fetch request Pigment.all has no variable 'limit'; it has no variables [request.unknownVariable]",
      "all", ["limit": 1]),
    request(
      "the variable 'limit' of the fetch request Pigment.cheap stands for one value, and has a list; give it one value [request.variableList]",
      "cheap", ["limit": [1, 2]]),
  ]

  private static func request(
    _ sentence: String, _ name: String, _ variables: [String: (any PredicateArgument)?] = [:]
  ) -> Self {
    Self(sentence) { _ in
      let model = try ManagedObjectModel(
        json: """
          { "copal": 1, "model": "Atelier", "entities": { "Pigment": {
            "attributes": { "price": "decimal" },
            "fetchRequests": { "cheap": "price < $limit", "all": {} } } } }
          """, file: "Atelier.model.json")
      do {
        _ = try model.fetchRequest(named: name, in: "Pigment", variables: variables)
        throw NoError()
      } catch let error as PersistenceError {
        return error
      }
    }
  }

  private struct NoError: Error {}
}
