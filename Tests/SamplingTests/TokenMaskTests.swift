import Sampling
import Testing

@Suite("Token mask")
struct TokenMaskTests {
  @Test("behaves like a set of integers", arguments: [1, 63, 64, 65, 200])
  func set(count: Int) {
    var generator = Xoshiro256(seed: UInt64(count))
    var mask = TokenMask(count: count)
    var twin = Set<Int>()
    for _ in 0..<200 {
      let id = Int.random(in: 0..<count, using: &generator)
      if Bool.random(using: &generator) {
        mask.insert(id)
        twin.insert(id)
      } else {
        mask.remove(id)
        twin.remove(id)
      }
      #expect(mask.contains(id) == twin.contains(id))
    }
    #expect(Array(mask.ids) == twin.sorted())
    #expect(mask.population == twin.count)
    #expect(mask.isEmpty == twin.isEmpty)
    #expect(!mask.contains(-1) && !mask.contains(count))
    let all = TokenMask(all: count)
    #expect(Array(all.ids) == Array(0..<count))
    var union = mask
    union.formUnion(TokenMask(all: count + 70))
    #expect(union == all)
  }
}
