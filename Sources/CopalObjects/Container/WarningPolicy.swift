/// What a container does with the warnings that it finds when it opens.
///
/// A warning is about something that is allowed, and is unsafe or probably a mistake: a transformer
/// that is not secure (`transformer.notSecure`), or a required attribute that cannot be written
/// (`transformer.readOnlyRequired`). ``PersistentContainer/warnings`` has all of them.
public enum WarningPolicy: Sendable, Hashable {
  /// Each warning is one line on standard error. This is the default.
  case print
  /// Nothing is written.
  case ignore
  /// Each warning is an error, so that the container does not open. Use it in tests and on servers.
  case fail
}
