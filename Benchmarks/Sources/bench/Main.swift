import Foundation

/// `bench run …` measures Copal and other libraries; `bench compare …` compares two builds of
/// Copal. `Benchmarks/run` and `Benchmarks/compare` build the programs and start it.
@main
struct Bench {
  static func main() {
    let words = CommandLine.arguments.dropFirst()
    do {
      switch words.first {
      case "run": try Run(RunOptions(words.dropFirst())).perform()
      case "compare": exit(try Compare(CompareOptions(words.dropFirst())).perform())
      // Checked before the build, which takes minutes.
      case "check-compare": _ = try CompareOptions(words.dropFirst())
      default: throw Usage("bench run, or bench compare")
      }
    } catch let usage as Usage {
      Terminal.say("\(usage)")
      exit(64)
    } catch {
      Terminal.say("\(error)")
      exit(70)
    }
  }
}

/// An error in the command line.
struct Usage: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}

/// A failure of a run.
struct Failure: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}

/// The words of a command line, read from the left.
struct Words {
  private var rest: ArraySlice<String>

  init(_ words: some Sequence<String>) { rest = Array(words)[...] }

  mutating func next() -> String? { rest.popFirst() }

  mutating func value(of word: String) throws -> String {
    guard let value = rest.popFirst() else { throw Usage("\(word) needs a value") }
    return value
  }

  mutating func number(of word: String) throws -> Int {
    let text = try value(of: word)
    guard let number = Int(text), number > 0 else {
      throw Usage("\(word) wants a number above 0, not '\(text)'")
    }
    return number
  }
}
