import CopalModel
import CopalStore
import Foundation

/// `Docs/Querying.md` as one program: its listings, and for each question the forms of the query.
///
/// A section under a heading of the third level is a question. Its blocks are
///
/// | Fence | What the block is |
/// |---|---|
/// | `swift`, the first one | the typed query: one expression, or lines that end with a `let` |
/// | `swift`, the second one | the same query by names: an expression, or the condition as a text |
/// | `sql` | the statement; the columns of objects are `…` |
/// | `text output` | the result, if the page has it |
///
/// The third form is in the table of another section: a `#Predicate`, a request with sort
/// descriptors, or a dash and the reason.
struct QuestionPage {
  struct Question: Sendable, CustomStringConvertible {
    let title: String
    let blocks: [Page.Block]
    /// The form of Foundation; nil where there is none.
    let foundation: String?

    var description: String { title }
    var queries: [String] { blocks.filter { $0.kind == "swift" }.map(\.text) }
    var statement: String { text(of: "sql") ?? "" }
    var output: String? { text(of: "text output") }

    private func text(of kind: String) -> String? {
      blocks.first { $0.kind == kind }?.lines.joined(separator: "\n")
    }
  }

  static let path = "Docs/Querying.md"

  let page: Page
  let questions: [Question]
  /// The titles of the table's rows, in their order.
  let rows: [String]
  /// The constants that the forms of Foundation use.
  private let constants: String
  /// The page before the first question: the model and the objects.
  private let start: Page

  init() throws {
    page = try Page(Self.path)
    // A heading of another level ends a question.
    let parts = page.text.replacing("\n## ", with: "\n### \u{0}").components(separatedBy: "\n### ")
    let sections = parts.dropFirst().filter { !$0.hasPrefix("\u{0}") }
    let heading = "The questions with `#Predicate`\n"
    let last = parts.first { $0.hasPrefix("\u{0}" + heading) } ?? ""
    let table = Self.table(last)
    rows = table.map(\.title)
    constants = Page(path: Self.path, text: last).blocks.first { $0.kind == "swift" }?.text ?? ""
    let forms = Dictionary(table.map { ($0.title, $0.code) }) { first, _ in first }
    questions = sections.map { section in
      let title = String(section.prefix { $0 != "\n" })
      return Question(
        title: title, blocks: Page(path: Self.path, text: section).blocks,
        foundation: forms[title] ?? nil)
    }
    let first = page.text.range(of: "\n### ")?.lowerBound ?? page.text.endIndex
    start = Page(path: Self.path, text: String(page.text[..<first]))
  }

  /// The rows of the table of questions and their forms with Foundation.
  private static func table(_ text: String) -> [(title: String, code: String?)] {
    text.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst().compactMap { line in
      guard let (_, title, cell) = line.wholeMatch(of: /\| (.*?) \| (.*) \|/)?.output else {
        return nil
      }
      let code = cell.wholeMatch(of: /`(.*)`/).map { $0.output.1.replacing("\\|", with: "|") }
      return (String(title), code.map { String($0) })
    }
  }

  // MARK: The program

  /// The model of the page, and a program that prints what each question finds and sends.
  var program: PageProgram { PageProgram(page: Page(path: Self.path, text: programText)) }

  private var programText: String {
    var parts = start.blocks.filter { $0.kind == "swift" || $0.kind == "json" }
      .map { "```\($0.kind)\n\($0.text)\n```" }
    let code = questions.indices.map { index in
      let typed = questions[index].queries[0]
      return
        (questions[index].queries.enumerated().map { form, query in
          Self.code(query, index: index, form: form, typed: typed)
        } + [Self.foundationCode(questions[index].foundation, index: index, typed: typed)])
        .joined(separator: "\n")
    }
    parts.append("```swift\n\(Self.support)\n\(constants)\n\(code.joined(separator: "\n"))\n```")
    return parts.joined(separator: "\n\n")
  }

