/// Bounds that end a hostile template with an error.
///
/// A rendering works in proportion to its input, so steps and bytes grow with the size of the context. The stack is
/// bounded by `nesting` and `activeNesting`: with these defaults compiling and rendering take up to about 370 KiB in
/// debug builds, and less in release builds, so that they may run on a thread with a 512 KiB stack.
package struct TemplateLimits: Sendable, Equatable {
  /// The longest source in bytes.
  package var sourceBytes = 1 << 19
  /// The deepest nesting in the source: a statement counts for three levels, parentheses for three, an operator for one.
  package var nesting = 120
  /// The nesting of everything that runs at one moment, macro calls included.
  package var activeNesting = 200
  /// The deepest nesting of lists and dictionaries.
  package var valueDepth = 100
  /// Steps of evaluation, before the size of the context is added.
  package var steps = 2_000_000
  /// Bytes of text and containers created, before the size of the context is added.
  package var allocatedBytes = 8 << 20
  /// Seconds of work in a rendering.
  package var seconds = 0.8

  /// The deepest nesting of a call's arguments.
  static let messageDepth = 64

  package init() {}
}
