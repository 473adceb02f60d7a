/// The list of words that the repository does not use, and the search for them.
enum OldWords {
  struct Finding {
    var line: Int
    var phrase: String
    var instead: String
  }

  /// Old words, and what to write instead. Lower case; words are separated by one space.
  ///
  /// A name in camel case counts as its words, an apostrophe as a part of its word.
  static let phrases: [(phrases: [String], instead: String)] = [
    // Names of types and functions
    (
      [
        "take over", "takes over", "took over", "taken over", "taking over", "takeover",
        "take it over", "took it over", "takes it over", "takes the edit over",
        "takes an edit over",
        "takes new entities over",
      ], "lightweight migration; to migrate"
    ),
    (["store meaning", "model meaning"], "schema hash"),
    (["foreign value", "foreign values"], "type mismatch"),
    (["foreign id", "foreign ids"], "id of another store"),
    (["a reading", "readings", "open reading", "of the reading"], "read transaction"),
    (["live cell", "live cells", "roomy cells", "note cells"], "pending values, side table"),
    (["settle", "settles", "settled"], "finishSave, adoptRow"),
    (["absorb", "absorbs", "absorbed"], "applyReceipt"),
    (["vacate", "vacates", "vacated"], "clearUniqueValues"),
    (["told", "tell awake", "tells awake"], "notify, report"),
    (["usual cache", "capitalised", "countmax"], "defaultCache…, capitalized, maximum…"),
    (["moved away"], "fileReplaced; not at its path"),
    (["program mistake"], "misuse"),
    (["unread object"], "incompleteObject"),
    (["floors"], "layers; lower bounds"),
    (["roof", "wing", "wings", "house", "doorway", "door", "doors"], "layer, module, API"),
    // Sentences
    (["allows each name once"], "name must be unique"),
    (["calls the number of a row so"], "is SQLite's rowid"),
    (["is no such value"], "invalid value"),
    (["as case does not count", "names ignore case"], "names are case-insensitive"),
    (["cut the circle"], "remove the cycle"),
    (["circle", "circles"], "cycle"),
    (["allows it not"], "does not allow it"),
    (["none of the few"], "unknown keyword"),
    (["constant an object"], "constant cost per object"),
    (["says of a commit", "of a model concerns a store"], "the result of a commit"),
    (["more objects than there are"], "an upper bound for limits"),
    (["unsaid", "goes without saying", "saying goes"], "(say it)"),
    (["who is whose"], "the keys that are fetched together"),
    (["that is none", "that are none", "is no number any more"], "invalid; not a number"),
    (["no bytes are"], "empty data"),
    (["the save by name", "a save by name"], "makes the save fail, naming the attribute"),
    (["once more for every"], "one line per run"),
    // Idioms
    (["moment of truth"], "(say what happens)"),
    (["half served"], "supported in part"),
    (
      [
        "hand over", "hands over", "handed over", "handing over", "hands them over",
        "hand them over",
        "hand it over", "hands it over", "hands the result over", "hands their rows over",
        "handed on", "hands on", "hand on", "hand out", "hands out", "handed out",
      ], "deliver, return, pass"
    ),
    (["mend", "mends", "mended", "mending"], "fix, repair"),
    (["such as is", "such as it is"], "(say which)"),
    (
      [
        "nobody's", "somebody's", "anybody's", "everybody's", "somebody else's", "anybody else's",
        "somebody else", "nobody else", "anybody else", "whoever", "whomever",
      ], "name who: the caller, another context, another program"
    ),
    (["one's own", "of our own", "of ours"], "custom; Copal's"),
    (
      ["let go", "lets go", "letting go", "lettinggo", "lets them go", "let it go"],
      "release, remove"
    ),
    (
      [
        "is no such", "no such object", "no such entity", "no such row", "no such rule",
        "no such process", "no such number",
      ], "there is no …; not"
    ),
    (["anew", "ever new", "once and for all", "for ever"], "again; once"),
    (["bearable", "unspeakable", "culprit", "kin", "sisters", "kinship"], "(say which)"),
    (["besides"], "also, in addition"),
    (["to and fro", "here and there", "there and back", "by and by"], "(say which)"),
    (["to be had", "at hand", "in vain", "sees to", "see to", "by itself alone"], "(say which)"),
    (["as a rule"], "usually"),
    (["blind to", "wander", "wanders", "stranger", "strangers"], "(say which)"),
    (["prevents nothing", "not unlike"], "(say it without a double negation)"),
    (["whither", "thither", "hereby", "thereof", "therein", "whereof", "wherein"], "(say which)"),
    // British spellings
    (["colour", "colours", "coloured"], "color"),
    (["behaviour", "behaviours"], "behavior"),
    (["neighbour", "neighbours", "neighbouring"], "neighbor"),
    (["favour", "favours", "favourite", "honour", "honours", "flavour"], "favor, honor, flavor"),
    (["centre", "centres", "metre", "metres", "fibre"], "center, meter"),
    (
      ["catalogue", "catalogues", "dialogue", "programme", "licence", "practise"],
      "American spelling"
    ),
    (
      ["cancelled", "cancelling", "labelled", "modelled", "modelling", "travelled"],
      "American spelling"
    ),
    (
      ["judgement", "acknowledgement", "artefact", "grey", "whilst", "amongst"], "American spelling"
    ),
    (["misspelt", "learnt", "spelt", "burnt", "dreamt"], "misspelled, learned"),
    (
      [
        "normalise", "normalises", "normalised", "initialise", "initialises", "initialised",
        "initialiser", "recognise", "recognises", "recognised", "organise", "organised",
        "serialise",
        "serialised", "optimise", "optimised", "analyse", "analysed", "minimise", "maximise",
        "summarise", "synchronise", "synchronised", "specialise", "specialised", "customise",
      ], "American spelling, -ize"
    ),
  ]

