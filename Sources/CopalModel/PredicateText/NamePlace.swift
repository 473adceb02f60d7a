import CopalEssentials

/// The places of names in a condition that was read from a text, for errors about these names.
///
/// A condition has no places. For a check, the parser puts the place of each name behind the name,
/// after a character that no name has. This is done only for the conditions of a model file, so
/// other conditions cost nothing.
enum NamePlace {
  private static let mark: Character = "\0"

  /// The name with its place in bytes.
  static func marked(_ name: String, at place: Int) -> String { "\(name)\(mark)\(place)\(mark)" }

  /// A name of a path, and its place in bytes; nil where it is not known.
  struct Step: Equatable {
    var name: String
    var place: Int?
  }

  /// The names of a path.
  static func steps(_ path: String) -> [Step] {
    var steps: [Step] = []
    // Odd parts are places, each that of the names before it.
    let parts = path.split(separator: mark, omittingEmptySubsequences: false)
    for index in stride(from: 0, to: parts.count, by: 2) {
      var names = parts[index]
      if index > 0, names.isEmpty { break }
      if index > 0, names.first == "." { names = names.dropFirst() }
      var place = index + 1 < parts.count ? Int(written: String(parts[index + 1])) : nil
      for name in names.split(separator: ".", omittingEmptySubsequences: false) {
        steps.append(Step(name: String(name), place: place))
        place = place.map { $0 + name.utf8.count + 1 }
      }
    }
    return steps
  }

  /// The path of names, with the place of the first one.
  static func path(_ steps: some Collection<Step>) -> String {
    let names = steps.map(\.name).joined(separator: ".")
    return steps.first?.place.map { marked(names, at: $0) } ?? names
  }

  /// The name, or the path, without places.
  static func plain(_ path: String) -> String {
    steps(path).map(\.name).joined(separator: ".")
  }

  /// The first place in a path.
  static func first(in path: String) -> Int? { steps(path).first?.place }
}
