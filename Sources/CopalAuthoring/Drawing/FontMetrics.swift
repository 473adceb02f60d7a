/// Widths of letters, so that a drawing knows how wide its texts are before anybody draws it.
///
/// They are those of DejaVu Sans (<https://dejavu-fonts.github.io>), which is wider than Helvetica
/// and most other fonts without serifs.
enum FontMetrics {
  /// The width of a text in units of the font's size.
  static func width(_ text: String, isBold: Bool = false) -> Double {
    let table = isBold ? bold : regular
    let sum = text.unicodeScalars.reduce(0) { sum, scalar in
      let index = Int(scalar.value) - 32
      // Letters of other scripts are at most as wide as high.
      return sum
        + (table.indices.contains(index) ? table[index] : scalar.value < 0x1100 ? 750 : 1050)
    }
    return Double(sum) / 1000
  }

  /// The characters from U+0020 to U+007E, in thousandths.
  private static let regular = [
    317, 400, 459, 837, 636, 950, 779, 274, 390, 390, 500, 837, 317, 360, 317, 336, 636, 636, 636,
    636, 636, 636, 636, 636, 636, 636, 336, 336, 837, 837, 837, 530, 1000, 684, 686, 698, 770, 631,
    575, 774, 751, 294, 294, 655, 557, 862, 748, 787, 603, 787, 694, 634, 610, 731, 684, 988, 685,
    610, 685, 390, 336, 390, 837, 500, 500, 612, 634, 549, 634, 615, 352, 634, 633, 277, 277, 579,
    277, 974, 633, 611, 634, 634, 411, 520, 392, 633, 591, 817, 591, 591, 524, 636, 336, 636, 837,
  ]

  /// The same in bold.
  private static let bold = [
    348, 456, 520, 837, 695, 1001, 872, 306, 457, 457, 522, 837, 379, 415, 379, 365, 695, 695, 695,
    695, 695, 695, 695, 695, 695, 695, 399, 399, 837, 837, 837, 580, 1000, 773, 762, 733, 830, 683,
    683, 820, 836, 372, 372, 774, 637, 995, 836, 850, 732, 850, 770, 720, 682, 812, 773, 1103, 770,
    724, 725, 457, 365, 457, 837, 500, 500, 674, 715, 592, 715, 678, 435, 715, 711, 342, 342, 665,
    342, 1041, 711, 687, 715, 715, 493, 595, 478, 711, 651, 923, 645, 651, 582, 711, 365, 711, 837,
  ]
}
