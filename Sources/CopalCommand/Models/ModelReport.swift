#if Command
  import CopalCodegen
  import CopalEssentials
  import CopalModel
  import CopalStore

  /// What a check finds in one model file.
  struct ModelReport {
    let file: TextFile
    let findings: [Finding]
    /// The model; nil where there is none because of problems.
    let model: ManagedObjectModel?

    /// A problem or a warning.
    struct Finding: Hashable {
      let isError: Bool
      let line: Int
      /// In bytes of UTF-8, from 1.
      let column: Int
      let code: String
      let sentence: String

      fileprivate init(
        _ description: String, _ code: String, at position: ModelProblem.Position?, isError: Bool,
        isWarning: Bool
      ) {
        let head =
          (position.map { "\($0): " } ?? "") + (isWarning ? "warning: " : "error: ")
        sentence = String(description.dropFirst(head.count).dropLast(code.count + 3))
        self.code = code
        self.isError = isError
        line = position?.line ?? 1
        column = position?.column ?? 1
      }
    }

    /// Reads a model as the plugin does.
    ///
    /// - Parameter strict: whether warnings are problems.
    init(_ file: TextFile, strict: Bool) {
      self.file = file
      var findings: [Finding] = []
      var found: ManagedObjectModel?
      do {
        let model = try ManagedObjectModel(json: file.bytes, file: file.path)
        found = model
        let generator = CodeGenerator(
          model, file: file.path, module: nil, text: String(decoding: file.bytes, as: UTF8.self))
        findings = generator.warnings.map {
          Finding(
            $0.description, $0.code.rawValue, at: $0.position, isError: strict, isWarning: true)
        }
        do {
          _ = try generator.swiftText()
        } catch {
          findings += error.problems.map {
            Finding(
              $0.description, $0.code.rawValue, at: $0.position, isError: true, isWarning: false)
          }
        }
      } catch {
        findings = error.problems.map {
          Finding(
            $0.description, $0.code.rawValue, at: $0.position, isError: true, isWarning: false)
        }
      }
      model = found
      self.findings = findings.sorted { ($0.line, $0.column) < ($1.line, $1.column) }
    }

    var hasProblems: Bool { findings.contains(where: \.isError) }

    // MARK: For people

    /// The findings with their lines, and a sentence for a file without problems.
    func text(_ terminal: Terminal) -> String {
      let lines = String(decoding: file.bytes, as: UTF8.self)
        .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      var text = findings.map { show($0, lines, terminal) }.joined()
      if !hasProblems, let model {
        let (entities, properties) = (
          model.entities.count,
          model.entities.reduce(0) { $0 + $1.attributes.count + $1.relationships.count }
        )
        text += "\(file.name): fine, \(entities) "
        text += entities == 1 ? "entity, " : "entities, "
        text += "\(properties) " + (properties == 1 ? "property\n" : "properties\n")
      }
      return text
    }

    private func show(_ finding: Finding, _ lines: [Substring], _ terminal: Terminal) -> String {
      let place = terminal.styled("\(file.name):\(finding.line):\(finding.column):", .place)
      let kind = terminal.styled(
        finding.isError ? "error:" : "warning:", finding.isError ? .error : .warning)
      var text = "\(place) \(kind) \(finding.sentence.printable) [\(finding.code)]\n"
      guard lines.indices.contains(finding.line - 1) else { return text }
      let line = lines[finding.line - 1]
      let before = String(decoding: line.utf8.prefix(finding.column - 1), as: UTF8.self)
      let number = "\(finding.line)"
      let margin = String(repeating: " ", count: number.count)
      // A line of many columns is cut around the place.
      let start = max(0, before.count - 60)
      let shown = String(line.dropFirst(start).prefix(100)).printable
      let room = String(before.dropFirst(start)).printable.map { character -> Character in
        character == "\t" ? character : " "
      }
      text += "  \(number) | \(shown)\n"
      text += "  \(margin) | \(String(room))\(terminal.styled("^", .mark))\n"
      return text
    }

    // MARK: For programs

    private struct JSONReport: Encodable {
      var version = 1
      let files: [File]

      struct File: Encodable {
        let file: String
        let problems: [Problem]
      }
      struct Problem: Encodable {
        let severity: String
        let line: Int
        let column: Int
        let code: String
        let message: String
      }
    }

    /// One object with all reports.
    static func json(_ reports: [ModelReport]) -> String {
      encoded(
        JSONReport(
          files: reports.map { report in
            JSONReport.File(
              file: report.file.path,
              problems: report.findings.map {
                JSONReport.Problem(
                  severity: $0.isError ? "error" : "warning", line: $0.line, column: $0.column,
                  code: $0.code, message: $0.sentence)
              })
          }))
    }

    /// The static-analysis format that code hosts read: SARIF 2.1.0,
    /// <https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html>.
    static func sarif(_ reports: [ModelReport]) -> String {
      encoded(SARIFLog(reports))
    }

    private static func encoded(_ value: some Encodable) -> String {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      // Strings and integers have a form in JSON.
      return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    /// The column in Unicode scalars, from 1, as SARIF counts with `unicodeCodePoints`.
    fileprivate func scalarColumn(of finding: Finding) -> Int {
      let lines = String(decoding: file.bytes, as: UTF8.self)
        .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      guard lines.indices.contains(finding.line - 1) else { return 1 }
      let before = lines[finding.line - 1].utf8.prefix(finding.column - 1)
      return String(decoding: before, as: UTF8.self).unicodeScalars.count + 1
    }
  }

  private struct SARIFLog: Encodable {
    let version = "2.1.0"
    let schema = "https://json.schemastore.org/sarif-2.1.0.json"
    let runs: [Run]

    private enum CodingKeys: String, CodingKey {
      case version, runs
      case schema = "$schema"
    }

    struct Run: Encodable {
      var columnKind = "unicodeCodePoints"
      let tool: Tool
      let results: [Result]
    }
    struct Tool: Encodable { let driver: Driver }
    struct Driver: Encodable {
      let name = "copal"
      let version = CopalRelease.version
      let rules: [Rule]
    }
    struct Rule: Encodable { let id: String }
    struct Result: Encodable {
      let ruleId: String
      let level: String
      let message: Message
      let locations: [Location]
    }
    struct Message: Encodable { let text: String }
    struct Location: Encodable { let physicalLocation: Place }
    struct Place: Encodable {
      let artifactLocation: Artifact
      let region: Region
    }
    struct Artifact: Encodable { let uri: String }
    struct Region: Encodable {
      let startLine: Int
      let startColumn: Int
    }

    init(_ reports: [ModelReport]) {
      let results = reports.flatMap { report in
        report.findings.map { finding in
          Result(
            ruleId: finding.code, level: finding.isError ? "error" : "warning",
            message: Message(text: finding.sentence),
            locations: [
              Location(
                physicalLocation: Place(
                  artifactLocation: Artifact(uri: Self.reference(report.file.path)),
                  region: Region(
                    startLine: finding.line, startColumn: report.scalarColumn(of: finding))))
            ])
        }
      }
      let codes = Set(results.map(\.ruleId)).sorted()
      runs = [Run(tool: Tool(driver: Driver(rules: codes.map(Rule.init))), results: results)]
    }

    /// The path as a reference to a URI: https://www.rfc-editor.org/rfc/rfc3986
    private static func reference(_ path: String) -> String {
      path.utf8.map { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
          UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "/"):
          return String(UnicodeScalar(byte))
        default:
          let digits = String(byte, radix: 16, uppercase: true)
          return "%" + (digits.count == 1 ? "0" + digits : digits)
        }
      }.joined()
    }
  }
#endif
