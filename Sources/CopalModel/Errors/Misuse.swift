import Foundation

/// Ends the program for a mistake of its own that no input can cause, and says which.
///
/// An optimized program drops the message of `precondition`, and with it the one hint its author would
/// have had; so the message goes to the standard error first.
package func misuse(_ message: String) -> Never {
  FileHandle.standardError.write(Data("Copal: \(message)\n".utf8))
  preconditionFailure(message)
}

/// Ends the program unless the condition holds.
@inline(__always)
package func require(_ condition: Bool, _ message: @autoclosure () -> String) {
  if _slowPath(!condition) { misuse(message()) }
}
