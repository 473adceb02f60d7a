// What Scripts/fuzz --mutations builds together with the sources of CopalArchive. It is not a part
// of the package.

import Glibc

/// Reads changed archives and property lists, and measures the time and the memory of each.
///
/// Arguments: the number of changed inputs, then the files and folders with the inputs to change.
@main
struct ArchiveMutations {
  /// What a read may take.
  static let greatestMilliseconds = 100.0
  static let greatestMemory = 16 << 20

  static func main() {
    let words = CommandLine.arguments
    guard words.count > 2, let count = Int(words[1]) else {
      print("mutations: a number, and files or folders")
      exit(64)
    }
    let found = words[2...].sorted().flatMap(files).map(content).filter { !$0.isEmpty }
    let inputs = found + found.flatMap(inner)
    guard !inputs.isEmpty else {
      print("mutations: the folders have no inputs")
      exit(1)
    }
    Memory.startCounting()
    var run = ArchiveMutations()
    // Those that are built by hand are at the limits only as they are.
    for input in inputs { run.read(input) }
    var random = SplitMix64(state: 12)
    for index in 0..<count {
      run.read(random.changed(inputs[index % inputs.count]))
      if (index + 1).isMultiple(of: 20_000) { print("\(index + 1) of \(count)") }
    }
    print(
      "\(count) changed inputs of \(inputs.count): \(run.values) read, \(run.errors) refused;",
      "the slowest took \(run.slowest) ms, the greatest memory was \(run.memory >> 10) KB above twice its input"
    )
    exit(run.isWithinLimits ? 0 : 1)
  }

  private var values = 0
  private var errors = 0
  private var slowest = 0.0
  private var memory = 0

  private var isWithinLimits: Bool {
    values > 0 && errors > 0 && slowest <= Self.greatestMilliseconds
      && memory <= Self.greatestMemory
  }

  private mutating func read(_ bytes: [UInt8]) {
    Memory.greatest = Memory.current
    let (before, start) = (Memory.current, ContinuousClock.now)
    do throws(ArchiveError) {
      _ = try PropertyListValue(bytes)
      values += 1
    } catch { errors += 1 }
    do throws(ArchiveError) {
      _ = try KeyedArchive(bytes).root(allowing: ["NSArray", "NSDictionary", "NSSet", "NSColor"])
      values += 1
    } catch { errors += 1 }
    slowest = max(slowest, (ContinuousClock.now - start) / .milliseconds(1))
    memory = max(memory, Memory.greatest - before - 2 * bytes.count)
  }

  /// The files of a folder; the file itself when it is none.
  private static func files(_ path: String) -> [String] {
    guard let folder = opendir(path) else { return [path] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append("\(path)/\(name)") }
    }
    return names.sorted()
  }

  /// The bytes in a property list: profiles of a terminal have archives of colors.
  private static func inner(_ bytes: [UInt8]) -> [[UInt8]] {
    guard case .dictionary(let values) = try? PropertyListValue(bytes) else { return [] }
    return values.pairs.compactMap { $0.value.data }.filter { !$0.isEmpty }
  }

  private static func content(_ path: String) -> [UInt8] {
    guard let file = fopen(path, "rb") else { return [] }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&chunk, 1, chunk.count, file), count > 0 {
      bytes += chunk[..<count]
    }
    return bytes
  }
}

/// The allocated memory, which the hooks of the address sanitizer count.
private enum Memory {
  nonisolated(unsafe) static var current = 0
  nonisolated(unsafe) static var greatest = 0

  static func startCounting() {
    _ = installHooks(
      { _, size in
        Memory.current += size
        if Memory.current > Memory.greatest { Memory.greatest = Memory.current }
      },
      { pointer in Memory.current -= allocatedSize(pointer) })
  }
}

// <sanitizer/allocator_interface.h>
@_silgen_name("__sanitizer_install_malloc_and_free_hooks")
private func installHooks(
  _ allocated: @convention(c) (UnsafeRawPointer?, Int) -> Void,
  _ freed: @convention(c) (UnsafeRawPointer?) -> Void
) -> CInt
@_silgen_name("__sanitizer_get_allocated_size")
private func allocatedSize(_ pointer: UnsafeRawPointer?) -> Int

/// SplitMix64: <https://prng.di.unimi.it/splitmix64.c>.
private struct SplitMix64: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
    return bits ^ bits >> 31
  }

  /// The bytes with one to four changes: other bytes and bits, copies, removed and repeated parts,
  /// extreme numbers.
  mutating func changed(_ original: [UInt8]) -> [UInt8] {
    var bytes = original
    for _ in 0..<Int.random(in: 1...4, using: &self) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &self)
      let end = min(bytes.count, place + Int.random(in: 1...16, using: &self))
      switch Int.random(in: 0..<8, using: &self) {
      case 0, 1: bytes[place] = UInt8.random(in: 0...255, using: &self)
      case 2: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &self)
      case 3: bytes[place] = bytes[Int.random(in: 0..<bytes.count, using: &self)]
      case 4: bytes.removeSubrange(place..<end)
      case 5: bytes.insert(contentsOf: bytes[place..<end], at: place)
      case 6:
        let byte: UInt8 = Bool.random(using: &self) ? 0xFF : 0
        for index in place..<end { bytes[index] = byte }
      default: bytes.removeLast(Int.random(in: 0...min(bytes.count, 40), using: &self))
      }
    }
    return bytes
  }
}
