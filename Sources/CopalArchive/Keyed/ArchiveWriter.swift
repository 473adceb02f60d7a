extension KeyedArchive {
  /// A keyed archive of a value, in the layout that Apple's systems read.
  ///
  /// Equal strings and numbers are written once, and each class once.
  ///
  /// - Parameter key: the key at the top.
  public static func bytes(of value: ArchivedValue, key: String = "root") -> [UInt8] {
    list(of: value, key: key).binary()
  }

  /// The property list of a keyed archive.
  static func list(of value: ArchivedValue, key: String = "root") -> PropertyListValue {
    var writer = ArchiveWriter()
    let top = writer.reference(to: value)
    return [
      "$version": .integer(version), "$archiver": "NSKeyedArchiver",
      "$top": .dictionary([key: top]), "$objects": .array(writer.objects),
    ]
  }
}

/// Fills the table of objects of an archive.
private struct ArchiveWriter {
  var objects: [PropertyListValue] = [.string(KeyedArchive.null)]
  private var plain: [PropertyListValue: Int] = [:]
  private var classes: [[String]: Int] = [:]

  /// A reference to a value, which is in the table then.
  mutating func reference(to value: ArchivedValue) -> PropertyListValue {
    switch value {
    case .null: .uid(0)
    case .boolean(let value): addPlain(.boolean(value))
    case .integer(let number): addPlain(.integer(number))
    case .unsigned(let number): addPlain(.unsigned(number))
    case .real(let number): addPlain(.real(number))
    case .float(let number): addPlain(.float(number))
    case .string(let text): addPlain(.string(text))
    case .data(let bytes): addPlain(.data(bytes))
    case .date(let seconds):
      add(["NSDate", "NSObject"]) { _ in ["NS.time": .real(seconds)] }
    case .uuid(let bytes):
      add(["NSUUID", "NSObject"]) { _ in ["NS.uuidbytes": .data(bytes)] }
    case .url(let text, let base):
      add(["NSURL", "NSObject"]) { writer in
        let base = writer.reference(to: base.map { .url($0, base: nil) } ?? .null)
        return ["NS.base": base, "NS.relative": writer.reference(to: .string(text))]
      }
    case .array(let elements):
      add(["NSArray", "NSObject"]) { ["NS.objects": $0.references(to: elements)] }
    case .set(let elements):
      add(["NSSet", "NSObject"]) { ["NS.objects": $0.references(to: elements)] }
    case .dictionary(let pairs):
      add(["NSDictionary", "NSObject"]) { writer in
        [
          "NS.keys": writer.references(to: pairs.map(\.key)),
          "NS.objects": writer.references(to: pairs.map(\.value)),
        ]
      }
    case .object(let object):
      add(object.classNames) { writer in
        PropertyListDictionary(
          object.fields.sorted { $0.key < $1.key }.map { ($0.key, writer.field($0.value)) })
      }
    }
  }

  private mutating func references(to values: [ArchivedValue]) -> PropertyListValue {
    .array(values.map { reference(to: $0) })
  }

  /// A field of an object: numbers, Booleans and data are in the object itself, as `encode(_: Int,
  /// forKey:)` writes them.
  private mutating func field(_ value: ArchivedValue) -> PropertyListValue {
    switch value {
    case .boolean(let value): .boolean(value)
    case .integer(let number): .integer(number)
    case .unsigned(let number): .unsigned(number)
    case .real(let number): .real(number)
    case .float(let number): .float(number)
    case .data(let bytes): .data(bytes)
    default: reference(to: value)
    }
  }

  private mutating func addPlain(_ value: PropertyListValue) -> PropertyListValue {
    let number = plain[value] ?? append(value)
    plain[value] = number
    return .uid(UInt64(number))
  }

  /// Adds an object, then what it has, and then its class.
  private mutating func add(
    _ classNames: [String], _ fields: (inout Self) -> PropertyListDictionary
  ) -> PropertyListValue {
    let number = append("")
    var fields = fields(&self)
    fields["$class"] = .uid(UInt64(addClass(classNames)))
    objects[number] = .dictionary(fields)
    return .uid(UInt64(number))
  }

  private mutating func addClass(_ names: [String]) -> Int {
    if let known = classes[names] { return known }
    let number = append([
      "$classname": .string(names.first ?? ""), "$classes": .array(names.map { .string($0) }),
    ])
    classes[names] = number
    return number
  }

  private mutating func append(_ value: PropertyListValue) -> Int {
    objects.append(value)
    return objects.count - 1
  }
}
