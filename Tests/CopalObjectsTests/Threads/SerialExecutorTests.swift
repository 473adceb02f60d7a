import Copal
import CopalTestSupport
import Synchronization
import Testing

@testable import CopalObjects

@Suite("An actor with its own context")
struct SerialExecutorTests {
  private actor Archive {
    private let executor: ContextSerialExecutor
    private let context: ManagedObjectContext
    private var names: [String] = []

    nonisolated var unownedExecutor: UnownedSerialExecutor {
      executor.asUnownedSerialExecutor()
    }

    init(_ container: PersistentContainer) {
      executor = container.makeSerialExecutor()
      context = container.makeContext()
    }

    func add(_ name: String) throws -> Int {
      preconditionIsolated()
      _ = Painter(context: context, name: name)
      try context.save()
      names.append(name)
      return try context.count(Painter.self)
    }

    func wait(at gate: Gate, _ inside: Tally? = nil) {
      inside?.add(1)
      gate.pass()
      inside?.add(-1)
    }

    func all() -> [String] { names }

    /// Waits for other work in between.
    func addLater(_ name: String) async throws -> Int {
      await Task.yield()
      try await Task.sleep(for: .milliseconds(1))
      preconditionIsolated()
      return try add(name)
    }
  }

  @Test("an actor on the container's executor runs one job at a time")
  func working() async throws {
    let archive = Archive(try WideStore.container(width: 4))
    let counts = try await withThrowingTaskGroup(of: Int.self) { group in
      for index in 0..<100 {
        group.addTask { try await archive.add("Painter \(index)") }
        group.addTask { try await archive.addLater("Late \(index)") }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(counts.sorted() == Array(1...200))
    #expect(await archive.all().count == 200)
  }

  // In a separate process, like the same test of `perform`.
  @Test("an actor on the container's executor does not block other tasks while it waits for a lock")
  func waiting() async {
    await #expect(processExitsWith: .success) {
      let width = WideStore.manyThreads
      let container = try WideStore.container(width: width)
      let gate = Gate(deadlineSeconds: 30)
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<width {
          let archive = Archive(container)
          group.addTask { await archive.wait(at: gate) }
        }
        #expect(await Gate.waits { gate.arrivedCount == width })
        #expect(await PerformTests.ticks() == 1)
        #expect(!gate.hasTimedOut)
        gate.open()
      }
    }
  }

  @Test("many actors share the few threads of a container")
  func sharing() async throws {
    let container = try WideStore.container(width: 3)
    let (gate, inside) = (Gate(), Tally())
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<100 {
        let archive = Archive(container)
        group.addTask { await archive.wait(at: gate, inside) }
      }
      #expect(await Gate.waits { gate.arrivedCount == 3 })
      gate.open()
    }
    #expect(gate.arrivedCount == 100 && inside.maximum == 3)
  }

  @Test("an actor outlives its container, and is released on the thread of its last job")
  func lifetimes() async throws {
    let running = Tally()
    weak var probe: Archive?
    do {
      let archive = Archive(try WideStore.container(width: 2))
      probe = archive
      #expect(try await archive.add("Rosa") == 1)
      #expect(probe != nil)
    }
    #expect(await Gate.waits { probe == nil })

    /// An actor on threads that are counted.
    actor Counted {
      private let executor: ContextSerialExecutor
      nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
      }
      private var answers = 41
      init(_ pool: ThreadPool) { executor = ContextSerialExecutor(pool) }
      // Uses the actor's state, so that an optimized build cannot skip the hop to the actor.
      @inline(never)
      func answer() -> Int {
        answers += 1
        return answers
      }
    }
    for _ in 0..<100 {
      let pool = ThreadPool(width: 2) { body in
        running.add(1)
        return SystemThread.start {
          body()
          running.add(-1)
        }
      }
      // Only the task references the actor, and only the actor references its executor.
      let task = Task { [actor = Counted(pool)] in await actor.answer() }
      #expect(await task.value == 42)
    }
    #expect(running.maximum > 0)
    #expect(await Gate.waits { running.value == 0 })
  }

  @Test("an actor with much work does not occupy a thread")
  func fairness() async throws {
    let container = try WideStore.container(width: 1)
    let archive = Archive(container)
    let isDone = Atomic<Bool>(false)
    let busy = Task {
      while !isDone.load(ordering: .relaxed) { _ = await archive.all() }
    }
    // On the same thread, the only one.
    #expect(try await container.perform { try $0.count(Painter.self) } == 0)
    isDone.store(true, ordering: .relaxed)
    await busy.value
  }
}
