import CopalEssentials
public import CopalModel

/// Turns a model into Swift: a class for every entity, and the binding that a container is opened
/// with.
///
/// ```swift
/// let model = try ManagedObjectModel(contentsOf: url)
/// let code = try CodeGenerator(model, file: "Colors.model.json").swiftText()
/// ```
///
/// The text depends only on the arguments, so that the same model gives the same bytes on every
/// machine. With the text of the model's file, the code has `#sourceLocation` lines with the path
/// of the file around declarations that name a class or a module of the model. The compiler then
/// reports a class that does not exist at the model's line.
public struct CodeGenerator: Sendable {
  /// The model that the code is for.
  public let model: ManagedObjectModel
  /// The path of the model's file. Problems and `#sourceLocation` contain the path; the first line
  /// of the code contains the file name.
  public let file: String
  /// The module that the code is part of; nil when it is not known. The model may import it, and
  /// need not.
  public let module: String?

  /// Other models of the same module, by the paths of their files: their names must differ from
  /// this model's.
  public var otherModels: [(file: String, model: ManagedObjectModel)] = []
  /// The product that the module's target lacks, if the model imports it.
  public var missingProduct: MissingProduct?

  let locations: ModelLocations

  /// A code generator for one model.
  ///
  /// - Parameters:
  ///   - file: the path of the model's file.
  ///   - module: the module that the code is part of; nil when it is not known.
  ///   - text: the text of the model's file. Without it, problems have no line and column.
  public init(
    _ model: ManagedObjectModel, file: String, module: String? = nil, text: String? = nil
  ) {
    self.model = model
    self.file = file
    self.module = module
    locations = ModelLocations(text: text, file: file)
  }

  /// A product that a target does not depend on.
  public struct MissingProduct: Sendable {
    /// The name of the product and of its module, such as `CopalColor`.
    public let name: String
    /// The name of the target.
    public let target: String
    /// The dependency as `Package.swift` has it.
    public let dependency: String

    /// - Parameters:
    ///   - name: the name of the product and of its module.
    ///   - target: the name of the target.
    ///   - dependency: what to add to the target's dependencies.
    public init(_ name: String, target: String, dependency: String) {
      self.name = name
      self.target = target
      self.dependency = dependency
    }
  }

  /// The warnings of the model, each with its position in the model's file.
  public var warnings: [ModelWarning] {
    model.warnings.map { warning in
      var warning = warning
      warning.position = locations.location(warning.keys)
      return warning
    }
  }

  /// The Swift source file for the model.
  ///
  /// - Throws: ``CodegenError`` with all parts of the model that the code generator does not
  ///   support.
  public func swiftText() throws(CodegenError) -> String {
    let problems = problems()
    guard problems.isEmpty else { throw CodegenError(problems: problems) }
    return uncheckedText
  }

  /// A file for the class of an entity with `"codegen": "extension"`, which a person goes on with.
  public struct HumanFile: Sendable, Hashable {
    /// The name of the file: `Plant.swift`.
    public let name: String
    /// The class without members.
    public let text: String
  }

  /// The files for the classes that people write. A tool makes each one once, and never again.
  public var humanFiles: [HumanFile] {
    let families = Families(model)
    return generatedIndexes.compactMap {
      EntityCode(ofEntity: $0, in: model, families, access: access, locations: locations).humanFile
    }
  }

  /// The same without looking for problems.
  private var uncheckedText: String {
    var code = SourceLines()
    writeHead(to: &code)
    let families = Families(model)
    let entities = generatedIndexes.map {
      EntityCode(ofEntity: $0, in: model, families, access: access, locations: locations)
    }
    for entity in entities { entity.writeNeed(to: &code) }
    for entity in entities { entity.write(to: &code) }
    writeBinding(to: &code)
    writeNamespace(to: &code)
    return code.text
  }

  // MARK: Names

  /// The entities with generated code.
  var generatedEntities: [EntityDescription] { generatedIndexes.map { model.entities[$0] } }

  /// The positions of these entities in the model.
  private var generatedIndexes: [Int] {
    model.entities.indices.filter { model.entities[$0].codegen != .none }
  }

  /// What stands before every declaration.
  var access: String { model.access == .public ? "public " : "" }

  /// The name of the binding: `colors` for the model `Colors`.
  var bindingName: String {
    let name = SwiftText.lowerCamel(model.name)
    // `.init` and `.self` have another meaning after a dot.
    return name == "init" || name == "self" ? "\(name)Model" : name
  }

  /// The name of the type that holds the constants: `ColorsModel` for the model `Colors`.
  var namespace: String { model.name.hasSuffix("Model") ? model.name : "\(model.name)Model" }

  /// The names of the model's transformers, in order of appearance.
  var transformers: [TransformerUse] {
    var seen: Set<TransformerName> = []
    return model.entities.flatMap { entity in
      entity.attributes.compactMap { attribute in
        guard let name = attribute.transformer, seen.insert(name).inserted else { return nil }
        return TransformerUse(
          name: name, constant: SwiftText.lowerCamel(name.rawValue),
          firstUse: (entity.name, attribute.name))
      }
    }
  }

