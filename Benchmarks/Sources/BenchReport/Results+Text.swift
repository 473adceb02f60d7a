extension Results {
  /// The programs in the order of the table, and what people call them.
  public static let programs = [
    ("floor", "floor"), ("raw", "raw C"), ("copal", "Copal"), ("grdb", "GRDB"),
    ("sqlalchemy", "SQLAlchemy"),
  ]

  /// Everything, for a terminal.
  public var text: String {
    [workloadText, ratioText, accessorText, growthText, memoryText]
      .filter { !$0.isEmpty }.joined(separator: "\n\n")
  }

  /// CPU milliseconds, and in brackets the ratio to raw C and the spread.
  private var workloadText: String {
    if workloads.isEmpty { return "" }
    let present = Self.programs.filter { key, _ in
      workloads.contains { $0.programs[key] != nil }
    }
    var table = TextTable([""] + present.map(\.1) + ["Copal / floor"])
    for workload in workloads {
      let cells = present.map { key, _ -> String in
        guard let sample = workload.programs[key] else { return "–" }
        let ratio = workload.ratio(key, to: "raw").map { $0.rounded(2) } ?? "–"
        return "\(sample.cpu.rounded(1)) (\(ratio); \(sample.spread.rounded(2)))"
      }
      table.add(
        [workload.name] + cells
          + [workload.ratio("copal", to: "floor").map { $0.rounded(2) } ?? ""])
    }
    return "CPU ms at \(rows) rows (ratio to raw C; slowest run over fastest)\n" + table.text
  }

  private var ratioText: String {
    guard let ratios, !ratios.isEmpty else { return "" }
    var table = TextTable(["large values in files, and conditions", "ratio", ""])
    for ratio in ratios { table.add([ratio.name, ratio.figure.rounded(2), ""]) }
    return table.text
  }

  private var accessorText: String {
    if accessors.isEmpty { return "" }
    var table = TextTable(["accessor", "ns", ""])
    for accessor in accessors { table.add([accessor.name, accessor.nanoseconds.rounded(2), ""]) }
    return table.text
  }

  private var growthText: String {
    if growth.isEmpty { return "" }
    var table = TextTable(["growth", "size", "cost", "growth", "beside", ""])
    for growth in growth {
      for (number, point) in growth.points.enumerated() {
        table.add([
          number == 0 ? growth.name : "", "\(point.size) \(growth.sizeName)",
          "\(duration(point.cost)) a \(growth.unit)",
          number == 0 ? "" : growth.factors[number - 1].rounded(2),
          point.reference.map { (point.cost / $0).rounded(2) } ?? "",
          [growth.reference.map { "times \($0)" }, point.stoppedAt.map { "stopped at \($0)" }]
            .compactMap { $0 }.joined(separator: "; "),
        ])
      }
    }
    return table.text
  }

  private var memoryText: String {
    if memory.isEmpty { return "" }
    var table = TextTable(["memory", "operations", "start", "end", "ratio", ""])
    for memory in memory {
      table.add([
        memory.name, "\(memory.operations)", "\(megabytes(memory.startKilobytes)) MB",
        "\(megabytes(memory.endKilobytes)) MB", memory.ratio.rounded(2),
        memory.isStopped ? "stopped" : "",
      ])
    }
    return table.text
  }

  private func megabytes(_ kilobytes: Int) -> String { (Double(kilobytes) / 1024).rounded(1) }

  /// A cost in the unit that suits it.
  private func duration(_ nanoseconds: Double) -> String {
    switch nanoseconds {
    case ..<1000: nanoseconds.rounded(1) + " ns"
    case ..<1_000_000: (nanoseconds / 1000).rounded(1) + " µs"
    default: (nanoseconds / 1_000_000).rounded(1) + " ms"
    }
  }

  /// Every target with its figure, and the count.
  public var verdictLines: [String] {
    let met = targets.count(where: \.isMet)
    return targets.map(\.line) + ["\(met) met, \(targets.count - met) missed"]
  }
}
