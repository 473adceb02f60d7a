import Copal

/// The books of the library.
struct Catalog {
  /// How often each book is there.
  var copies = 1

  /// Inserts the books, and saves them.
  func write(to context: ManagedObjectContext) throws {
    for number in 1...copies {
      for (author, books) in Self.books {
        let suffix = number == 1 ? "" : " (\(number))"
        let author = Author(context: context, name: author + suffix)
        for (title, year) in books {
          _ = Book(context: context, title: title + suffix, year: year, author: author)
        }
      }
      // Not all of them in memory.
      if number % 50 == 0 {
        try context.save()
        context.reset()
      }
    }
    try context.save()
  }

  private static let books: [(String, [(String, Int16)])] = [
    ("Jane Austen", [("Emma", 1815), ("Persuasion", 1817), ("Pride and Prejudice", 1813)]),
    ("Honoré de Balzac", [("Le Père Goriot", 1835), ("Illusions perdues", 1837)]),
    ("Charlotte Brontë", [("Jane Eyre", 1847), ("Villette", 1853)]),
    ("Emily Brontë", [("Wuthering Heights", 1847)]),
    ("Miguel de Cervantes", [("Don Quijote", 1605)]),
    ("Fyodor Dostoevsky", [("Бесы", 1872), ("Идиот", 1869)]),
    ("José Maria de Eça de Queirós", [("Os Maias", 1888)]),
    ("Theodor Fontane", [("Effi Briest", 1895), ("Der Stechlin", 1898)]),
    ("Benito Pérez Galdós", [("Fortunata y Jacinta", 1887)]),
    ("Johann Wolfgang von Goethe", [("Die Leiden des jungen Werthers", 1774), ("Faust", 1808)]),
    ("Knut Hamsun", [("Sult", 1890)]),
    ("E. T. A. Hoffmann", [("Der Sandmann", 1816), ("Lebens-Ansichten des Katers Murr", 1819)]),
    ("Victor Hugo", [("Les Misérables", 1862), ("Notre-Dame de Paris", 1831)]),
    ("Henrik Ibsen", [("Et dukkehjem", 1879)]),
    ("Gottfried Keller", [("Der grüne Heinrich", 1854), ("Kleider machen Leute", 1874)]),
    ("Selma Lagerlöf", [("Gösta Berlings saga", 1891)]),
    ("Herman Melville", [("Moby-Dick", 1851), ("Billy Budd", 1924)]),
    ("Natsume Sōseki", [("こころ", 1914), ("坊っちゃん", 1906)]),
    ("Mary Shelley", [("Frankenstein", 1818)]),
    ("Stendhal", [("Le Rouge et le Noir", 1830)]),
    ("Leo Tolstoy", [("Анна Каренина", 1878), ("Война и мир", 1869)]),
    ("Émile Zola", [("Au Bonheur des Dames", 1883), ("Germinal", 1885), ("Nana", 1880)]),
  ]
}
