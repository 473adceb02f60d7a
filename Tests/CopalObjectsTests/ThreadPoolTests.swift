import CopalStore
import Testing

@testable import CopalObjects

@Suite("Threads of our own")
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

  @Test("start when there is work, as many as there is work for, up to their number")
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

  @Test("one at least", arguments: [Int.min, -1, 0, 1])
  func least(width: Int) async {
    let (pool, done) = (pool(width: width), Tally())
    for _ in 0..<10 { pool.submit { done.add(1) } }
    #expect(await Gate.waits { done.value == 10 })
    #expect(running.maximum == 1)
  }

  @Test("take work in its order")
  func order() async {
    let pool = pool(width: 1)
    let seen = Locked<[Int]>([])
    for number in 0..<1000 { pool.submit { seen.withLock { $0.append(number) } } }
    #expect(await Gate.waits { seen.withLock { $0.count } == 1000 })
    #expect(seen.withLock { $0 } == Array(0..<1000))
  }

  @Test("leave no work to a thread that has other work to wait for")
  func idleThread() async {
    for _ in 0..<200 {
      let (pool, first, second) = (pool(width: 2), Gate(), Gate(deadlineSeconds: 60))
      pool.submit { first.open() }
      first.pass()
      // One thread is idle now, or about to be, and the first piece of work waits for the second.
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

  @Test("end with their pool, after the work that it was given")
  func ending() async {
    let done = Tally()
    for _ in 0..<50 {
      let pool = pool(width: 4)
      for _ in 0..<20 { pool.submit { done.add(1) } }
    }
    #expect(await Gate.waits { done.value == 1000 && running.value == 0 })
    #expect(running.maximum > 0)
  }

  @Test("may be where their pool ends")
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

  @Test("that the system does not give are done without", arguments: 0..<3)
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
