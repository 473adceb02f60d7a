import BenchReport
import Foundation

extension Results.Machine {
  /// The description of this machine.
  static func here(_ folder: WorkFolder) -> Results.Machine {
    let processor: String
    let isVirtual: Bool
    let system: String
    #if os(Linux)
      let cpu = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
      processor = processorName(cpu)
      isVirtual = cpu.contains(" hypervisor")
      system = linuxName()
    #else
      processor = Tool.line("sysctl", ["-n", "machdep.cpu.brand_string"]) ?? "processor unknown"
      isVirtual = Tool.line("sysctl", ["-n", "kern.hv_vmm_present"]) == "1"
      system = "macOS " + (Tool.line("sw_vers", ["-productVersion"]) ?? "")
    #endif
    let info = ProcessInfo.processInfo
    return Results.Machine(
      processor: processor, architecture: Tool.line("uname", ["-m"]) ?? "",
      cores: info.processorCount,
      memoryGB: Int((Double(info.physicalMemory) / 1_073_741_824).rounded()),
      isVirtual: isVirtual, system: system,
      fileSystem: fileSystem(of: folder.url.path(percentEncoded: false)),
      sqlite: Tool.line(Tool.path("bench-floor"), ["sqlite"]) ?? "unknown",
      swift: swiftVersion())
  }

  /// The processor's name with family and model number, because in a virtual machine the name alone
  /// is often generic.
  private static func processorName(_ cpu: String) -> String {
    func value(_ key: String) -> String? {
      for line in cpu.split(separator: "\n") {
        let parts = line.split(separator: ":", maxSplits: 1)
        if parts.count == 2, parts[0].filter({ !$0.isWhitespace }) == key {
          return parts[1].split(separator: " ").joined(separator: " ")
        }
      }
      return nil
    }
    guard let name = value("modelname") ?? value("CPUpart").map({ "ARM part \($0)" }) else {
      return "processor unknown"
    }
    guard let family = value("cpufamily"), let model = value("model") else { return name }
    return "\(name) (family \(family), model \(model))"
  }

  private static func linuxName() -> String {
    let release = (try? String(contentsOfFile: "/etc/os-release", encoding: .utf8)) ?? ""
    var parts: [String] = []
    for line in release.split(separator: "\n") where line.hasPrefix("PRETTY_NAME=") {
      parts.append(line.dropFirst("PRETTY_NAME=".count).filter { $0 != "\"" })
    }
    if let kernel = Tool.line("uname", ["-r"]) {
      parts.append("Linux " + kernel.prefix { $0.isNumber || $0 == "." })
    }
    return parts.joined(separator: ", ")
  }

  /// The type of the file system with the data.
  private static func fileSystem(of folder: String) -> String {
    let mounts = (try? String(contentsOfFile: "/proc/self/mounts", encoding: .utf8)) ?? ""
    var found = (place: "", type: "file system unknown")
    for line in mounts.split(separator: "\n") {
      let parts = line.split(separator: " ")
      guard parts.count > 2, folder.hasPrefix(parts[1]) else { continue }
      // The longest mount point above the folder; of equal ones the last hides the others.
      if parts[1].count >= found.place.count { found = (String(parts[1]), String(parts[2])) }
    }
    return found.type
  }

  private static func swiftVersion() -> String {
    let line = Tool.line("swift", ["--version"]) ?? ""
    guard let start = line.firstRange(of: "Swift version ") else { return "unknown" }
    return String(line[start.upperBound...].prefix { $0 != " " })
  }
}