  /// Names and other texts that are found exactly as they are written, wherever they are.
  static let exactTexts: [(text: String, instead: String)] = [
    ("StoreMeaning", "SchemaHash"), ("isDamaged", "hasTypeMismatch"),
    ("LiveCells", "PendingValues"), ("greatestKey", "maxKey"), ("wholeNumber", "integerOrNil"),
    ("OtherKeys", "UnexpectedKeys"), ("QuickRule", "ValueRule"), ("orNull", "resultForNull"),
    ("WrittenNumber", "DecimalLiteral"), ("countMax", "maximumCount"),
    ("save.custom", "save.validationFailed"), ("unreadObject", "incompleteObject"),
    ("RowPlacer", "FaultRowReceiver"), ("failures[-1]", "rowFailure"),
    ("AttributeNames", "PropertyNames"), ("request.unknownAttribute", "request.unknownProperty"),
    ("ParameterlessTransformer", "RegistrableTransformer"), ("DeleteRule.none", "noAction"),
    ("ErrorCode+", "PersistenceError+…Codes"),
    ("Workbench", "StoreTester"), ("Yardstick", "QuietCheck"), ("Laboratory", "ProgramRunner"),
    ("KeyAliases", "TemporaryKeys"), ("setForeign", "setTypeMismatch"),
  ]

  /// The phrases by their first word.
  private static let byFirstWord: [String: [(words: [String], instead: String)]] = {
    var result: [String: [(words: [String], instead: String)]] = [:]
    for (phrases, instead) in phrases {
      for phrase in phrases {
        let words = phrase.split(separator: " ").map(String.init)
        result[words[0], default: []].append((words, instead))
      }
    }
    return result
  }()

  /// Every old word in a text, in order.
  static func findings(in text: String) -> [Finding] {
    let words = words(of: text)
    var findings: [Finding] = []
    for (index, word) in words.enumerated() {
      for candidate in byFirstWord[word.text] ?? [] {
        let end = index + candidate.words.count
        guard end <= words.count, words[index..<end].map(\.text) == candidate.words else {
          continue
        }
        findings.append(
          Finding(
            line: word.line, phrase: candidate.words.joined(separator: " "),
            instead: candidate.instead))
      }
    }
    for (exact, instead) in exactTexts where text.contains(exact) {
      for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
        .enumerated()
      where contains(line, exact) {
        findings.append(Finding(line: index + 1, phrase: exact, instead: instead))
      }
    }
    return findings
  }

  /// Whether a line has a text that is not a part of a longer name.
  private static func contains(_ line: Substring, _ exact: String) -> Bool {
    guard let range = line.firstRange(of: exact) else { return false }
    let isNamePart = { (character: Character) in character.isLetter || character.isNumber }
    let before = line[..<range.lowerBound].last.map(isNamePart) ?? false
    let after = line[range.upperBound...].first.map(isNamePart) ?? false
    return !before && !after
  }

  private struct Word {
    var text: String
    var line: Int
  }

  /// The words of a text in lower case, each with its line. A name in camel case is several words.
  private static func words(of text: String) -> [Word] {
    var words: [Word] = []
    var current: [UInt8] = []
    var line = 1
    func end() {
      if current.isEmpty { return }
      words.append(Word(text: String(decoding: current, as: UTF8.self), line: line))
      current.removeAll(keepingCapacity: true)
    }
    var wasLower = false
    for byte in text.utf8 {
      let isUpper = byte >= 65 && byte <= 90
      let isLower = byte >= 97 && byte <= 122
      let isDigit = byte >= 48 && byte <= 57
      let isApostrophe = byte == 39 && !current.isEmpty
      if isUpper && wasLower { end() }
      if isUpper || isLower || isDigit || isApostrophe || byte >= 128 {
        current.append(isUpper ? byte + 32 : byte)
      } else {
        end()
      }
      if byte == 10 { line += 1 }
      wasLower = isLower
    }
    end()
    return words
  }
}
