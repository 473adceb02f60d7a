// The declarations that `import Copal` makes visible: what a program needs to define, save and
// fetch objects. Types for authors of stores are not in the list: they import CopalStore and
// CopalModel.

@_exported public import CopalObjects
@_exported public import CopalTransformers

// What a type of a program needs to be an object in a keyed archive.
@_exported public import struct CopalArchive.ArchiveError
@_exported public import struct CopalArchive.ArchiveLimits
@_exported public import struct CopalArchive.ArchivedObject
@_exported public import struct CopalArchive.ArchivedPair
@_exported public import enum CopalArchive.ArchivedValue
@_exported public import struct CopalModel.AttributeCase
@_exported public import struct CopalModel.AttributeDescription
@_exported public import enum CopalModel.AttributeType
@_exported public import struct CopalModel.EntityDescription
@_exported public import protocol CopalModel.ErrorCode
@_exported public import enum CopalModel.FetchAggregate
@_exported public import struct CopalModel.FetchCollection
@_exported public import enum CopalModel.FetchExpression
@_exported public import enum CopalModel.FetchFunction
@_exported public import enum CopalModel.FetchPredicate
@_exported public import struct CopalModel.FetchRequestTemplate
@_exported public import struct CopalModel.FetchSortKey
@_exported public import struct CopalModel.FetchedPropertyDescription
@_exported public import enum CopalModel.FormatArgument
@_exported public import struct CopalModel.IndexDescription
@_exported public import struct CopalModel.ManagedObjectID
@_exported public import struct CopalModel.ManagedObjectModel
@_exported public import struct CopalModel.ModelError
@_exported public import struct CopalModel.ModelProblem
@_exported public import protocol CopalModel.PredicateArgument
@_exported public import struct CopalModel.PredicateFormat
@_exported public import struct CopalModel.PredicateFormatError
@_exported public import protocol CopalModel.PredicateValue
@_exported public import enum CopalModel.PropertyValue
@_exported public import struct CopalModel.RelationshipDescription
@_exported public import enum CopalModel.StorageType
@_exported public import struct CopalModel.TransformerName
@_exported public import typealias CopalModel.UserInfo
@_exported public import enum CopalModel.UserInfoValue
@_exported public import protocol CopalModel.ValueConvertible
@_exported public import class CopalSQLite.SQLiteStore
@_exported public import protocol CopalStore.AttributeEnum
@_exported public import enum CopalStore.CopalRelease
@_exported public import struct CopalStore.ExecutedStatement
@_exported public import struct CopalStore.FetchCursor
@_exported public import struct CopalStore.FetchRequest
@_exported public import struct CopalStore.FetchedPage
@_exported public import class CopalStore.MemoryStore
@_exported public import enum CopalStore.MetadataValue
@_exported public import struct CopalStore.MigrationPlan
@_exported public import struct CopalStore.MigrationProgress
@_exported public import struct CopalStore.ModelChange
@_exported public import struct CopalStore.OpeningRequest
@_exported public import struct CopalStore.PersistenceError
@_exported public import protocol CopalStore.PersistentStore
@_exported public import struct CopalStore.QueryExplanation
@_exported public import struct CopalStore.StoreCheckParts
@_exported public import struct CopalStore.StoreCheckProgress
@_exported public import struct CopalStore.StoreConfiguration
@_exported public import struct CopalStore.StoreDescription
@_exported public import struct CopalStore.StoreProblem
@_exported public import struct CopalStore.ValueRequest

// The types of attributes that are Foundation's.
#if canImport(FoundationEssentials)
  @_exported public import struct FoundationEssentials.Data
  @_exported public import struct FoundationEssentials.Date
  @_exported public import struct FoundationEssentials.Decimal
  @_exported public import struct FoundationEssentials.URL
  @_exported public import struct FoundationEssentials.UUID
#else
  @_exported public import struct Foundation.Data
  @_exported public import struct Foundation.Date
  @_exported public import struct Foundation.Decimal
  @_exported public import struct Foundation.URL
  @_exported public import struct Foundation.UUID
#endif
