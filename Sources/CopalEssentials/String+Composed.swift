#if !canImport(FoundationEssentials)
  import Foundation
#endif

extension String {
  /// The text in normal form C (<https://unicode.org/reports/tr15/>), by which canonically
  /// equivalent texts become the same scalars.
  package var composed: String {
    #if canImport(FoundationEssentials)
      // The standard library's own form, by which it compares texts. FoundationEssentials has no
      // function for it.
      String(decoding: _nfcCodeUnits, as: UTF8.self)
    #else
      precomposedStringWithCanonicalMapping
    #endif
  }
}
