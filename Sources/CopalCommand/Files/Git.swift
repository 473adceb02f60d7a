#if Command
  import CopalEssentials

  /// Runs git, without a shell.
  enum Git {
    /// The bytes of a file of a revision: `HEAD~3:Models/Shop.model.json`.
    static func file(_ name: String) throws(CommandFailure) -> [UInt8] {
      let result = try run(["show", "--end-of-options", name])
      guard result.status == 0 else {
        throw CommandFailure(.inputOutput, "copal: git cannot show \(name.printable)")
      }
      return result.bytes
    }

    /// Sets a value of the repository.
    static func setConfiguration(_ name: String, _ value: String) throws(CommandFailure) {
      guard try run(["config", "--local", name, value]).status == 0 else {
        throw CommandFailure(.inputOutput, "copal: git cannot set \(name); is this a repository?")
      }
    }

    /// The folder of the repository.
    static func root() throws(CommandFailure) -> String {
      let result = try run(["rev-parse", "--show-toplevel"])
      guard result.status == 0 else {
        throw CommandFailure(.inputOutput, "copal: this folder is in no repository of git")
      }
      return String(decoding: result.bytes.dropLast(), as: UTF8.self)
    }

    /// The standard output of git. What git says on the standard error, the person sees.
    private static func run(_ arguments: [String]) throws(CommandFailure) -> (
      status: Int32, bytes: [UInt8]
    ) {
      var ends: [CInt] = [0, 0]
      guard pipe(&ends) == 0 else { throw failure() }
      let read = FileEnd(ends[0])
      let write = FileEnd(ends[1])
      #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
      #else
        var actions = posix_spawn_file_actions_t()
      #endif
      posix_spawn_file_actions_init(&actions)
      defer { posix_spawn_file_actions_destroy(&actions) }
      posix_spawn_file_actions_adddup2(&actions, write.number, STDOUT_FILENO)
      posix_spawn_file_actions_addclose(&actions, read.number)
      posix_spawn_file_actions_addclose(&actions, write.number)
      var words: [UnsafeMutablePointer<CChar>?] = (["git"] + arguments).map { strdup($0) }
      words.append(nil)
      defer { for word in words { free(word) } }
      var process = pid_t()
      // Signals are blocked here, where a thread waits for them, and must not be for git.
      #if canImport(Darwin)
        var attributes: posix_spawnattr_t?
      #else
        var attributes = posix_spawnattr_t()
      #endif
      posix_spawnattr_init(&attributes)
      defer { posix_spawnattr_destroy(&attributes) }
      var none = sigset_t()
      sigemptyset(&none)
      posix_spawnattr_setsigmask(&attributes, &none)
      posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
      guard posix_spawnp(&process, "git", &actions, &attributes, words, environ) == 0 else {
        throw CommandFailure(.inputOutput, "copal: git cannot be run")
      }
      write.end()
      let bytes = read.bytes()
      var status: Int32 = 0
      while waitpid(process, &status, 0) < 0, errno == EINTR {}
      return (status, bytes)
    }

    private static func failure() -> CommandFailure {
      CommandFailure(.inputOutput, "copal: git cannot be run: \(String(cString: strerror(errno)))")
    }
  }

  /// An end of a pipe, which is closed once.
  private final class FileEnd {
    let number: CInt
    private var isOpen = true

    init(_ number: CInt) { self.number = number }

    deinit { end() }

    func end() {
      if isOpen { close(number) }
      isOpen = false
    }

    /// Everything up to the end of the file.
    func bytes() -> [UInt8] {
      var bytes: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let count = read(number, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        if count <= 0 { return bytes }
        bytes += buffer[..<count]
      }
    }
  }
#endif
