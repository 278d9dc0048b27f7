// The values of tools and schemas belong to the public API; programs import RunAnywhere alone.
@_exported public import JSON
@_exported public import Tools