  /// A transformer's name, the name of its constant, and the first attribute that uses it.
  struct TransformerUse {
    let name: TransformerName
    let constant: String
    let firstUse: (entity: String, attribute: String)
  }

  // MARK: The parts

  private func writeHead(to code: inout SourceLines) {
    let name = SwiftText.comment(file.split(separator: "/").last.map(String.init) ?? model.name)
    code.line("// Generated by Copal from \(name). Do not edit: every build overwrites it.")
    code.line()
    code.line("\(access)import Copal")
    let attributes = generatedEntities.flatMap(\.attributes)
    // Only classes of transformables come from the model's imports. The compiler warns about a
    // public import that no public declaration uses.
    let usesClasses = attributes.contains { $0.type == .transformable }
    var imports = Set(model.imports.compactMap { ImportText($0) })
    let publicModules = usesClasses ? Set(imports.map(\.module)) : []
    imports.remove(ImportText(module: "Copal"))
    // Copal exports these types. The compiler warns about a public import that adds nothing.
    for type in ["Data", "Date", "Decimal", "URL", "UUID"] {
      if let exported = ImportText("struct Foundation.\(type)") { imports.remove(exported) }
    }
    let written = imports.filter { $0.module != module }.inOrder()
    func write(_ text: ImportText, _ access: String) {
      let named = model.imports.first { ImportText($0) == text }
      code.located(at: named.flatMap { locations.compilerLocation(["imports", $0]) }) {
        $0.line("\(access)import \(SwiftText.import(text))")
      }
    }
    for text in written where publicModules.contains(text.module) { write(text, access) }
    for text in written where !publicModules.contains(text.module) { write(text, "") }
  }

  private func writeBinding(to code: inout SourceLines) {
    code.line()
    code.block("nonisolated extension ModelBinding") { code in
      code.comment(
        model.documentation ?? "The model `\(model.name)` with the classes of its entities.")
      code.line("\(access)static let \(SwiftText.identifier(bindingName)) = ModelBinding(")
      code.line("  name: \(SwiftText.literal(model.name)),")
      code.line("  json: \(namespace).json,")
      if generatedEntities.isEmpty {
        code.line("  classes: [])")
      } else {
        code.line("  classes: [")
        for index in generatedIndexes {
          let entity = model.entities[index]
          let name = SwiftText.literal(entity.name)
          let type = SwiftText.identifier(entity.className)
          let hash = "0x" + SwiftText.hexadecimal(model.layoutHash(ofEntity: index), digits: 16)
          // A completely generated class overrides no hooks.
          let line = model.ancestors(ofEntity: index).map { model.entities[$0] } + [entity]
          let isGenerated = line.allSatisfy { $0.codegen != .extension }
          let hooks = isGenerated ? ", overridesHooks: false" : ""
          let types = valueTypes(of: line)
          code.line(
            "    EntityBinding(\(name), \(type).self, layoutHash: \(hash)\(hooks)\(types)),")
        }
        code.line("  ])")
      }
    }
  }

  /// The properties of stored transformables. A container compares their types with those of the
  /// transformers. The code does not name the classes again, so that the compiler reports a wrong
  /// class only once.
  private func valueTypes(of line: [EntityDescription]) -> String {
    let stored = line.flatMap(\.storedAttributes)
    let types = stored.filter { $0.customClass != nil }.map { attribute in
      let property = AttributeCode(attribute, slot: 0).propertyName
      return "\(SwiftText.literal(attribute.name)): \\.\(property)"
    }
    return types.isEmpty ? "" : ", valueTypes: [\(types.joined(separator: ", "))]"
  }

  private func writeNamespace(to code: inout SourceLines) {
    code.line()
    code.line("/// The names in the model `\(model.name)`, and its text.")
    code.block("\(access)nonisolated enum \(namespace)") { code in
      code.line("/// The names of the entities.")
      code.block("\(access)enum EntityNames") { code in
        for entity in model.entities {
          let constant = SwiftText.identifier(SwiftText.lowerCamel(entity.name))
          code.line("\(access)static let \(constant) = \(SwiftText.literal(entity.name))")
        }
      }
      code.line()
      if !transformers.isEmpty {
        code.line("/// The names of the transformers.")
        code.block("\(access)enum TransformerNames") { code in
          for transformer in transformers {
            let constant = SwiftText.identifier(transformer.constant)
            let value = SwiftText.literal(transformer.name.rawValue)
            code.line("\(access)static let \(constant): TransformerName = \(value)")
          }
        }
        code.line()
      }
      code.line("/// The model as text, as a container reads it.")
      code.line("\(access)static let json = \(SwiftText.rawLiteral(model.canonicalJSON))")
    }
  }
}
