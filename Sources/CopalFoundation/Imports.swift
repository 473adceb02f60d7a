// Foundation's predicates are in FoundationEssentials, its sort descriptors in
// FoundationInternationalization. On Apple's platforms both are in Foundation.
#if canImport(FoundationInternationalization)
  @_exported public import FoundationInternationalization
#else
  @_exported public import Foundation
#endif
