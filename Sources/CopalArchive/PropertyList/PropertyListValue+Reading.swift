extension PropertyListValue {
  /// The property list that some bytes hold: a binary one, or one in XML.
  ///
  /// - Throws: ``ArchiveError`` for bytes that are not a property list, and for those that are
  ///   above a limit. The process never ends, and the time is in proportion to the number of bytes
  ///   and values.
  public init(_ bytes: some Collection<UInt8>, limits: ArchiveLimits = .standard)
    throws(ArchiveError)
  {
    // A typed error cannot go through the function of the collection.
    let read = bytes.withContiguousStorageIfAvailable { bytes in
      Result { () throws(ArchiveError) in try Self(bytes: UnsafeRawBufferPointer(bytes), limits) }
    }
    if let read {
      self = try read.get()
    } else {
      try self.init(Array(bytes), limits: limits)
    }
  }

  /// The property list that some bytes hold, without a copy of the bytes.
  ///
  /// - Throws: ``ArchiveError``, as ``init(_:limits:)``.
  public init(bytes: UnsafeRawBufferPointer, _ limits: ArchiveLimits = .standard)
    throws(ArchiveError)
  {
    guard bytes.count <= limits.size else {
      throw ArchiveError(.size, found: "\(bytes.count)", expected: "\(limits.size)")
    }
    if BinaryReader.canRead(bytes) {
      var reader = try BinaryReader(bytes, limits)
      self = try reader.read()
    } else if XMLReader.canRead(bytes) {
      var reader = XMLReader(bytes, limits)
      self = try reader.read()
    } else {
      throw ArchiveError(.notPropertyList, found: start(of: bytes))
    }
  }
}

/// The first bytes, for messages.
private func start(of bytes: UnsafeRawBufferPointer) -> String {
  if bytes.isEmpty { return "nothing" }
  return bytes.prefix(8).map { byte in
    let text = String(byte, radix: 16, uppercase: true)
    return byte < 16 ? "0" + text : text
  }.joined(separator: " ")
}
