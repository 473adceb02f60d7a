/// Texts that change a statement of SQL, or a pattern, if they become a part of it.
enum HostileTexts {
  static let all = quotes + comments + statements + selections + patterns + characters + long

  private static let quotes = [
    "'", "''", "\"", "\"\"", "`", "\\", "\\'", "\\\"", "' OR '1'='1", "\" OR \"1\"=\"1",
    "' OR 1=1 --", "\" OR 1=1 --", "') OR ('1'='1", "\") OR (\"1\"=\"1", "' OR ''='", "x' AND 1=0",
    "it's", "[name]", "]", "$$x$$",
  ]
  private static let comments = [
    "--", "-- x", "/*", "*/", "/* x */", "x'--", "x'/*", "#", "';--", "\n--\n",
  ]
  private static let statements = [
    "'; DROP TABLE \"Maker\"; --", "\"; DROP TABLE canary; --", "1; DELETE FROM canary",
    "'; UPDATE canary SET x = 0; --", "x'); INSERT INTO canary VALUES(9); --",
    "'; ATTACH DATABASE 'x.db' AS x; --", "'; PRAGMA writable_schema = 1; --",
    "'; VACUUM; --", "; COMMIT; --", "'; SELECT load_extension('x'); --", ";",
  ]
  private static let selections = [
    "' UNION SELECT * FROM sqlite_master --", "1 UNION ALL SELECT x FROM canary",
    "(SELECT x FROM canary)", "' || (SELECT x FROM canary) || '", "name\" FROM canary --",
    "name, (SELECT 1)", "name ASC; --", "name COLLATE NOCASE", "copal_id", "rowid", "?", "?1", ":x",
    "@x", "name = name", "CASE WHEN 1 THEN 1 ELSE 2 END", "randomblob(1000000000)",
  ]
  private static let patterns = [
    "%", "_", "%%", "%@", "%K", "%n%s", "*", "??", "**", "*'*", "[a-z]*", "\\*", "(", "(?<x>a",
    "a{999}",
    "$x", "\\Q'", "^'$",
  ]
  private static let characters = [
    "\0", "x\0' OR 1=1", "'\0", "\u{2019} OR 1=1", "\u{02BC} OR 1=1", "\u{FF07} OR \u{FF07}1",
    "\u{FF02}; DROP", "\u{202E}' RO", "\u{200B}'", "\u{FEFF}'", "e\u{301}'", "🎨'; --", "\r\n'",
    "\u{10FFFF}'", "\u{7F}'",
  ]
  private static let long = [
    String(repeating: "'", count: 10_000), String(repeating: "\\", count: 9_999),
    String(repeating: "' OR ", count: 5_000), String(repeating: "(", count: 1_000),
  ]
}
