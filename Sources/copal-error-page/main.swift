#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// The tool of `ErrorPagePlugin`: copal-error-page PAGE OUTPUT writes Docs/Errors.md as a string of
// Swift. SwiftPM's `.embedInCode` writes an array of numbers, which takes the compiler 43 s.

let arguments = CommandLine.arguments
let page = try String(contentsOf: URL(filePath: arguments[1]), encoding: .utf8)
let text = page.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\n    ")
let source = """
  #if Command
    extension ErrorPage {
      static let text = ###\"""
      \(text)
      \"""###
    }
  #endif

  """
try Data(source.utf8).write(to: URL(filePath: arguments[2]))
