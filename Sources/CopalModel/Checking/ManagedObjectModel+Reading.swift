public import CopalEssentials

extension ManagedObjectModel {
  /// A model made by a program.
  ///
  /// - Throws: ``ModelError`` with every problem found. The rules are those for a file. The
  ///   positions are those of the model's canonical JSON text.
  public init(
    name: String, version: Int = 1, imports: [String] = [], access: Access = .internal,
    documentation: String? = nil, userInfo: UserInfo = [:], removed: [String] = [],
    entities: [EntityDescription]
  ) throws(ModelError) {
    let model = ManagedObjectModel(
      unchecked: name, version: version, imports: imports, access: access,
      documentation: documentation, userInfo: userInfo, removed: removed, entities: entities)
    // A model made by code follows the same rules as a file: its JSON must read back without a
    // problem.
    self = try ManagedObjectModel(json: model.canonicalJSON, file: "model \(name)")
  }

  /// Reads a model file.
  ///
  /// The format is described in `Docs/ModelFormat.md`.
  ///
  /// - Throws: ``ModelError`` with every problem of the file, each at its line and column. A file
  ///   that cannot be opened is one problem with the code `model.unreadable`.
  public init(contentsOf url: URL) throws(ModelError) {
    let bytes: [UInt8]
    do {
      // Reads at most one byte more than the limit, because a file may be endless.
      bytes = try Self.read(url, upToCount: JSONReader.maximumSize + 1)
    } catch {
      var problems = ProblemList(file: url.path)
      problems.add(.unreadable, at: TextPosition(line: 1, column: 1), found: error.reason)
      throw problems.error ?? ModelError(problems: [])
    }
    self = try ModelReader.read(bytes, file: url.path)
  }

  /// Why a file cannot be read, in the words of the system.
  private struct Unreadable: Error {
    var reason: String
    /// The error of the last call of the system.
    static var last: Self { Self(reason: String(cString: strerror(errno))) }
  }

  private static func read(_ url: URL, upToCount count: Int) throws(Unreadable) -> [UInt8] {
    guard url.isFileURL else { throw Unreadable(reason: "the URL is not that of a file") }
    // Opening a pipe would wait until somebody writes into it.
    let file = open(url.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { throw .last }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw .last }
    guard status.st_mode & S_IFMT == S_IFREG || status.st_mode & S_IFMT == S_IFDIR else {
      throw Unreadable(reason: "it is a device, a pipe or a socket, and not a file")
    }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count < count {
      let size = min(buffer.count, count - bytes.count)
      let got = systemRead(file, &buffer, size)
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else { throw .last }
      if got == 0 { break }
      bytes += buffer[..<got]
    }
    return bytes
  }

  /// Reads a model from a text.
  ///
  /// - Parameter file: the file name for the positions of problems.
  /// - Throws: ``ModelError`` with every problem of the text.
  public init(json: String, file: String) throws(ModelError) {
    self = try ModelReader.read(Array(json.utf8), file: file)
  }

  /// Reads a model from the bytes of a file: UTF-8, with or without a byte-order mark.
  ///
  /// - Parameter file: the file name for the positions of problems.
  /// - Throws: ``ModelError`` with every problem of the text.
  public init(json: [UInt8], file: String) throws(ModelError) {
    self = try ModelReader.read(json, file: file)
  }
}

// Outside the extension, where `read` is another function.
private func systemRead(_ file: CInt, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
  read(file, bytes, count)
}

extension ModelReader {
  /// Reads a model and checks it.
  fileprivate static func read(_ bytes: [UInt8], file: String) throws(ModelError)
    -> ManagedObjectModel
  {
    var text = JSONReader(bytes, file: file)
    let root = text.read()
    var reader = ModelReader(problems: text.problems, text: bytes)
    var model: ManagedObjectModel?
    if text.damage < .structure {
      let draft = reader.readModel(root, namesAreComplete: text.damage == .none)
      if let draft {
        ModelChecks.run(on: draft, &reader.problems)
        model = draft.model
      }
      if let model { reader.checkSize(of: model, from: text) }
    }
    if let error = reader.problems.error { throw error }
    guard let model else { throw ModelError(problems: []) }  // A nil model always has a problem.
    return model
  }

  /// Reports a model whose canonical form is too large to be read back. The canonical form can be
  /// longer than the file, because of indentation and escapes.
  private mutating func checkSize(of model: ManagedObjectModel, from text: JSONReader) {
    guard text.canonicalLengthBound > JSONReader.maximumSize, problems.error == nil,
      model.canonicalJSON(maximumLength: JSONReader.maximumSize).utf8.count > JSONReader.maximumSize
    else { return }
    problems.add(
      .tooLarge, at: TextPosition(line: 1, column: 1),
      found: "more than \(JSONReader.maximumSize) bytes in its canonical form",
      expected: "\(JSONReader.maximumSize) bytes")
  }
}
