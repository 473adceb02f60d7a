// The part of Foundation that Copal's libraries use: values, files and the system's functions.
// Where there is FoundationEssentials, nothing else of Foundation is linked, which makes a static
// program 40 MB smaller.

#if canImport(FoundationEssentials)
  @_exported public import FoundationEssentials
#else
  @_exported public import Foundation
#endif

#if canImport(Glibc)
  @_exported public import Glibc
#elseif canImport(Musl)
  @_exported public import Musl
#elseif canImport(Android)
  @_exported public import Android
#elseif canImport(Darwin)
  @_exported public import Darwin
#endif
