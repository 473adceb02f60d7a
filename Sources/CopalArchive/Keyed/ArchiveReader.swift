/// Makes the tree of values of an archive whose classes are allowed.
struct ArchiveReader {
  private let archive: KeyedArchive
  /// The class of each object; nil for a plain value.
  private let types: [ArchivedClass?]
  private var count = 0
  /// The number of the object at the top; nil for a plain value there.
  private let root: Int?
  /// The numbers of the objects around the one that is read.
  private var path: [Int] = []
  /// The objects that were read, and the number of values in each: an object may be shared.
  private var known: [(value: ArchivedValue, count: Int)?] = []
  private var decoded = DecodedTexts()

  /// - Parameter types: the classes of the objects, which are all allowed.
  init(_ archive: KeyedArchive, _ types: [ArchivedClass?], root: PropertyListValue) {
    self.archive = archive
    self.types = types
    self.root = root.uid.flatMap { Int(exactly: $0) }
  }

  /// A value at the top, or under a key of an object.
  mutating func value(_ value: PropertyListValue, of owner: Int? = nil) throws(ArchiveError)
    -> ArchivedValue
  {
    try add(1)
    switch value {
    case .uid:
      guard let number = try archive.number(value, of: owner) else { return .null }
      return number == 0 ? .null : try object(number)
    // Values that are written into the object itself: arrays of references or of plain values.
    case .array(let elements): return .array(try values(elements, of: owner))
    case .set(let elements): return .set(try values(elements, of: owner))
    case .dictionary(let dictionary):
      var pairs: [ArchivedPair] = []
      for (key, value) in dictionary.pairs {
        pairs.append(ArchivedPair(key: .string(key), value: try self.value(value, of: owner)))
      }
      return .dictionary(pairs)
    default: return Self.plain(value)
    }
  }

  private mutating func values(_ values: [PropertyListValue], of owner: Int?) throws(ArchiveError)
    -> [ArchivedValue]
  {
    var result: [ArchivedValue] = []
    for value in values { result.append(try self.value(value, of: owner)) }
    return result
  }

  private static func plain(_ value: PropertyListValue) -> ArchivedValue {
    switch value {
    case .boolean(let value): .boolean(value)
    case .integer(let number): .integer(number)
    case .unsigned(let number): .unsigned(number)
    case .real(let number): .real(number)
    case .float(let number): .float(number)
    case .date(let seconds): .date(seconds)
    case .data(let bytes): .data(bytes)
    case .string(let text): .string(text)
    case .uid, .array, .set, .dictionary: .null
    }
  }

  private mutating func add(_ values: Int) throws(ArchiveError) {
    let (sum, isTooGreat) = count.addingReportingOverflow(values)
    count = sum
    if isTooGreat || count > archive.limits.count {
      throw ArchiveError(.count, expected: "\(archive.limits.count)")
    }
  }

  // MARK: Objects

  private mutating func object(_ number: Int) throws(ArchiveError) -> ArchivedValue {
    guard let type = types[number], let fields = archive.objects[number].dictionary else {
      return Self.plain(archive.objects[number])
    }
    // It counts as often as it is used, although it is read once.
    if !known.isEmpty, let known = known[number] {
      try add(known.count)
      return known.value
    }
    if path.contains(number) {
      throw ArchiveError(.objectCycle, found: type.names[0], object: number)
    }
    guard path.count < archive.limits.depth else {
      throw ArchiveError(.depth, expected: "\(archive.limits.depth)")
    }
    let before = count
    path.append(number)
    let value = try value(of: type, fields, number)
    path.removeLast()
    // The root alone is in no other object.
    if number == root { return value }
    if known.isEmpty { known = Array(repeating: nil, count: types.count) }
    known[number] = (value, count - before)
    return value
  }

  private mutating func value(
    of type: ArchivedClass, _ fields: PropertyListDictionary, _ number: Int
  ) throws(ArchiveError) -> ArchivedValue {
    let form = FoundationForm(fields, type.names[0], number)
    switch type.form {
    case .null: return .null
    case .string: return .string(try form.string(&decoded))
    case .attributedString: return try value(try form.field("NSString"), of: number)
    case .number: return try form.number()
    case .date: return .date(try form.date())
    case .data: return .data(try form.data())
    case .uuid: return .uuid(try form.uuid())
    case .url: return try url(form)
    case .array: return .array(try values(try form.references("NS.objects"), of: number))
    case .orderedSet: return .array(try values(try form.orderedElements(), of: number))
    case .countedSet: return .set(try countedValues(try form.countedElements(), of: number))
    case .set: return .set(try values(try form.references("NS.objects"), of: number))
    case .dictionary: return try dictionary(form, number)
    case nil:
      var values = [String: ArchivedValue](minimumCapacity: fields.count - 1)
      for (key, field) in fields.pairs where key != "$class" {
        values[key] = try value(field, of: number)
      }
      return .object(ArchivedObject(classNames: type.names, fields: values))
    }
  }

  private mutating func countedValues(
    _ elements: [(value: PropertyListValue, count: Int)], of number: Int
  ) throws(ArchiveError) -> [ArchivedValue] {
    var result: [ArchivedValue] = []
    for element in elements {
      let before = count
      let value = try value(element.value, of: number)
      // Each time counts, although the value is read once.
      let (more, isTooGreat) = (count - before).multipliedReportingOverflow(by: element.count - 1)
      try add(isTooGreat ? .max : more)
      result.append(contentsOf: repeatElement(value, count: element.count))
    }
    return result
  }

  private mutating func dictionary(_ form: FoundationForm, _ number: Int) throws(ArchiveError)
    -> ArchivedValue
  {
    let keys = try form.references("NS.keys")
    let objects = try form.references("NS.objects")
    guard keys.count == objects.count else {
      throw form.wrong("NS.objects", "\(keys.count) values", "\(objects.count)")
    }
    var pairs: [ArchivedPair] = []
    var texts: Set<String> = []
    for (key, object) in zip(keys, objects) {
      let key = try value(key, of: number)
      if case .string(let text) = key, !texts.insert(text).inserted {
        throw form.wrong("NS.keys", "different keys", "'\(ArchiveError.short(text))' twice")
      }
      pairs.append(ArchivedPair(key: key, value: try value(object, of: number)))
    }
    return .dictionary(pairs)
  }

  private mutating func url(_ form: FoundationForm) throws(ArchiveError) -> ArchivedValue {
    let base = try value(try form.field("NS.base"), of: form.object)
    let relative = try value(try form.field("NS.relative"), of: form.object)
    guard case .string(let text) = relative else {
      throw form.wrong("NS.relative", "a string", "another value")
    }
    switch base {
    case .null: return .url(text, base: nil)
    case .url(let base, base: nil): return .url(text, base: base)
    default: throw form.wrong("NS.base", "a URL without a base", "another value")
    }
  }
}
