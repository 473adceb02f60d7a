import Copal
import CopalColor
import CopalModel
import CopalStore
import CopalTestSupport
import Testing

@testable import CopalObjects

@Suite("Cohorts")
struct CohortTests {
  @Test("a cohort without faults is removed by a sweep, and the others stay", .modelAsIs)
  func sweeping() throws {
    let container = try TestStore(.memory).atelier()
    let writer = container.makeContext()
    for number in 0..<4 { _ = Painter(context: writer, name: "\(number)") }
    try writer.save()
    let context = container.makeContext()
    var request = Painter.fetchRequest()
    request.returnsObjectsAsFaults = true
    let painters = try context.fetch(request)
    let cohorts = context.state.cohorts
    #expect(painters.allSatisfy { cohorts.cohort(of: $0)?.keys.count == 4 && $0.needsCohort })
    context.state.sweep()
    #expect(context.state.cohorts.cohort(of: painters[0]) != nil)
    #expect(painters.map(\.name) == ["0", "1", "2", "3"])
    #expect(!painters[0].needsCohort)
    context.state.sweep()
    #expect(context.state.cohorts.cohort(of: painters[0]) == nil)
  }
}
