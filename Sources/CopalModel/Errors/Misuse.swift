/// Ends the program because of a programming error that no input can cause, with a message.
///
/// An optimized build drops the message of `precondition`. So the message is written to standard
/// error first.
package func misuse(_ message: String) -> Never {
  StandardError.write("Copal: \(message)")
  preconditionFailure(message)
}

/// Ends the program unless the condition holds.
package func require(_ condition: Bool, _ message: @autoclosure () -> String) {
  if _slowPath(!condition) { misuse(message()) }
}
