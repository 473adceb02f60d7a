import CopalEssentials

/// What a store says about its model, for the programs that open it or have it open.
package struct StoredModel: Sendable, Equatable {
  /// The hash of the schema of the model.
  package var hash: String
  /// The version of the model; 1 for a store that says nothing.
  package var version: Int
  /// The older models whose programs may go on, because nothing that they read or write has
  /// changed.
  package var accepted: Set<ModelMark>

  package init(hash: String, version: Int = 1, accepted: Set<ModelMark> = []) {
    self.hash = hash
    self.version = version
    self.accepted = accepted
  }
}

/// A model by the hash of its schema and its version.
package struct ModelMark: Sendable, Hashable {
  package let hash: String
  package let version: Int

  package init(hash: String, version: Int) {
    self.hash = hash
    self.version = version
  }

  /// The marks of lines such as `1f3a 2`; a line of another form is left out.
  package static func marks(_ text: String) -> Set<ModelMark> {
    Set(
      text.split(separator: "\n").compactMap { line in
        let words = line.split(separator: " ")
        guard words.count == 2, let version = Int(written: String(words[1])) else { return nil }
        return ModelMark(hash: String(words[0]), version: version)
      })
  }

  /// The line of the mark.
  package var text: String { "\(hash) \(version)" }
}

/// What a program may do with a store that has a certain model.
package struct StoreGuard: Sendable {
  /// The model of the program.
  package let mark: ModelMark

  package init(_ mark: ModelMark) { self.mark = mark }

  /// Whether the program may read and write a store.
  package func allows(_ stored: StoredModel) -> Bool {
    stored.hash == mark.hash || stored.accepted.contains(mark)
  }

  /// What opening does.
  package enum Decision: Sendable, Equatable {
    /// Nothing: the store has the model, or accepts it.
    case opens
    /// The store gets the model of the program.
    case migrates
    /// The program is older than the store, which stays as it is.
    case isOlder
  }

  /// - Parameter former: the hashes of the models that the store has had before its model.
  package func decision(_ stored: StoredModel, former: () throws -> Set<String>) rethrows
    -> Decision
  {
    if allows(stored) { return .opens }
    if mark.version < stored.version { return .isOlder }
    if mark.version > stored.version { return .migrates }
    return try former().contains(mark.hash) ? .isOlder : .migrates
  }
}

extension StoredModel {
  /// What a store says after a migration.
  ///
  /// - Parameters:
  ///   - mark: the new model.
  ///   - isHarmless: whether the programs that could use the store until now can still use it.
  package func migrated(to mark: ModelMark, isHarmless: Bool) -> StoredModel {
    var accepted: Set<ModelMark> = []
    if isHarmless {
      accepted = self.accepted.union([ModelMark(hash: hash, version: version)])
      accepted.remove(mark)
    }
    return StoredModel(hash: mark.hash, version: mark.version, accepted: accepted)
  }
}
