// Tests of stores use the suite's tools, a store that is worked by names and values.
@_exported public import CopalStoreConformance
