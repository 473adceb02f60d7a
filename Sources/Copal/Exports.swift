// What `import Copal` brings: everything a program needs to define, keep and find objects.
@_exported public import CopalModel
@_exported public import CopalObjects
@_exported public import CopalSQLite
@_exported public import CopalStore
