import Copal
import CopalTestSupport

extension ErrorSentence {
  /// Requests that are made of the fetch requests of a model.
  static let fetchRequests: [Self] = [
    request("chaep"),
    request("dear"),
    request("cheap"),
    request("cheap", ["lmit": 1]),
    request("all", ["limit": 1]),
    request("cheap", ["limit": [1, 2]]),
  ]

  private static func request(
    _ name: String, _ variables: [String: (any PredicateArgument & Sendable)?] = [:]
  ) -> Self {
    Self { _ in
      let model = try ManagedObjectModel(
        json: """
          { "copal": 1, "model": "Atelier", "entities": { "Pigment": {
            "attributes": { "price": "decimal" },
            "fetchRequests": { "cheap": "price < $limit", "all": {} } } } }
          """, file: "Atelier.model.json")
      do {
        _ = try model.fetchRequest(named: name, in: "Pigment", variables: variables)
        throw NoError()
      } catch let error as PersistenceError { return error }
    }
  }

  private struct NoError: Error {}
}
