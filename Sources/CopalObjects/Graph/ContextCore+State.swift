/// The context of a core, with its types.
extension ContextCore {
  convenience init(_ state: ContextState) { self.init(state, state.maps, state.container) }

  /// The state, as long as the context lives.
  func state() -> ContextState? { listener().map { unsafeDowncast($0, to: ContextState.self) } }

  var handle: ManagedObjectContext? {
    get { handleReference.map { unsafeDowncast($0, to: ManagedObjectContext.self) } }
    set { handleReference = newValue }
  }
}
