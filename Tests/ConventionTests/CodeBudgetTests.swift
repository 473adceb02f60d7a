import Testing

@Suite("The budget of code lines of each module")
struct CodeBudgetTests {
  /// The lines of code that a module may have, without comments and empty lines: what it had, in
  /// full 500s. A commit that needs more raises the number, and its message says why.
  private static let budgets = [
    "Copal": 500,
    "CopalArchive": 2000,
    "CopalAuthoring": 2000,
    "CopalCodegen": 1500,
    "CopalColor": 2500,
    "CopalCommand": 3500,
    "CopalConsole": 1000,
    "CopalEssentials": 500,
    "CopalExchange": 4500,
    "CopalFoundation": 1500,
    "CopalModel": 11000,
    "CopalObjects": 22500,
    "CopalPatterns": 1500,
    "CopalSQL": 5500,
    "CopalSQLite": 10000,
    "CopalStore": 14000,
    "CopalStoreConformance": 3000,
    "CopalTransformers": 1500,
    "copal-command": 500,
    "copal-gen": 500,
  ]

  @Test("a module has no more code than its budget, and a new module has one")
  func lines() {
    let modules = Dictionary(grouping: SourceFile.all, by: \.module)
      .mapValues { $0.map(\.codeLines).reduce(0, +) }
    for (module, lines) in modules.sorted(by: { $0.key < $1.key }) {
      let budget = Self.budgets[module] ?? 0
      #expect(lines <= budget, "\(module)")
      #expect(lines > budget - 1000, "\(module) needs less: \((lines + 499) / 500 * 500)")
    }
    #expect(Self.budgets.count == modules.count)
  }
}
