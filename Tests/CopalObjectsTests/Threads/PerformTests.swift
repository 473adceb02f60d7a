import Copal
import CopalTestSupport
import Foundation
import Testing

@Suite("Background work with perform")
struct PerformTests {
  /// Runs more tasks than there are processors. Each one yields repeatedly.
  static func ticks() async -> Int {
    let tasks = 4 * ProcessInfo.processInfo.activeProcessorCount
    return await withTaskGroup(of: Int.self) { group in
      for _ in 0..<tasks {
        group.addTask {
          for _ in 0..<100 { await Task.yield() }
          return 1
        }
      }
      return await group.reduce(0, +) / tasks
    }
  }

  // In a separate process, without other work on Swift's threads. It ends at once, or long after
  // the deadline: when the calls of perform block the threads of Swift's tasks, the pool adds only
  // one thread per second.
  @Test("perform does not block other tasks while its body waits for a lock")
  func waiting() async {
    await #expect(processExitsWith: .success) {
      let width = WideStore.manyThreads
      let container = try WideStore.container(width: width)
      let gate = Gate(deadlineSeconds: 30)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<width {
          group.addTask { try await container.perform { _ in gate.pass() } }
        }
        // All of them wait now on their own threads.
        #expect(await Gate.waits { gate.arrivedCount == width })
        #expect(await PerformTests.ticks() == 1)
        #expect(!gate.hasTimedOut)
        gate.open()
        try await group.waitForAll()
      }
    }
  }

  @Test("perform runs as many bodies at a time as the store allows", arguments: [1, 3])
  func width(_ width: Int) async throws {
    let container = try WideStore.container(width: width)
    let (gate, inside) = (Gate(), Tally())
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<(4 * width) {
        group.addTask {
          try await container.perform { _ in
            inside.add(1)
            gate.pass()
            inside.add(-1)
          }
        }
      }
      #expect(await Gate.waits { gate.arrivedCount == width })
      gate.open()
      try await group.waitForAll()
    }
    #expect(inside.maximum == width)
  }

  @Test("a store allows by default as many threads as processors, and at least four")
  func defaultWidth() throws {
    let processors = ProcessInfo.processInfo.activeProcessorCount
    for kind in bothStores {
      #expect(
        try TestStore(kind).atelier().store.maximumBackgroundThreadCount == max(4, processors))
    }
  }

  @Test("perform finishes when its container is released in the meantime")
  func containerEnds() async throws {
    let gate = Gate()
    func begin() throws -> Task<Int, any Error> {
      let container = try WideStore.container(width: 1)
      return Task {
        try await container.perform { context in
          gate.pass()
          _ = Painter(context: context, name: "Rosa")
          try context.save()
          return try context.count(Painter.self)
        }
      }
    }
    let task = try begin()
    #expect(await Gate.waits { gate.arrivedCount == 1 })
    gate.open()
    #expect(try await task.value == 1)
  }

  // In a separate process, without threads of other tests.
  @Test("perform starts threads only for work, and leaves none behind")
  func threads() async {
    await #expect(processExitsWith: .success) {
      func threadCount() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
      }
      guard FileManager.default.fileExists(atPath: "/proc/self/task") else { return }
      func work() async throws {
        let container = try TestStore(.memory).atelier()
        try await withThrowingTaskGroup(of: Void.self) { group in
          for _ in 0..<8 { group.addTask { try await container.perform { _ in } } }
          try await group.waitForAll()
        }
      }
      // Swift's own threads are there after this.
      _ = await PerformTests.ticks()
      try await work()
      let before = try threadCount()
      var idle: [PersistentContainer] = []
      for _ in 0..<100 {
        idle.append(try TestStore(.memory).atelier())
        _ = try idle.last?.makeContext().count(Painter.self)
        try await work()
        _ = try await PersistentContainer.open(
          model: .atelier, store: .inMemory, transformers: TestTransformers.atelier)
      }
      // One thread for each would be a hundred. Swift may have created a few more.
      let isBack = await Gate.waits { (try? threadCount()).map { $0 < before + 20 } == true }
      #expect(isBack && idle.count == 100)
    }
  }
}
