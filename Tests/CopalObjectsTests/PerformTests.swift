import Copal
import CopalTestSupport
import Foundation
import Testing

@Suite("Work in the background")
struct PerformTests {
  /// Runs more tasks than there are processors, each of which gives way to the others again and again.
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

  // In a process of its own, where nobody else keeps Swift's threads busy. It ends in no time, or long after
  // the deadline: where the performs wait on the threads of Swift's tasks, one more thread comes in a second.
  @Test("lets all tasks of the program go on while it waits")
  func waiting() async {
    await #expect(processExitsWith: .success) {
      let width = WideStore.manyThreads
      let container = try WideStore.container(width: width)
      let gate = Gate(deadlineSeconds: 30)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<width {
          group.addTask { try await container.perform { _ in gate.pass() } }
        }
        // All of them wait now, on their threads.
        #expect(await Gate.waits { gate.arrivedCount == width })
        #expect(await PerformTests.ticks() == 1)
        #expect(!gate.hasTimedOut)
        gate.open()
        try await group.waitForAll()
      }
    }
  }

  @Test("runs as many bodies at a time as the store asks for", arguments: [1, 3])
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

  @Test("stores ask for as many threads as there are processors, and four at least")
  func defaultWidth() throws {
    let processors = ProcessInfo.processInfo.activeProcessorCount
    for kind in bothStores {
      #expect(
        try TestStore(kind).atelier().store.maximumBackgroundThreadCount == max(4, processors))
    }
  }

  @Test("goes on when the container is let go of meanwhile")
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

  // In a process of its own, which has no other tests' threads.
  @Test("leaves no thread behind, and makes none before there is work")
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
      // One thread for each would be a hundred; Swift may have made a few more of its own.
      let isBack = await Gate.waits { (try? threadCount()).map { $0 < before + 20 } == true }
      #expect(isBack && idle.count == 100)
    }
  }
}
