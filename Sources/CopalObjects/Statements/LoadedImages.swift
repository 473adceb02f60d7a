#if os(Linux) && compiler(>=6.2) && canImport(Runtime)
  import CopalEssentials
  import Runtime

  /// The program and the libraries in the memory of the process.
  // Instead of `ImageMap.capture()`, which reads the memory of each mapped file: the process ends
  // if another thread removes a file from memory meanwhile, as SQLite does at the end of a
  // connection. Only the system's list is read here.
  struct LoadedImages: Equatable {
    /// A file with machine code.
    struct Image: Equatable {
      var path: String
      var start: UInt64
      var endOfCode: UInt64
    }

    /// By their addresses.
    private(set) var images: [Image] = []

    /// The images of this process; none where the system does not list them.
    static func current() -> LoadedImages {
      LoadedImages(maps: String(decoding: systemList(), as: UTF8.self))
    }

    /// The system's list of what is in memory; empty where there is none.
    // Not by Foundation, which takes a short read for the end: the system gives a page at a time.
    private static func systemList() -> [UInt8] {
      let descriptor = open("/proc/self/maps", O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return [] }
      defer { close(descriptor) }
      var list: [UInt8] = []
      var page = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let count = page.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
        if count > 0 {
          list += page.prefix(count)
        } else if count == 0 || errno != EINTR {
          return list
        }
      }
    }

    /// The images in a list of the system:
    /// https://man7.org/linux/man-pages/man5/proc_pid_maps.5.html.
    init(maps: String) {
      // The parts of one image follow each other. A file can be in memory twice, for example for
      // reading its symbols.
      var current: Image?
      for line in maps.split(separator: "\n") {
        guard let part = MappedPart(line) else { continue }
        if part.path != current?.path || part.offset == 0 {
          add(current)
          current = Image(path: part.path, start: part.start, endOfCode: 0)
        }
        if part.isCode { current?.endOfCode = part.end }
      }
      add(current)
    }

    private mutating func add(_ image: Image?) {
      if let image, image.endOfCode > 0 { images.append(image) }
    }

    /// The images as module `Runtime` wants them; nil if it does not understand them.
    func map() -> ImageMap? {
      // Before the names of platforms were added to the format, which has the same version.
      let forms = [encoded(afterPlatform: true), encoded(afterPlatform: false)]
      return forms.lazy.compactMap { decoded($0) }.first { isSame($0) }
    }

    /// See https://github.com/swiftlang/swift/blob/main/docs/CompactImageMapFormat.md.
    private func encoded(afterPlatform: Bool) -> [UInt8] {
      // Version 0 with addresses of 64 bits, and an empty name of the platform.
      var bytes: [UInt8] = afterPlatform ? [0x02, 0] : [0x02]
      bytes += [UInt8(0x80 | images.count >> 7 & 0x7F), UInt8(images.count & 0x7F)]
      for image in images {
        // 8 bytes for each number, and no build id.
        bytes.append(0x3F)
        for number in [image.start, image.endOfCode - image.start] {
          withUnsafeBytes(of: number.bigEndian) { bytes += $0 }
        }
        bytes.append(0)
        var path = Array(image.path.utf8)[...]
        while !path.isEmpty {
          let piece = path.prefix(0x3F)
          bytes.append(UInt8(piece.count))
          bytes += piece
          path = path.dropFirst(piece.count)
        }
        bytes.append(0)
      }
      return bytes
    }

    // As a part of a stack, because the decoder of a map alone ends the process when it does not
    // understand its input.
    private func decoded(_ bytes: [UInt8]) -> ImageMap? {
      let text = Data(bytes).base64EncodedString().prefix { $0 != "=" }
      let json = #"{"architecture":"","backtrace":"Ag","imageMap":"\#(text)"}"#
      return try? JSONDecoder().decode(Backtrace.self, from: Data(json.utf8)).images
    }

    private func isSame(_ map: ImageMap) -> Bool {
      map.count == images.count
        && zip(map, images).allSatisfy {
          $0.path == $1.path && UInt64($0.baseAddress) == $1.start
            && UInt64($0.endOfText) == $1.endOfCode
        }
    }
  }

  /// A part of a file in the memory of the process: a line of the system's list.
  private struct MappedPart {
    var path: String
    var start: UInt64
    var end: UInt64
    var offset: UInt64
    var isCode: Bool

    /// The part in a line; nil for memory that belongs to no file.
    init?(_ line: Substring) {
      // 7f0000000000-7f0000001000 r-xp 00002000 fe:00 1234        /usr/lib/libc.so.6
      let fields = line.split(separator: " ", maxSplits: 5)
      guard fields.count == 6 else { return nil }
      let path = fields[5].drop { $0 == " " }
      let range = fields[0].split(separator: "-")
      guard path.first == "/", range.count == 2,
        let start = UInt64(hexadecimal: String(range[0])),
        let end = UInt64(hexadecimal: String(range[1])),
        let offset = UInt64(hexadecimal: String(fields[2])), start < end
      else { return nil }
      self.path = String(path)
      (self.start, self.end, self.offset) = (start, end, offset)
      isCode = fields[1].contains("x")
    }
  }
#endif
