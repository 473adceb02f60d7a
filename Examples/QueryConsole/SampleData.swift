import Copal
import Foundation

/// The objects that the console asks about: four makers, thirteen pigments, and the paintings of
/// four painters.
struct SampleData {
  let context: ManagedObjectContext

  /// Makes the objects and saves them.
  func write() throws {
    makePigments()
    try makePaintings()
    try context.save()
  }

  private func makePigments() {
    let kremer = Maker(context: context, name: "Kremer", country: "Germany")
    let natural = Maker(context: context, name: "Natural Pigments", country: "United States")
    let zecchi = Maker(context: context, name: "Zecchi", country: "Italy")
    let nakagawa = Maker(context: context, name: "ナカガワ胡粉絵具", country: "Japan")
    add("Ultramarine", "blue", "12.50", kremer)
    add("Lapis lazuli", "blue", "390", kremer)
    add("Vermilion", "red", "33", kremer)
    add("Madder lake", "red", "24.80", kremer)
    add("Azurite", "blue", "46", natural)
    add("Malachite", "green", "38.50", natural)
    add("Lead white", "white", "19.90", natural)
    add("Yellow ochre", "yellow", "6.20", zecchi)
    add("Raw umber", "brown", "5.40", zecchi)
    add("Bone black", "black", "4.90", zecchi)
    add("Gofun 胡粉", "white", "16", nakagawa)
    add("Prussian blue", "blue", "11.80", nakagawa)
    add("Woad", "blue", "21", nil)
  }

  private func makePaintings() throws {
    let titian = Painter(context: context, name: "Titian")
    let gentileschi = Painter(context: context, name: "Artemisia Gentileschi")
    let vermeer = Painter(context: context, name: "Johannes Vermeer")
    let hokusai = Painter(context: context, name: "Katsushika Hokusai 葛飾北斎")
    (gentileschi.born, vermeer.born, hokusai.born) = (1593, 1632, 1760)
    try add(
      "Bacchus and Ariadne", 1523, titian,
      ["Lapis lazuli", "Azurite", "Malachite", "Vermilion", "Lead white"])
    try add(
      "Judith Slaying Holofernes", 1620, gentileschi, ["Vermilion", "Yellow ochre", "Lead white"])
    try add("The Milkmaid", 1658, vermeer, ["Lapis lazuli", "Yellow ochre", "Lead white"])
    try add(
      "Girl with a Pearl Earring", 1665, vermeer,
      ["Lapis lazuli", "Vermilion", "Madder lake", "Yellow ochre", "Bone black", "Lead white"])
    try add("The Great Wave off Kanagawa", 1831, hokusai, ["Prussian blue"])
  }

  private func add(_ name: String, _ color: String, _ price: String, _ maker: Maker?) {
    let price = Decimal(string: price) ?? 0
    Pigment(context: context, name: name, color: color, price: price).maker = maker
  }

  private func add(_ title: String, _ year: Int16, _ painter: Painter, _ pigments: [String]) throws
  {
    let painting = Painting(context: context, title: title, year: year)
    painting.painter = painter
    painting.pigments.replaceAll(with: try context.fetch(Pigment.self) { $0.name.isIn(pigments) })
  }
}
