import CopalEssentials
public import CopalModel
public import CopalObjects
import CopalStore

/// Reads what ``StoreExport`` has written into an empty store. The store is then equal to the
/// exported one: the same objects but for their ids, the same relationships and orders, the same
/// bytes of transformables.
///
/// ```swift
/// let reading = try StoreImport(ByteInput { try file.read(upToCount: 1 << 16) ?? [] })
/// let container = try PersistentContainer(model: ModelBinding(reading.model), store: store)
/// try reading.run(into: container)
/// ```
///
/// All of it is written in one transaction, or nothing. The rules of the model hold. The contexts
/// of
/// the container merge it like a save, and ``PersistentContainer/saves`` has it. Memory has the ids
/// of the objects and the members of lists: about 70 bytes for each object.
public final class StoreImport {
  /// The model of the exported store.
  public let model: ManagedObjectModel
  /// The complete text of the model.
  package let modelText: String
  /// Called after each thousand objects with their number; nil for nobody.
  public var progress: ((Int) -> Void)?
  /// Asked between the objects: whether to give up; nil for never.
  public var isCanceled: (@Sendable () -> Bool)?

  private var lines: LineReader
  private let metadata: [String: MetadataValue]
  private var problems = ImportProblems()

  /// An import that has read the head of the export.
  ///
  /// - Throws: ``ImportError`` for a text that is no export; `ModelError` for a model that this
  ///   version refuses.
  public init(_ input: ByteInput) throws {
    lines = LineReader(input)
    guard let line = try lines.next() else {
      throw ImportError(ImportProblem(.notAnExport, line: 1, found: "it is empty"))
    }
    let fields: [JSONField]
    do throws(JSONFailure) {
      guard case .object(let found) = try JSONScanner.value(line) else {
        throw JSONFailure(offset: 0, found: "its first line is no object")
      }
      fields = found
    } catch {
      throw ImportError(
        ImportProblem(
          .notAnExport, line: 1, column: TextPlace(line, error.offset, line: 1).column,
          found: error.found))
    }
    guard fields["$copal"] == .string("export"), case .number(let format)? = fields["format"] else {
      throw ImportError(
        ImportProblem(.notAnExport, line: 1, found: "its first line has no \"$copal\""))
    }
    guard let number = Int(format), number <= StoreExport.format else {
      throw ImportError(
        ImportProblem(.newerFormat, line: 1, found: format, expected: "\(StoreExport.format)"))
    }
    guard case .string(let text)? = fields["model"] else {
      throw ImportError(ImportProblem(.notAnExport, line: 1, found: "it has no model"))
    }
    modelText = text
    model = try ManagedObjectModel(json: text, file: "the export's model")
    metadata = try Self.metadata(fields["metadata"])
  }

  private static func metadata(_ item: JSONItem?) throws -> [String: MetadataValue] {
    guard case .object(let fields)? = item else { return [:] }
    var metadata: [String: MetadataValue] = [:]
    for field in fields {
      guard case .object(let parts) = field.value.item, parts.count == 1,
        let value = MetadataValue(kind: parts[0].name, parts[0].value.item)
      else {
        throw ImportError(
          ImportProblem(.notAnExport, line: 1, found: "the metadata '\(field.name)' has no value"))
      }
      metadata[field.name] = value
    }
    return metadata
  }

  /// Writes the objects into the store of a container.
  ///
  /// - Returns: the number of objects.
  /// - Throws: ``ImportError``; codes of `store.…`. Then nothing is written.
  @discardableResult
  public func run(into container: PersistentContainer) throws -> Int {
    let schema = container.store.schema
    guard schema.hash == StoreSchema(model).hash else {
      throw ImportError(
        ImportProblem(.otherModel, found: "version \(schema.model.version) of \(schema.model.name)")
      )
    }
    let context = container.makeContext()
    return try context.transaction {
      let writer = try ImportedObjects(container, in: context)
      let count = try readAll(schema, writer)
      try problems.throwIfAny()
      let refused = try writer.finish(metadata)
      if !refused.isEmpty { throw ImportError(refused) }
      return count
    }
  }

  /// Reads the lines until the last one.
  private func readAll(_ schema: StoreSchema, _ writer: ImportedObjects) throws -> Int {
    var count = 0
    while let line = try lines.next() {
      if line.isEmpty { continue }
      let fields: [JSONField]
      do throws(JSONFailure) {
        guard case .object(let found) = try JSONScanner.value(line) else {
          throw JSONFailure(offset: 0, found: "the line is no object")
        }
        fields = found
      } catch {
        problems.add(
          ImportProblem(
            .notJSON, line: lines.line,
            column: TextPlace(line, error.offset, line: 1).column, found: error.found))
        continue
      }
      if fields["$end"] == .boolean(true) {
        // Of lines that could not be read, nothing is known.
        guard !problems.isEmpty || fields["objects"] == .number("\(count)") else {
          throw ImportError(
            ImportProblem(
              .cutOff, line: lines.line,
              found: "it has \(count) objects, and not as many as its last line says"))
        }
        while let rest = try lines.next() {
          if rest.isEmpty { continue }
          throw ImportError(
            ImportProblem(.notAnExport, line: lines.line, found: "something follows its last line"))
        }
        return count
      }
      count += 1
      if count % 1000 == 0 {
        progress?(count)
        if isCanceled?() == true { throw PersistenceError(.interrupted) }
      }
      for problem in writer.read(fields, line, lines.line) { problems.add(problem) }
      // After the first problem, nothing more is written.
      if problems.isEmpty { for problem in try writer.writeIfFull() { problems.add(problem) } }
    }
    try problems.throwIfAny()
    throw ImportError(ImportProblem(.cutOff, line: lines.line, found: "its last line is missing"))
  }
}

extension [JSONField] {
  /// The value of a name; nil for none.
  subscript(_ name: String) -> JSONItem? { first { $0.name == name }?.value.item }
}

extension MetadataValue {
  init?(kind: String, _ item: JSONItem) {
    let type: AttributeType? =
      switch kind {
      case "string": .string
      case "integer": .integer64
      case "double": .double
      case "boolean": .boolean
      case "date": .date
      case "data": .binary
      default: nil
      }
    guard let type else { return nil }
    let reader = ValueReader(attribute: AttributeDescription("value", type))
    let text: String
    switch item {
    case .string(let found), .number(let found): text = found
    case .boolean(let flag): text = flag ? "true" : "false"
    default: return nil
    }
    guard let value = try? reader.value(of: text) else { return nil }
    switch value {
    case .string(let text): self = .string(text)
    case .integer(let number): self = .integer(number)
    case .double(let number): self = .double(number)
    case .boolean(let flag): self = .boolean(flag)
    case .date(let date): self = .date(date)
    case .binary(let data): self = .data(data)
    default: return nil
    }
  }
}