  /// The code of one form of a question.
  private static func code(_ query: String, index: Int, form: Int, typed: String) -> String {
    let name = "found\(index)_\(form)"
    var lines = ["print(\"== \(index) \(form)\")"]
    let condition = typed.wholeMatch(of: #/(?s:try context\.(\w+)\((\w+)\.self\) (\{.*\}))/#)
    if query.hasPrefix("try FetchPredicate("), let condition {
      let (_, method, entity, closure) = condition.output
      lines += [
        "let text\(index) = \(query)",
        "let typed\(index) = condition(\(entity).self) \(closure)",
        "printForms(typed\(index), text\(index))",
        "let some\(index) = try context.count(FetchRequest<\(entity)>(predicate: text\(index)))",
        "let all\(index) = try context.count(\(entity).self)",
        "print(\"some of all:\", some\(index), all\(index))",
        "let \(name) = try context.\(method)(FetchRequest<\(entity)>(predicate: text\(index)))",
        "print(\"= \" + shown(\(name) as Any))",
      ]
    } else if query.hasPrefix("try ") {
      lines += ["let \(name) = \(query)", "print(\"= \" + shown(\(name) as Any))"]
    } else {
      let last = query.matches(of: #/(?:^|\n)let (\w+) = /#).last.map { String($0.output.1) } ?? ""
      lines += [query, "print(\"= \" + shown(\(last) as Any))"]
    }
    return lines.joined(separator: "\n")
  }

  /// The code of the form with Foundation, and the end of a question: all forms are asked of the
  /// same unsaved changes.
  private static func foundationCode(_ form: String?, index: Int, typed: String) -> String {
    guard let form, let method = typed.firstMatch(of: /try context\.(\w+)\(/)?.output.1 else {
      return "context.rollback()"
    }
    let name = "foundation\(index)"
    let entity = form.firstMatch(of: /<(\w+)>/)?.output.1 ?? ""
    let query =
      switch method {
      case "fetchPage": "try context.fetchPage(\(name), size: 3, after: page.next)"
      case "explain":
        "try context.explain(FetchRequest<\(entity)>(predicate: FetchPredicate(\(name))))"
      case "fetchValues", "fetchValue":
        typed.replacing(
          /where: \{.*?\}\)/, with: "where: { _ in condition\(index) })", maxReplacements: 1)
      default: "try context.\(method)(\(name))"
      }
    return """
      print("== \(index) 2")
      let \(name) = \(form.hasPrefix("#") ? "" : "try ")\(form)
      \(method.hasPrefix("fetchValue") ? "let condition\(index) = try FetchPredicate(\(name))" : "")
      let found\(index)_2 = \(query)
      print("= " + shown(found\(index)_2 as Any))
      context.rollback()
      """
  }

  /// The functions that the program needs.
  private static let support = #"""
    import CopalFoundation

    func condition<T: QueryableObject>(
      _ type: T.Type, _ condition: (QueryProperties<T>) -> FetchPredicate
    ) -> FetchPredicate { condition(QueryProperties()) }

    func printForms(_ typed: FetchPredicate, _ text: FetchPredicate) {
      print(typed.format == text.format ? "same" : "differ: \(typed.format) | \(text.format)")
    }

    func shown(_ value: Any) -> String {
      switch value {
      case let object as ManagedObject: return object.objectID.description
      case let value as PropertyValue:
        switch value {
        case .null: return "nil"
        case .string(let text): return text
        case .integer(let number): return "\(number)"
        case .decimal(let number): return "\(number)"
        default: return "\(value)"
        }
      case let page as FetchedPage<Pigment>: return shown(page.objects)
      default: break
      }
      let mirror = Mirror(reflecting: value)
      switch mirror.displayStyle {
      case .collection, .tuple: return mirror.children.map { shown($0.value) }.joined(separator: ", ")
      case .optional: return mirror.children.first.map { shown($0.value) } ?? "nil"
      default: return "\(value)"
      }
    }
    """#
}
