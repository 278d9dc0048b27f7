/// Declared keys as they are spelled after the opening quote, closing quote included.
struct KeyTrie {
  struct Node {
    var children: [(byte: UInt8, node: Int32)] = []
    /// The names below.
    var names: [Int32] = []
    /// The name whose spelling ends here, -1: none.
    var name: Int32 = -1
  }

  private(set) var nodes: [Node] = [Node()]

  mutating func insert(_ spelling: [UInt8], name: Int) {
    var place = 0
    nodes[0].names.append(Int32(name))
    for byte in spelling {
      if let child = nodes[place].children.first(where: { $0.byte == byte }) {
        place = Int(child.node)
      } else {
        nodes[place].children.append((byte, Int32(truncatingIfNeeded: nodes.count)))
        place = nodes.count
        nodes.append(Node())
      }
      nodes[place].names.append(Int32(name))
    }
    nodes[place].name = Int32(name)
  }
}
