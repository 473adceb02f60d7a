import Foundation
public import Testing

extension Trait where Self == TimeLimitTrait {
  /// Ends a test that hangs. `Scripts/test-sanitizers` sets `COPAL_SANITIZER`: with a sanitizer a
  /// test takes longer, and waits while others keep the threads of Swift's tasks.
  public static var endsHangs: Self {
    let isSanitized = ProcessInfo.processInfo.environment["COPAL_SANITIZER"] != nil
    return .timeLimit(.minutes(isSanitized ? 30 : 5))
  }
}
