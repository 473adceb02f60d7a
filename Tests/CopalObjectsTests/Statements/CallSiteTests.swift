import Copal
import CopalTestSupport
import Testing

@testable import CopalObjects

@Suite("Call sites of statements")
struct CallSiteTests {
  @Test(
    "are functions of the program: not of Copal, of the standard library or of C",
    arguments: [
      ("$s5MyApp12PaintingListV6renderyyF", true),
      ("$s5MyApp6render7contexty12CopalObjects20ManagedObjectContextC_tF", true),
      ("$s17CopalObjectsTests8CallSiteV4showyyF", true),
      ("$sSa5MyAppE7loadAllyyF", true),
      ("_$s5MyApp6renderyyF", true),
      ("main", true),
      ("$s12CopalObjects20ManagedObjectContextC4saveyyKF", false),
      ("$sSa12CopalObjectsE4showyyF", false),
      ("$s11CopalSQLite9StatementC4stepSbyKF", false),
      ("$sSTsE3mapySayqd__Gqd__7ElementQzKXEKlF", false),
      ("$ss17withExtendedLifetimeyq_x_q_xKXEtKr0_lF", false),
      ("$sSo8NSStringC12CopalObjectsE4showyyF", false),
      ("$s", false), ("$s0", false), ("$s99999999999999999999", false), ("$s9MyApp", true),
      ("", false), ("malloc", false), ("_ZN5MyAppC", false), ("\u{1F3A8}", false),
    ])
  func modules(mangled: String, isOfProgram: Bool) {
    #expect(CallSiteFinder.isOfProgram(mangled) == isOfProgram)
  }

  @Test("are not the generated properties, but the functions that use them")
  func accessors() throws {
    let gallery = try StatementGallery()
    let accessors = gallery.container.runtime.accessors
    #expect(accessors.contains("Work.artist.getter"))
    #expect(accessors.contains("Artist.works.read"))
    #expect(!accessors.contains("Work.artistName.getter"))
    #expect(!accessors.contains("Work.artist"))
    #expect(!accessors.contains("PaintingList.artist.getter"))
    #expect(!accessors.contains("getter") && !accessors.contains(""))
  }

  @Test(
    "have the function's name without what the optimizer has done with it",
    arguments: [
      ("specialized PaintingList.render()", "PaintingList.render()"),
      ("partial apply for specialized Work.artist.getter", "Work.artist.getter"),
      ("merged render()", "render()"), ("specializedRender()", "specializedRender()"),
    ])
  func optimized(name: String, shown: String) {
    #expect(CallStack.Function(mangledName: "$s", name: name, address: 1).name == shown)
  }

  @Test("are read as the function, and the file and the line where they are known")
  func text() {
    #expect(CallSite(function: "render()").description == "render()")
    #expect(
      CallSite(function: "render()", file: "List.swift", line: 42).description
        == "render() (List.swift:42)")
  }

  @Test("are left out by a log that does not keep them")
  func notKept() throws {
    let gallery = try StatementGallery()
    let log = StatementLog(keepsCallSites: false)
    gallery.context.statementLog = log
    try gallery.context.expectStatements(atMost: 1) { _ = try gallery.context.count(Work.self) }
    #expect(log.records.count == 1 && log.records.allSatisfy { $0.callSite == nil })
  }

  #if os(Linux)
    private var context: ManagedObjectContext { gallery.context }
    private let gallery: StatementGallery

    init() throws { gallery = try StatementGallery() }

    // Not inlined: a release build names the function that the code is inlined into.
    @inline(never)
    private func countArtists() throws { _ = try context.count(Artist.self) }

    private func fetchInDepth(_ depth: Int) throws {
      if depth > 0 { return try fetchInDepth(depth - 1) }
      try countArtists()
    }

    @Test("are found below any number of calls", .modelAsIs, arguments: [0, 10, 1000])
    func depth(depth: Int) throws {
      let log = StatementLog()
      context.statementLog = log
      try fetchInDepth(depth)
      let site = try #require(log.records.first?.callSite)
      #expect(site.function == "CallSiteTests.countArtists()")
      #expect(site.file == "CallSiteTests.swift")
      #expect(try #require(site.line) > 50)
    }

    @inline(never)
    private func countAfterAwaiting() async throws {
      await Task.yield()
      _ = try context.count(Artist.self)
    }

    @Test("in an async function are that function")
    func asynchronous() async throws {
      let log = StatementLog()
      context.statementLog = log
      try await countAfterAwaiting()
      _ = try context.count(Work.self)
      let sites = log.records.map { $0.callSite?.function }
      #expect(
        sites == ["CallSiteTests.countAfterAwaiting()", "CallSiteTests.asynchronous()"])
    }
  #endif
}
