/// The class of an object in a keyed archive.
struct ArchivedClass {
  /// The name of the class, and then those of its ancestors.
  let names: [String]
  /// The class of Foundation that gives the form of the object; nil for every other object.
  let form: Form?

  /// The classes of Foundation whose objects become values. Their names are those in archives.
  enum Form: String {
    case null = "NSNull"
    case string = "NSString"
    case attributedString = "NSAttributedString"
    case number = "NSNumber"
    case date = "NSDate"
    case data = "NSData"
    case url = "NSURL"
    case uuid = "NSUUID"
    case array = "NSArray"
    case set = "NSSet"
    case orderedSet = "NSOrderedSet"
    case countedSet = "NSCountedSet"
    case dictionary = "NSDictionary"

    /// Whether an object of the class needs no permission: nothing is inside it but text, numbers
    /// and bytes.
    var isAlwaysAllowed: Bool {
      switch self {
      case .array, .set, .orderedSet, .countedSet, .dictionary: false
      default: true
      }
    }
  }

  /// - Parameter value: the object that an object's `$class` refers to.
  init(_ value: PropertyListValue, of object: Int) throws(ArchiveError) {
    guard let name = value["$classname"]?.string else {
      throw ArchiveError(
        .archiveForm, found: "the class of the object \(object)",
        expected: "a dictionary with $classname", object: object)
    }
    let listed = value["$classes"]?.array?.compactMap(\.string) ?? []
    guard listed.isEmpty || listed[0] == name else {
      throw ArchiveError(
        .archiveForm, found: "$classes of the object \(object)",
        expected: "a list that begins with \(name)", object: object)
    }
    names = listed.isEmpty ? [name] : listed
    form = Self.form(names)
  }

  private static func form(_ names: [String]) -> Form? {
    // Nearly every class has the ancestor NSObject.
    for name in names where name.utf8.first == UInt8(ascii: "N") && name != "NSObject" {
      if let form = Form(rawValue: name) { return form }
    }
    return nil
  }
}
