import Testing

/// `#expect` for calls that change what they are called on, which the macro can't take apart.
func expect(_ condition: Bool, _ comment: Comment? = nil, at location: SourceLocation = #_sourceLocation) {
  #expect(condition, comment, sourceLocation: location)
}
