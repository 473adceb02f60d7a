import CopalStore
import Testing

@testable import CopalObjects

@Suite("ThreadPool")
struct ThreadPoolTests {
  /// Counts the threads that run.
  private let running = Tally()

  private func pool(width: Int) -> ThreadPool {
    ThreadPool(width: width) { [running] body in
      running.add(1)
      return SystemThread.start {
        body()
        running.add(-1)
      }
    }
  }

  @Test("a thread pool starts threads for waiting work, up to its limit")
  func starting() async {
    let pool = pool(width: 4)
    #expect(running.maximum == 0)
    let gate = Gate()
    for count in 1...10 {
      pool.submit { gate.pass() }
      #expect(running.value == min(count, 4))
    }
    #expect(await Gate.waits { gate.arrivedCount == 4 })
    gate.open()
    #expect(await Gate.waits { gate.arrivedCount == 10 })
    #expect(running.maximum == 4 && !gate.hasTimedOut)
  }

  @Test("a thread pool has at least one thread", arguments: [Int.min, -1, 0, 1])
  func least(width: Int) async {
    let (pool, done) = (pool(width: width), Tally())
    for _ in 0..<10 { pool.submit { done.add(1) } }
    #expect(await Gate.waits { done.value == 10 })
    #expect(running.maximum == 1)
  }

  @Test("a thread pool runs work in order")
  func order() async {
    let pool = pool(width: 1)
    let seen = Locked<[Int]>([])
    for number in 0..<1000 { pool.submit { seen.withLock { $0.append(number) } } }
    #expect(await Gate.waits { seen.withLock { $0.count } == 1000 })
    #expect(seen.withLock { $0 } == Array(0..<1000))
  }

  @Test("a thread pool starts a thread when every other one is busy")
  func idleThread() async {
    for _ in 0..<200 {
      let (pool, first, second) = (pool(width: 2), Gate(), Gate(deadlineSeconds: 60))
      pool.submit { first.open() }
      first.pass()
      // One thread is idle now or soon, and the first piece of work waits for the second.
      pool.submit { second.pass() }
      pool.submit { second.open() }
      second.pass()
      if second.hasTimedOut {
        Issue.record("work waits for a thread that there could be")
        return
      }
    }
    #expect(await Gate.waits { running.value == 0 })
  }

  @Test("threads finish the submitted work and end when their pool is released")
  func ending() async {
    let done = Tally()
    for _ in 0..<50 {
      let pool = pool(width: 4)
      for _ in 0..<20 { pool.submit { done.add(1) } }
    }
    #expect(await Gate.waits { done.value == 1000 && running.value == 0 })
    #expect(running.maximum > 0)
  }

  @Test("a thread pool can be released on one of its threads")
  func endingOnAThread() async {
    let done = Tally()
    for _ in 0..<50 {
      let last = Locked<ThreadPool?>(pool(width: 2))
      last.withLock { $0 }?.submit {
        last.withLock { $0 = nil }
        done.add(1)
      }
    }
    #expect(await Gate.waits { done.value == 50 && running.value == 0 })
  }

  @Test("a thread pool does its work when the system cannot create threads", arguments: 0..<3)
  func refused(given: Int) async {
    let done = Tally()
    do {
      let started = Tally()
      let pool = ThreadPool(width: 8) { [running] body in
        if started.value >= given { return false }
        started.add(1)
        running.add(1)
        return SystemThread.start {
          body()
          running.add(-1)
        }
      }
      for round in 1...10 {
        for _ in 0..<100 { pool.submit { done.add(1) } }
        #expect(await Gate.waits { done.value == 100 * round })
      }
    }
    #expect(await Gate.waits { running.value == 0 })
  }
}
