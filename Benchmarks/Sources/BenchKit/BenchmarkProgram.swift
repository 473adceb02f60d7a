import Foundation

/// The body of a benchmark program: `PROGRAM WORKLOAD ROWS FILE [REPEATS]`.
///
/// It prints one line of JSON. For the work that makes a file, the file does not exist yet; for the
/// others it is a store that Copal made. With repeats the process does the work that many times
/// more, each time from the first step, and on a copy of the file where the work changes it.
public func benchmarkProgram(
  _ work: (Workload, _ rows: Int, _ file: String) throws -> () throws -> UInt64,
  relationships: Relationships? = nil, families: Families? = nil
) {
  let name = CommandLine.arguments.dropFirst().first ?? ""
  if let relationships, RelationshipWorkload(rawValue: name) != nil {
    relationshipProgram(relationships)
  } else if let families, FamilyWorkload(rawValue: name) != nil {
    familyProgram(families)
  } else {
    measuredProgram(work)
  }
}

/// The work with relationships of a program.
public typealias Relationships = (RelationshipWorkload, _ rows: Int, _ file: String) throws -> ()
  throws -> UInt64

/// The same for a program that does only work with relationships.
public func relationshipProgram(_ work: Relationships) { measuredProgram(work) }

/// The work with entities of one table.
public typealias Families = (FamilyWorkload, _ rows: Int, _ file: String) throws -> () throws ->
  UInt64

/// The same for a program that does only work with entities of one table.
public func familyProgram(_ work: Families) { measuredProgram(work) }

private func measuredProgram<Work: ProgramWorkload>(
  _ work: (Work, _ rows: Int, _ file: String) throws -> () throws -> UInt64
) {
  let arguments = CommandLine.arguments
  guard (4...5).contains(arguments.count), let workload = Work(rawValue: arguments[1]),
    let rows = Int(arguments[2]), let repeats = Int(arguments.count == 5 ? arguments[4] : "0")
  else { endProgram(64, "usage: PROGRAM WORKLOAD ROWS FILE [REPEATS]") }
  do {
    var file = WorkFile(arguments[3], workload, isRepeated: repeats > 0)
    var measurement = try Measurement.of(try work(workload, rows, try file.next()))
    for _ in 0..<repeats {
      let once = try Measurement.of(try work(workload, rows, try file.next()))
      guard once.checksum == measurement.checksum else {
        endProgram(1, "the work has not the same result twice")
      }
      measurement.again = (measurement.again ?? []) + [once.cpuMilliseconds]
    }
    file.removeCopy()
    try printJSON(measurement)
  } catch {
    endProgram(1, "\(arguments[0]): \(error)")
  }
}

/// The files that a process works on, one for each time.
struct WorkFile {
  private let original: String
  private let workload: any ProgramWorkload
  private let isRepeated: Bool
  private var copy: String { original + "-again" }

  init(_ original: String, _ workload: any ProgramWorkload, isRepeated: Bool) {
    self.original = original
    self.workload = workload
    self.isRepeated = isRepeated
  }

  mutating func next() throws -> String {
    guard isRepeated, workload.makesFile || workload.changesFile else { return original }
    removeCopy()
    if workload.changesFile {
      for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: original + suffix) {
        try FileManager.default.copyItem(atPath: original + suffix, toPath: copy + suffix)
      }
    }
    return copy
  }

  func removeCopy() {
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: copy + suffix)
    }
  }
}

func printJSON(_ value: some Encodable) throws {
  print(String(decoding: try JSONEncoder().encode(value), as: UTF8.self))
}

func endProgram(_ code: Int32, _ message: String) -> Never {
  FileHandle.standardError.write(Data("\(message)\n".utf8))
  exit(code)
}
