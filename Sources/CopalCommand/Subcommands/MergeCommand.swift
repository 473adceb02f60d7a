#if Command
  internal import ArgumentParser
  import CopalAuthoring
  import CopalEssentials
  import CopalModel

  struct MergeCommand: Subcommand {
    static let configuration = CommandConfiguration(
      commandName: "merge",
      abstract: "Merges two versions of a model with a common older one, by entity, property, key.",
      discussion: """
        The result is written over OURS, or to --output. Where both sides have changed the same \
        key, the result has git's markers, and the exit code is 1.

        EXAMPLES
          copal merge --install         in a repository: git uses it from then on
          copal merge base.json ours.json theirs.json --output merged.json
        """)

    @Flag(help: "Make git merge *.model.json with this command in the repository of this folder.")
    var install = false

    @Option(
      name: .shortAndLong,
      help: ArgumentHelp(
        "The file for the result, instead of OURS; - prints it.", valueName: "file"))
    var output: String?

    @Option(help: ArgumentHelp("What messages call the model; by default OURS.", valueName: "name"))
    var name: String?

    @Argument(help: "The older version, from which both come; it can be empty.")
    var base: String?

    @Argument(help: "The version of this side.")
    var ours: String?

    @Argument(help: "The version of the other side.")
    var theirs: String?

    func validate() throws {
      if install != (base == nil) || install != (theirs == nil) {
        throw ValidationError(
          install ? "--install goes without files." : "Name three files: BASE OURS THEIRS.")
      }
    }

    mutating func run(_ output: inout Output) throws {
      if install { return try installDriver(&output) }
      guard let base, let ours, let theirs else { return }
      let texts = [
        try Self.text(base, "the older version"), try Self.text(ours, "this side"),
        try Self.text(theirs, "the other side"),
      ]
      guard let merge = ModelMerge(base: texts[0], ours: texts[1], theirs: texts[2]) else {
        throw CommandFailure(.badInput, "copal: one of the files cannot be read as JSON")
      }
      let target = self.output ?? ours
      if target == "-" {
        output.write(merge.text)
      } else {
        try TextFile.write(merge.text, to: target)
      }
      let shown = (name ?? target).printable
      for conflict in merge.conflicts {
        output.complain("\(shown): conflict: \(conflict.printable)")
      }
      if !merge.conflicts.isEmpty {
        output.foundProblems = true
        output.complain("choose between the markers, then run copal format and copal check")
      } else {
        report(merge.text, shown, &output)
      }
    }

    /// A version; that of a model which both sides have added is empty.
    private static func text(_ path: String, _ side: String) throws -> String {
      let text = try TextFile(path).text
      if text.allSatisfy(\.isWhitespace) { return "{}" }
      if SyntaxTree(text) != nil { return text }
      do {
        _ = try ManagedObjectModel(json: text, file: path)
      } catch {
        let problems = error.problems.map(\.description.printable).joined(separator: "\n")
        throw CommandFailure(
          .badInput, "copal: \(side) cannot be read; nothing was merged\n\(problems)")
      }
      return text
    }

    /// Says if the two changes do not go together, such as a relationship without its entity.
    private func report(_ text: String, _ target: String, _ output: inout Output) {
      do {
        _ = try ManagedObjectModel(json: text, file: target)
      } catch {
        output.foundProblems = true
        output.complain("\(target.printable): the result is no valid model")
        for problem in error.problems { output.complain(problem.description.printable) }
      }
    }

    /// What git runs. Where the command is missing, or cannot read a version, git merges the lines.
    private static let driver =
      "copal merge --name=%P %O %A %B || { s=$?; [ $s = 1 ] && exit 1; git merge-file -L ours -L base -L theirs %A %O %B; }"

    private func installDriver(_ output: inout Output) throws {
      let attributes = try Git.root() + "/.gitattributes"
      try Git.setConfiguration("merge.copal.name", "Models of Copal, by meaning")
      try Git.setConfiguration("merge.copal.driver", Self.driver)
      let line = "*.model.json merge=copal"
      let old =
        FileManager.default.fileExists(atPath: attributes) ? try TextFile(attributes).text : ""
      if !old.split(whereSeparator: \.isNewline).contains(Substring(line)) {
        let start = old.isEmpty || old.hasSuffix("\n") ? old : old + "\n"
        try TextFile.write(start + line + "\n", to: attributes)
      }
      output.line("git merges *.model.json with \"copal merge\" in this repository")
      output.line("commit .gitattributes; each person runs this command once")
    }
  }
#endif
