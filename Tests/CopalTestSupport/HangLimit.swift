public import Testing

extension Trait where Self == TimeLimitTrait {
  /// Ends a test that hangs. The limit is long, because a test waits while others keep the threads
  /// of Swift's tasks: with a sanitizer, in a deep suite, or beside another build.
  public static var endsHangs: Self { .timeLimit(.minutes(30)) }
}
