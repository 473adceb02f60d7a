import Foundation

/// `bench run …` measures Copal beside others; `bench compare …` measures two builds of Copal beside each
/// other. `Benchmarks/run` and `Benchmarks/compare` build what they need and start it.
@main
struct Bench {
  static func main() {
    let words = CommandLine.arguments.dropFirst()
    do {
      switch words.first {
      case "run": try Run(RunOptions(words.dropFirst())).perform()
      case "compare": exit(try Compare(CompareOptions(words.dropFirst())).perform())
      // Before what it needs is built for minutes.
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

/// What a user should have said.
struct Usage: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}

/// What went wrong.
struct Failure: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}

/// Words of a command line, taken from the left.
struct Words {
  private var rest: ArraySlice<String>

  init(_ words: some Sequence<String>) { rest = Array(words)[...] }

  mutating func next() -> String? { rest.popFirst() }

  mutating func value(of word: String) throws -> String {
    guard let value = rest.popFirst() else { throw Usage("\(word) wants a value") }
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
