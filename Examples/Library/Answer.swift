/// The lines that show the result of a search.
struct Answer {
  let lines: [String]

  /// - Parameter books: nil for a search that was ended.
  init(_ books: [BookSearch.Found]?) {
    guard let books else {
      lines = []
      return
    }
    let isCut = books.count == BookSearch.limit
    lines =
      books.isEmpty
      ? ["no book"]
      : books.map { "\($0.title) · \($0.author), \($0.year)" } + (isCut ? ["…"] : [])
  }
}
