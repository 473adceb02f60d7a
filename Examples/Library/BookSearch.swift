import Copal

/// Finds books by what a person types. A new search ends the one before it, whose result nobody
/// waits for any more.
actor BookSearch {
  /// A book of a result.
  struct Found: Sendable {
    let title: String
    let author: String
    let year: Int
  }

  /// The greatest number of books of a result.
  static let limit = 10

  private let container: PersistentContainer
  private var last: Task<[Found], any Error>?

  init(_ container: PersistentContainer) { self.container = container }

  /// The first books, by title, that have each typed word in their title or in the name of their
  /// author.
  ///
  /// - Returns: nil when a later search has ended this one.
  func books(for typed: String) async throws -> [Found]? {
    last?.cancel()
    let container = container
    let task = Task {
      try await container.perform(endsWhenCanceled: true) { context in
        try Self.find(typed, in: context)
      }
    }
    last = task
    do {
      return try await task.value
    } catch is CancellationError {
      return nil
    }
  }

  private static func find(_ typed: String, in context: ManagedObjectContext) throws -> [Found] {
    let loosely: FetchPredicate.TextOptions = [.caseInsensitive, .diacriticInsensitive]
    var request = Book.fetchRequest().sorted(by: \.title.alphabetical.ascending).limited(to: limit)
    for word in typed.split(separator: " ").map(String.init) {
      request = request.filter {
        $0.title.contains(word, loosely) || $0.author.name.contains(word, loosely)
      }
    }
    return try context.fetch(request.prefetching(\.author)).map {
      Found(title: $0.title, author: $0.author?.name ?? "", year: Int($0.year))
    }
  }
}
