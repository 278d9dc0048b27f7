import TestSupport
import Testing

@testable import Tensor

@Suite("16-bit floating-point numbers")
struct HalfFloatTests {
  @Test("G22: known bit patterns")
  func knownPatterns() {
    #expect(HalfFloat.float(0x0001) == 5.9604645e-08)
    #expect(HalfFloat.float(0x7BFF) == 65504)
    #expect(HalfFloat.float(0x8000).bitPattern == 0x8000_0000)
    #expect(HalfFloat.float(0x7C00) == .infinity)
    #expect(HalfFloat.float(0x7C01).isNaN)
    #expect(HalfFloat.float(brain: 0x3F80) == 1)
    #expect(HalfFloat.float(brain: 0x0001).bitPattern == 0x0001_0000)  // 9.18e-41, neither flushed nor NaN
  }

  @Test("Every binary16 number survives the way to float32 and back")
  func halfRoundTrip() {
    for half in UInt16.min...UInt16.max {
      let back = HalfFloat.half(HalfFloat.float(half))
      let isNaN = half & 0x7FFF > 0x7C00
      if isNaN ? back & 0x7FFF <= 0x7C00 : back != half { Issue.record("\(half) came back as \(back)") }
    }
  }

  @Test("Every bfloat16 number survives the way to float32 and back")
  func brainRoundTrip() {
    for brain in UInt16.min...UInt16.max {
      let back = HalfFloat.brain(HalfFloat.float(brain: brain))
      let isNaN = brain & 0x7FFF > 0x7F80
      if isNaN ? back & 0x7FFF <= 0x7F80 : back != brain { Issue.record("\(brain) came back as \(back)") }
    }
  }

  @Test("Rounding is to the nearest, ties to even")
  func rounding() {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<20_000 {
      let value = Float(bitPattern: UInt32.random(in: 0...0x7F7F_FFFF, using: &generator))
      let half = HalfFloat.half(value)
      guard value < 65520 else {
        #expect(half == 0x7C00)
        continue
      }
      let error = abs(Double(HalfFloat.float(half)) - Double(value))
      for neighbour in [half &- 1, half &+ 1] where neighbour < 0x7C00 {
        let other = abs(Double(HalfFloat.float(neighbour)) - Double(value))
        #expect(error < other || (error == other && half & 1 == 0), "\(value)")
      }
    }
    #expect(HalfFloat.half(65519.996) == 0x7BFF)
    #expect(HalfFloat.half(65520) == 0x7C00)
    #expect(HalfFloat.brain(Float(bitPattern: 0x3F80_8000)) == 0x3F80)
    #expect(HalfFloat.brain(Float(bitPattern: 0x3F81_8000)) == 0x3F82)
  }
}
