#if Command
  internal import ArgumentParser

  /// A part of the command.
  protocol Subcommand: ParsableCommand {
    mutating func run(_ output: inout Output) throws
  }
#endif
