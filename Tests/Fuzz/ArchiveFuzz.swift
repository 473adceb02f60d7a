// What Scripts/fuzz builds together with the sources of CopalArchive: the entry point of libFuzzer
// (https://llvm.org/docs/LibFuzzer.html). It is not a part of the package.

/// Reads bytes as a property list and as a keyed archive. What can be read must be the same after
/// it was written and read again.
@_cdecl("LLVMFuzzerTestOneInput")
public func readArchive(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = UnsafeRawBufferPointer(start: start, count: count)
  // A value that is used often is read once, and written as often as it is used.
  let isWritten = count <= 512
  do { try readPropertyList(bytes, isWritten) } catch {}
  do { try readKeyedArchive(bytes, isWritten) } catch {}
  return 0
}

private func readPropertyList(_ bytes: UnsafeRawBufferPointer, _ isWritten: Bool) throws {
  let value = try PropertyListValue(bytes)
  guard isWritten else { return }
  let written = value.binary()
  let again = try PropertyListValue(
    written, limits: ArchiveLimits(size: .max, count: .max, depth: 512))
  precondition(again.binary() == written, "a property list changes when it is written and read")
  if let text = try? value.xml() { _ = try PropertyListValue(text.utf8) }
}

private func readKeyedArchive(_ bytes: UnsafeRawBufferPointer, _ isWritten: Bool) throws {
  let archive = try KeyedArchive(bytes: bytes)
  let allowed: Set = [
    "NSArray", "NSDictionary", "NSSet", "NSColor", "SerializableColor", "NSAttributedString",
    "NSURL", "NSUUID", "NSDate", "NSData", "NSString", "NSNumber",
  ]
  let root = try archive.root(allowing: allowed)
  guard isWritten else { return }
  let written = KeyedArchive.bytes(of: root)
  let again = try KeyedArchive(written).root(allowing: allowed)
  precondition(
    KeyedArchive.bytes(of: again) == written, "an archive changes when it is written and read")
}
