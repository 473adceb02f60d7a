import CopalStore

/// Committing, and telling the other contexts.
extension ContextState {
  /// What a commit says of the context.
  var writer: CommitWriter { CommitWriter(number: number, author: author, name: name) }

  /// Runs a commit outside of a transaction, and publishes it.
  ///
  /// - Parameters:
  ///   - entities: what it may have written, if it throws: a failed commit is no proof.
  ///   - body: commits.
  ///   - published: what was committed, and its place. Nil publishes nothing.
  func committing<R>(
    _ entities: @autoclosure () -> Set<Int>, _ body: () throws -> R,
    published: (R) -> (contents: CommitContents, place: CommitPlace?)?
  ) throws -> R {
    if !session.transactions.isEmpty { return try body() }
    return try committingAlways(entities(), body, published: published)
  }

  /// The same for the end of a transaction.
  @discardableResult
  func committingAlways<R>(
    _ entities: @autoclosure () -> Set<Int>, _ body: () throws -> R,
    published: (R) -> (contents: CommitContents, place: CommitPlace?)?
  ) throws -> R {
    let log = container.log
    let ticket = log.begin()
    defer { session.noteWrite() }
    do {
      let result = try body()
      let written = published(result)
      if let written {
        publish(written.contents, at: written.place, ticket)
      } else {
        log.end(ticket)
      }
      return result
    } catch {
      log.end(ticket)
      if !isCertainlyUnwritten(error) {
        let commit = Commit(uncertain: entities(), by: writer)
        _ = log.publish(commit, at: nil, nil, &seenBatches)
      }
      throw error
    }
  }

  private func publish(
    _ contents: CommitContents, at place: CommitPlace?, _ ticket: CommitTicket?
  ) {
    let log = container.log
    if let ticket = place?.ticket ?? ticket,
      log.publishUnkept(contents, container.schema, at: ticket, &seenBatches)
    {
      return
    }
    let commit = Commit(contents, by: writer, container.schema, log.limits)
    if commit.entities.isEmpty { return log.end(ticket, at: place) }
    if let position = log.publish(commit, at: place, ticket, &seenBatches) {
      merging.position = position
    }
  }

  /// Whether an error means that the commit was not tried.
  private func isCertainlyUnwritten(_ error: any Error) -> Bool {
    guard let error = error as? PersistenceError else { return true }
    return [.busy, .noBatches, .noTransactions, .noSQL].contains(error.code)
  }
}
