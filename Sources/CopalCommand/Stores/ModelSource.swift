#if Command
  import CopalEssentials
  import CopalModel

  /// Where a model comes from: a model file, a store, or a file of a revision of git.
  enum ModelSource {
    /// The model of a file, a store, or a revision such as `HEAD~3:Models/Shop.model.json`.
    ///
    /// - Throws: what is wrong with it: 65 for no model, 74 for what cannot be read.
    static func model(_ name: String) throws -> ManagedObjectModel {
      let address = try StoreAddress(name)
      if address.isFile, !FileManager.default.fileExists(atPath: name), name.contains(":") {
        return try ManagedObjectModel(json: try Git.file(name), file: name)
      }
      if try address.isStore() {
        return try ManagedObjectModel(json: address.modelText(), file: name)
      }
      let file = try TextFile(name)
      try checkIsModel(file)
      return try ManagedObjectModel(json: file.bytes, file: name)
    }

    /// Checks that a file can be a model: that it begins as JSON, or has the name of a model file.
    static func checkIsModel(_ file: TextFile) throws(CommandFailure) {
      if file.path == "-" || file.path.hasSuffix(".json") { return }
      let first = file.bytes.first { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
      if first == UInt8(ascii: "{") || first == UInt8(ascii: "/") { return }
      throw CommandFailure(
        .badInput, "copal: \(file.name) is neither a store nor a model")
    }
  }
#endif
