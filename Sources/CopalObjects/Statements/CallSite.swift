import CopalEssentials
import CopalModel
import CopalStore

/// The place in the program that made a context run a statement.
///
/// It is the innermost function outside Copal's modules. Generated properties are not counted as
/// such, but the functions that use them are.
public struct CallSite: Sendable, Hashable, CustomStringConvertible {
  /// The function, such as `PaintingList.render()`.
  public var function: String
  /// The file's name without its folder; nil without debug information.
  public var file: String?
  /// The line in the file; nil without debug information.
  public var line: Int?

  init(function: String, file: String? = nil, line: Int? = nil) {
    self.function = function
    self.file = file
    self.line = line
  }

  /// The function, the file and the line: `PaintingList.render() (PaintingList.swift:42)`.
  public var description: String {
    guard let file else { return function }
    return "\(function) (\(file)\(line.map { ":\($0)" } ?? ""))"
  }
}

/// Finds the call sites of stacks. Equal stacks are looked up once.
struct CallSiteFinder {
  private var known: [[UInt64]: CallSite?] = [:]
  /// By the address in the function: many stacks lead through one place.
  private var sites: [UInt64: CallSite] = [:]

  mutating func site(_ stack: CallStack?, accessors: Accessors) -> CallSite? {
    guard let stack else { return nil }
    let addresses = stack.addresses
    if let site = known[addresses] { return site }
    let own = stack.functions().first { function in
      Self.isOfProgram(function.mangledName) && !accessors.contains(function.name)
    }
    let site = own.map { callSite(of: $0, stack) }
    known[addresses] = .some(site)
    return site
  }

  private mutating func callSite(of function: CallStack.Function, _ stack: CallStack) -> CallSite {
    if let site = sites[function.address] { return site }
    let location = stack.location(of: function)
    let site = CallSite(
      function: function.name,
      file: location?.path.split(separator: "/").last.map(String.init), line: location?.line)
    sites[function.address] = site
    return site
  }

  /// The modules whose functions are no call sites.
  private static let modules: Set<String> = [
    "Copal", "CopalArchive", "CopalColor", "CopalEssentials", "CopalFoundation", "CopalModel",
    "CopalObjects", "CopalSQL", "CopalSQLite", "CopalStore", "CopalTransformers", "Foundation",
    "FoundationEssentials", "Runtime", "Swift", "Dispatch",
  ]

  /// Whether a mangled name is that of a function in a module of the program. The grammar is at
  /// https://github.com/swiftlang/swift/blob/main/docs/ABI/Mangling.rst
  static func isOfProgram(_ mangled: String) -> Bool {
    // Code at the top level of a program.
    if mangled == "main" { return true }
    var rest = mangled[...]
    guard let prefix = ["$s", "_$s", "$S", "_$S"].first(where: rest.hasPrefix) else { return false }
    rest = rest.dropFirst(prefix.count)
    // A type of the standard library: an extension of it in another module has the name of that
    // module next. The types of C are not looked at.
    if rest.hasPrefix("S"), !rest.hasPrefix("So") { rest = rest.dropFirst(2) }
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    guard let count = Int(written: String(digits)), count > 0 else { return false }
    return !modules.contains(String(rest.dropFirst(digits.count).prefix(count)))
  }
}

/// The names of the generated getters of a model.
struct Accessors: Sendable {
  private let names: Set<String>

  /// - Parameter names: the name of each property behind that of its class and a point.
  init(_ names: Set<String>) { self.names = names }

  func contains(_ function: String) -> Bool {
    guard let point = function.lastIndex(of: ".") else { return false }
    return Self.kinds.contains(function[function.index(after: point)...])
      && names.contains(String(function[..<point]))
  }

  private static let kinds: Set<Substring> = ["getter", "setter", "modify", "read"]
}
