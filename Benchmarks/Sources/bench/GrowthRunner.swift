import BenchKit
import BenchReport
import Foundation

/// Runs the workloads that must grow linearly, at their sizes, and the C program as the reference.
struct GrowthRunner {
  private let options: RunOptions
  private let folder: WorkFolder
  private let quietCheck: QuietCheck

  init(_ options: RunOptions, _ folder: WorkFolder, _ quietCheck: QuietCheck) {
    self.options = options
    self.folder = folder
    self.quietCheck = quietCheck
  }

  func measure(_ progress: inout Progress) throws -> [Results.Growth] {
    var growth: [Results.Growth] = []
    for workload in options.growth where !workload.isMemory {
      var points: [Results.Growth.Point] = []
      for size in options.sizes(of: workload) {
        points.append(try point(workload, size, &progress))
      }
      growth.append(
        Results.Growth(
          name: workload.rawValue, sizeName: workload.sizeName, unit: workload.unit,
          reference: workload.reference?.title, points: points))
    }
    return growth
  }

  func measureMemory(_ progress: inout Progress) throws -> [Results.Memory] {
    var memory: [Results.Memory] = []
    for workload in options.growth where workload.isMemory {
      for size in options.sizes(of: workload) {
        progress.step("\(workload)")
        // Once, because memory does not depend on other work of the machine.
        let measured = try run(workload, size)
        guard let start = measured.residentStart, let end = measured.residentEnd else { continue }
        memory.append(
          Results.Memory(
            name: workload.rawValue, operations: measured.units, startKilobytes: start,
            endKilobytes: end, isStopped: measured.isStopped))
      }
    }
    return memory
  }

  /// The medians of several rounds at one size. A stopped workload is not measured again.
  private func point(_ workload: any SizedWorkload, _ size: Int, _ progress: inout Progress) throws
    -> Results.Growth.Point
  {
    var costs: [Double] = []
    var references: [Double] = []
    var stoppedAt: Int?
    for round in 1...options.growthRounds {
      progress.step("\(workload) at \(size), round \(round)")
      if stoppedAt != nil { continue }
      let measured = try quietCheck.measure { try run(workload, size) }
      costs.append(measured.cpuMilliseconds * 1e6 / Double(max(1, measured.units)))
      if let time = measured.referenceMilliseconds, let units = measured.referenceUnits {
        references.append(time * 1e6 / Double(max(1, units)))
      }
      if workload.reference == .floor {
        let floor = try quietCheck.measure { try runFloor(workload, size) }
        references.append(floor.cpuMilliseconds * 1e6 / Double(floor.units ?? 1))
        if !measured.isStopped, floor.checksum != measured.checksum {
          throw Failure("\(workload) at \(size): the C program has read something else")
        }
      }
      if measured.isStopped { stoppedAt = measured.units }
    }
    return Results.Growth.Point(
      size: size, cost: median(costs), reference: references.isEmpty ? nil : median(references),
      stoppedAt: stoppedAt)
  }

  // MARK: Running

  private func tool(_ workload: any SizedWorkload) -> String {
    Tool.path(type(of: workload).program)
  }

  private func run(_ workload: any SizedWorkload, _ size: Int) throws -> GrowthMeasurement {
    let line = try Tool.output(
      tool(workload),
      [workload.rawValue, "\(size)", try file(workload, size), "\(options.budget)"])
    return try JSONDecoder().decode(GrowthMeasurement.self, from: line)
  }

  private func runFloor(_ workload: any SizedWorkload, _ size: Int) throws -> BenchKit.Measurement {
    let line = try Tool.output(
      Tool.path("bench-floor"), [workload.rawValue, "\(size)", try file(workload, size)])
    return try JSONDecoder().decode(BenchKit.Measurement.self, from: line)
  }

  /// The file of a workload: a new file, or a store that is made once for each size.
  private func file(_ workload: any SizedWorkload, _ size: Int) throws -> String {
    try GrowthFiles(folder, tool(workload)).file(workload, size)
  }
}

/// The stores of the growth workloads, each made on first use.
struct GrowthFiles {
  private let folder: WorkFolder
  private let tool: String
  private let prefix: String

  init(_ folder: WorkFolder, _ tool: String, prefix: String = "") {
    self.folder = folder
    self.tool = tool
    self.prefix = prefix
  }

  func file(_ workload: any SizedWorkload, _ size: Int) throws -> String {
    guard let content = workload.contentName else {
      let file = folder.file("\(prefix)growth.sqlite")
      WorkFolder.removeStore(file)
      return file
    }
    let rows = workload.contentGrows ? "-\(size)" : ""
    let file = folder.file("\(prefix)growth-\(content)\(rows).sqlite")
    if !FileManager.default.fileExists(atPath: file) {
      _ = try Tool.output(tool, ["fill", content, "\(size)", file])
    }
    return file
  }
}
