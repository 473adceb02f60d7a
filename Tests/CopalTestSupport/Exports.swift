// Tests of stores use the suite's tools, a store that is worked by names and values; many tests use
// random numbers.
@_exported public import CopalStoreConformance
@_exported public import CopalTestTools
