#if os(Linux) && compiler(>=6.2) && canImport(Runtime)
  import CopalStore
  import CopalTestSupport
  import Foundation
  import Runtime
  import Testing

  @testable import CopalObjects

  @Suite("The program and the libraries in memory, for call sites")
  struct LoadedImagesTests {
    private typealias Image = LoadedImages.Image

    @Test("are the files with machine code in the system's list, with all their parts")
    func list() {
      let images = LoadedImages(
        maps: """
          5500000000-5500001000 r--p 00000000 fe:00 10                             /opt/my app/atelier
          5500001000-5500003000 r-xp 00001000 fe:00 10                             /opt/my app/atelier
          5500003000-5500004000 rw-p 00003000 fe:00 10                             /opt/my app/atelier
          5500004000-5500005000 rw-p 00000000 00:00 0 
          5500005000-5500009000 rw-p 00000000 00:00 0                              [heap]
          7f00000000-7f00008000 rw-s 00000000 fe:00 12                             /data/atelier.sqlite-shm
          7f10000000-7f10001000 r-xp 00000000 fe:00 11                             /usr/lib/libc.so.6
          7f10001000-7f10002000 r--p 00001000 fe:00 11                             /usr/lib/libc.so.6
          7f20000000-7f20009000 r--p 00000000 fe:00 10                             /opt/my app/atelier
          7ffc000000-7ffc002000 r-xp 00000000 00:00 0                              [vdso]
          no line of a list
          7f-zz r-xp 0 fe:00 1 /strange
          7f30000000-7f20000000 r-xp 00000000 fe:00 1 /backwards
          """)
      #expect(
        images.images == [
          Image(path: "/opt/my app/atelier", start: 0x55_0000_0000, endOfCode: 0x55_0000_3000),
          Image(path: "/usr/lib/libc.so.6", start: 0x7F_1000_0000, endOfCode: 0x7F_1000_1000),
        ])
      #expect(LoadedImages(maps: "").images.isEmpty)
    }

    @Test("become a map of module Runtime, whatever their number and their names")
    func map() throws {
      #expect(LoadedImages(maps: "").map()?.count == 0)
      for count in [1, 127, 128, 3000] {
        let lines = (1...count).map { number in
          "\(String(number, radix: 16))000-\(String(number, radix: 16))800 r-xp 0 fe:00 1 "
            + "/lib/\(String(repeating: "größer/", count: number % 40))\(number).so"
        }
        let images = LoadedImages(maps: lines.joined(separator: "\n"))
        let map = try #require(images.map())
        #expect(map.count == count)
        #expect(map.map(\.path) == images.images.map(\.path))
        #expect(map.map { UInt64($0.endOfText) } == (1...UInt64(count)).map { $0 << 12 + 0x800 })
      }
    }

    // The system gives its list a page at a time; the first page once was taken for all.
    @Test("have each file with machine code that another program finds in the system's list")
    func wholeList() throws {
      let cat = Process()
      let output = Pipe()
      cat.executableURL = URL(filePath: "/bin/cat")
      cat.arguments = ["/proc/\(ProcessInfo.processInfo.processIdentifier)/maps"]
      cat.standardOutput = output
      try cat.run()
      let list = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      cat.waitUntilExit()
      let files = list.split(separator: "\n").filter { $0.contains(" r-xp ") }.compactMap { line in
        line.firstIndex(of: "/").map { String(line[$0...]) }
      }
      #expect(list.utf8.count > 4096 && files.count > 5)
      let listed = Set(LoadedImages.current().images.map(\.path))
      #expect(Set(files).subtracting(listed) == [])
    }

    @Test("can be listed while another thread removes files from memory")
    func race() async throws {
      let file = RunFolder.url.appending(path: "mapped-\(UUID())")
      try Data(count: 1 << 16).write(to: file)
      defer { try? FileManager.default.removeItem(at: file) }
      let (descriptor, path) = (open(file.path, O_RDONLY), file.path)
      defer { close(descriptor) }
      let isEnded = Locked(false)
      let mapping = Task.detached {
        while !isEnded.withLock({ $0 }) {
          let memory = mmap(nil, 1 << 16, PROT_READ, MAP_SHARED, descriptor, 0)
          munmap(memory, 1 << 16)
          await Task.yield()
        }
      }
      let program = try #require(LoadedImages.current().images.first)
      for _ in 0..<300 {
        let images = LoadedImages.current()
        #expect(images.images.first == program && !images.images.contains { $0.path == path })
        #expect(images.map() != nil)
      }
      isEnded.withLock { $0 = true }
      await mapping.value
    }
  }
#endif
