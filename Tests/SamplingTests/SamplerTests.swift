import Sampling
import Testing

@Suite("Sampler")
struct SamplerTests {
  private func sampler(_ change: (inout SamplingOptions) -> Void = { _ in }) -> Sampler {
    var options = SamplingOptions()
    options.temperature = 1
    change(&options)
    return Sampler(options)
  }

  private func mask(_ ids: [Int], of count: Int) -> TokenMask {
    var mask = TokenMask(count: count)
    for id in ids { mask.insert(id) }
    return mask
  }

  @Test("temperature 0 takes the largest finite logit, the first of equal ones")
  func greedy() throws {
    var sampler = sampler { $0.temperature = 0 }
    for count in [1, 2, 7, 8, 9, 16, 63, 64, 65, 200] {
      for best in stride(from: 0, to: count, by: 3) {
        var logits = (0..<count).map { Float($0 % 5) - 9 }
        logits[best] = 3.5
        #expect(try sampler.sample(&logits) == best)
      }
    }
    var equal: [Float] = [1, 2, 2, 2]
    #expect(try sampler.sample(&equal) == 1)
    var negative = [Float](repeating: -.greatestFiniteMagnitude, count: 9)
    #expect(try sampler.sample(&negative) == 0)
  }

  @Test("what is not finite is never chosen", arguments: [0.0, 0.8, 1e-30, 1e30])
  func notFinite(temperature: Double) throws {
    var sampler = sampler { $0.temperature = temperature }
    for bad in [Float.nan, .infinity, -.infinity] {
      for place in 0..<20 {
        var logits = [Float](repeating: 0.25, count: 20)
        logits[place] = bad
        #expect(try sampler.sample(&logits) != place)
        var others = [Float](repeating: bad, count: 20)
        others[place] = -3
        #expect(try sampler.sample(&others) == place)
        var all = [Float](repeating: bad, count: 20)
        #expect(throws: SamplingError.nonFiniteLogits) { try sampler.sample(&all) }
      }
    }
    var none: [Float] = []
    #expect(throws: SamplingError.nonFiniteLogits) { try sampler.sample(&none) }
  }

  @Test("odd options neither trap nor pick what is impossible")
  func oddOptions() throws {
    let odd = [-.infinity, -1, -0.0, 0, 1e-300, 0.5, 1, 2, 1e300, .infinity, .nan]
    for (index, value) in odd.enumerated() {
      for part in 0..<5 {
        var sampler = sampler {
          switch part {
          case 0: $0.temperature = value
          case 1: $0.topP = value
          case 2: $0.minP = value
          case 3: $0.repetitionPenalty = value
          default: ($0.topK, $0.repetitionWindow, $0.repetitionPenalty) = (index - 5, index - 5, 1.5)
          }
        }
        for _ in 0..<10 {
          var logits: [Float] = [.nan, 3e38, -3e38, -.infinity, 1, .infinity]
          let id = try sampler.sample(&logits)
          #expect([1, 2, 4].contains(id))
          sampler.accept(id)
        }
      }
    }
  }

  @Test("the mask comes first")
  func masked() throws {
    for count in [5, 64, 65, 300] {
      for temperature in [0.0, 1] {
        var sampler = sampler { ($0.temperature, $0.topK) = (temperature, 3) }
        for allowed in stride(from: 0, to: count, by: 7) {
          var logits = (0..<count).map { Float($0) }
          #expect(try sampler.sample(&logits, allowed: mask([allowed], of: count)) == allowed)
          logits = (0..<count).map { $0 == allowed ? .nan : Float($0) }
          #expect(throws: SamplingError.nonFiniteLogits) {
            try sampler.sample(&logits, allowed: mask([allowed], of: count))
          }
        }
        var logits = [Float](repeating: 1, count: count)
        #expect(throws: SamplingError.noAllowedToken) { try sampler.sample(&logits, allowed: mask([], of: count)) }
        logits = [Float](repeating: 1, count: count)
        #expect(throws: SamplingError.noAllowedToken) {
          try sampler.sample(&logits, allowed: mask([count + 1], of: count + 100))
        }
        // Padded ids lie beyond the mask.
        logits = (0..<count).map { Float($0) }
        #expect(try sampler.sample(&logits, allowed: mask([2], of: 3)) == 2)
      }
    }
  }

  @Test("the same seed gives the same tokens")
  func seeds() throws {
    func tokens(_ seed: UInt64) throws -> [Int] {
      var sampler = sampler { $0.seed = seed }
      return try (0..<50).map { _ in
        var logits = [Float](repeating: 0, count: 1000)
        return try sampler.sample(&logits)
      }
    }
    #expect(try tokens(7) == tokens(7))
    #expect(try tokens(7) != tokens(8))
  }

  @Test("the repetition penalty looks at the window only")
  func repetition() throws {
    var sampler = sampler { ($0.temperature, $0.repetitionPenalty, $0.repetitionWindow) = (0, 2, 2) }
    func next() throws -> Int {
      var logits: [Float] = [5, 4, 3, -1]
      return try sampler.sample(&logits)
    }
    #expect(try next() == 0)
    sampler.accept(0)
    #expect(try next() == 1)
    sampler.accept(1)
    #expect(try next() == 2)
    sampler.accept(2)  // 0 leaves the window
    #expect(try next() == 0)
    sampler.accept(99)  // ids beyond the logits do no harm
    sampler.accept(-1)
    #expect(try next() == 0)
  }

  @Test("the generator is xoshiro256** over SplitMix64")
  func generator() {
    var generator = Xoshiro256(seed: 0)
    #expect(
      (0..<3).map { _ in generator.next() } == [
        11_091_344_671_253_066_420, 13_793_997_310_169_335_082, 1_900_383_378_846_508_768,
      ])
    #expect((0..<1000).allSatisfy { _ in (0..<1).contains(generator.nextUnit()) })
  }
}
