/// The sentences of ``ArchiveError``. They are all made here.
enum ArchiveErrorWording {
  static func sentence(for error: ArchiveError) -> String {
    let found = short(error.found ?? "")
    let expected = error.expected ?? ""
    let place = error.position.map { " at byte \($0)" } ?? ""
    let object = error.object.map { "the object \($0)" } ?? "an object"

    switch error.code {
    case .notPropertyList:
      return """
        the bytes are neither a binary property list nor XML: they begin with \(found); \
        check which transformer wrote them
        """
    case .truncated:
      return
        "the property list ends too early: the bytes of \(expected)\(place) are more than there are; "
        + restore
    case .trailer:
      return
        "the last 32 bytes of the binary property list are damaged: \(expected), but it is \(found); "
        + restore
    case .reference:
      return
        "a collection\(place) refers to the value \(found), but the property list has \(expected); "
        + restore
    case .cycle: return "the collection\(place) contains itself; " + restore
    case .overlap:
      return
        "the binary property list is damaged: the bytes of the value\(place) are those of other values, too; "
        + restore
    case .valueKind: return "the value\(place) has \(found); " + restore
    case .text: return "the text\(place) is not valid \(expected); " + restore
    case .key: return "a key of the dictionary\(place) is \(found); \(expected)"
    case .xml:
      return
        "the XML of the property list is not valid: expected \(expected)\(place), found \(found)"
    case .size:
      return "the input has \(found) bytes, and the limit is \(expected); \(trust("size", "it"))"
    case .count:
      return "the property list has more than \(expected) values; \(trust("count", "it"))"
    case .depth:
      let collections = expected == "1" ? "collection is" : "collections are"
      return "more than \(expected) \(collections) inside another; \(trust("depth", "the input"))"
    case .notKeyedArchive:
      return """
        the property list is not a keyed archive: it is \(found) without "$archiver": "NSKeyedArchiver"; \
        check which transformer wrote it
        """
    case .archiveVersion:
      return "the keyed archive has the version \(found); this version of Copal reads \(expected)"
    case .archiveForm:
      return "the keyed archive is damaged: \(found) must be \(expected); " + restore
    case .missingKey:
      return "the keyed archive has nothing under the key '\(expected)'; it has: \(found)"
    case .objectReference:
      return
        "the keyed archive is damaged: \(object) refers to the object \(found), but there are \(expected); "
        + restore
    case .objectCycle:
      return
        "\(object) of the keyed archive, of the class \(found), contains itself; Copal reads trees without cycles"
    case .classNotAllowed:
      let isCollection = error.className != nil
      let allowed = expected.isEmpty ? "no class is allowed" : "allowed: \(expected)"
      return """
        the keyed archive has an object of the \(isCollection ? "collection class" : "class") \(found), \
        which is not allowed; \(allowed); if you expect \(isCollection ? "a collection" : "it"), \
        add "\(found)" to the allowed classes
        """
    case .fieldForm:
      return """
        the keyed archive is damaged: \(object) of the class \(short(error.className ?? "")) must have \(expected) under the key \
        '\(short(error.key ?? ""))', but has \(found); \(restore)
        """
    case .inexpressible: return "XML cannot express \(found); write a binary property list"
    default: return found
    }
  }

  /// A name from an archive, whose length is for an attacker to choose.
  static func short(_ name: String) -> String {
    name.utf8.count <= 200 ? name : name.prefix(200) + "…"
  }

  private static let restore = "restore the value from a backup"

  private static func trust(_ limit: String, _ what: String) -> String {
    "if you trust \(what), set a greater limit: ArchiveLimits(\(limit):)"
  }
}
