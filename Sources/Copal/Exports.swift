// What `import Copal` shows: what a program needs to define, keep and find objects. Authors of stores
// import CopalStore and CopalModel themselves.

// Contexts, objects, containers and transformers.
@_exported public import CopalObjects

@_exported public import struct CopalModel.AttributeDescription
// Models.
@_exported public import enum CopalModel.AttributeType
@_exported public import struct CopalModel.EntityDescription
// Errors.
@_exported public import protocol CopalModel.ErrorCode
// Requests, values and ids.
@_exported public import enum CopalModel.FetchPredicate
@_exported public import struct CopalModel.FetchRequest
@_exported public import struct CopalModel.FetchSortKey
@_exported public import struct CopalModel.IndexDescription
@_exported public import struct CopalModel.ManagedObjectID
@_exported public import struct CopalModel.ManagedObjectModel
@_exported public import struct CopalModel.ModelError
@_exported public import struct CopalModel.ModelProblem
@_exported public import struct CopalModel.PersistenceError
@_exported public import enum CopalModel.PropertyValue
@_exported public import struct CopalModel.RelationshipDescription
@_exported public import enum CopalModel.StorageType
@_exported public import struct CopalModel.TransformerName
@_exported public import typealias CopalModel.UserInfo
@_exported public import enum CopalModel.UserInfoValue
@_exported public import protocol CopalModel.ValueConvertible
// Stores.
@_exported public import class CopalSQLite.SQLiteStore
@_exported public import class CopalStore.MemoryStore
@_exported public import protocol CopalStore.PersistentStore
@_exported public import struct CopalStore.StoreConfiguration
