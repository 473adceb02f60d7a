/// Looks at every object that the root of an archive reaches, and refuses the archive for a class
/// that is not allowed, before any value is read.
struct ClassCheck {
  private let archive: KeyedArchive
  private let allowed: Set<String>
  private var isSeen: [Bool]
  /// The class of each object that was looked at; nil for a plain value.
  private(set) var types: [ArchivedClass?]
  /// The classes that are allowed, by their number: thousands of objects can have one class, with
  /// thousands of ancestors.
  private var classes: [Int: ArchivedClass] = [:]
  /// The objects to look at.
  private var waiting: [Int] = []

  init(_ archive: KeyedArchive, _ allowed: Set<String>) {
    self.archive = archive
    self.allowed = allowed
    isSeen = Array(repeating: false, count: archive.objects.count)
    types = Array(repeating: nil, count: archive.objects.count)
  }

  mutating func visit(_ root: PropertyListValue) throws(ArchiveError) {
    try add(root, of: nil)
    while let number = waiting.popLast() { try look(number) }
  }

  private mutating func look(_ number: Int) throws(ArchiveError) {
    guard let (fields, place) = try archive.classed(number) else { return }
    let type = try allowedClass(place, of: number)
    types[number] = type
    // Of an attributed text, only the text is read.
    if type.form == .attributedString { return try add(fields["NSString"], of: number) }
    for (key, value) in fields.pairs where key != "$class" { try add(value, of: number) }
  }

  private mutating func allowedClass(_ place: Int, of number: Int) throws(ArchiveError)
    -> ArchivedClass
  {
    if let known = classes[place] { return known }
    let type = try ArchivedClass(archive.objects[place], of: number)
    if type.form?.isAlwaysAllowed != true {
      guard isAllowed(type) else { throw refused(type, number) }
    }
    classes[place] = type
    return type
  }

  private func isAllowed(_ type: ArchivedClass) -> Bool {
    for name in type.names where allowed.contains(name) { return true }
    return false
  }

  private mutating func add(_ value: PropertyListValue?, of object: Int?) throws(ArchiveError) {
    switch value {
    case .uid?:
      guard let value, let number = try archive.number(value, of: object), !isSeen[number] else {
        return
      }
      isSeen[number] = true
      waiting.append(number)
    case .array(let elements)?, .set(let elements)?:
      for element in elements { try add(element, of: object) }
    case .dictionary(let dictionary)?:
      for pair in dictionary.pairs { try add(pair.value, of: object) }
    default: break
    }
  }

  private func refused(_ type: ArchivedClass, _ number: Int) -> ArchiveError {
    ArchiveError(
      .classNotAllowed, found: type.names[0], expected: allowed.sorted().joined(separator: ", "),
      object: number, className: type.form?.rawValue)
  }
}
