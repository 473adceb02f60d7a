package import CopalEssentials
package import CopalModel

extension EntityLayout {
  /// Gives each large value of a new row a file, by its slot.
  ///
  /// - Parameter data: receives the contents of the files.
  package func files(
    of values: [PropertyValue], _ data: inout [ExternalFileName: Data]
  ) -> [Int: ExternalFileName] {
    var files: [Int: ExternalFileName] = [:]
    for slot in externalSlots {
      guard let threshold = attributes[slot].externalThreshold,
        case .binary(let value) = values[slot], value.count > threshold
      else { continue }
      let name = ExternalFileName(byteCount: value.count)
      files[slot] = name
      data[name] = value
    }
    return files
  }
}
