/// SHA-256 as FIPS 180-4 defines it, fed piece by piece.
///
/// ```swift
/// var hash = SHA256()
/// hash.update(bytes)
/// hash.finish()      // "b179c952…": 64 hexadecimal digits
/// ```
package struct SHA256: Sendable {
  private var state: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
  ]
  private var pending: [UInt8] = []
  private var byteCount: UInt64 = 0

  package init() {}

  /// Adds bytes to what is hashed.
  package mutating func update(_ bytes: some Sequence<UInt8>) {
    pending.append(contentsOf: bytes)
    let whole = pending.count / 64 * 64
    byteCount &+= UInt64(whole)
    pending.withUnsafeBytes { Self.compress(UnsafeRawBufferPointer(rebasing: $0[..<whole]), into: &state) }
    pending.removeFirst(whole)
  }

  /// The hash of everything added, in lower-case hexadecimal digits.
  package consuming func finish() -> String {
    let bitCount = (byteCount &+ UInt64(pending.count)) &* 8
    let zeros = (119 - pending.count % 64) % 64
    update(
      [0x80] + [UInt8](repeating: 0, count: zeros)
        + (0..<8).map { UInt8(truncatingIfNeeded: bitCount >> (56 - 8 * $0)) })
    return state.map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 8 - digits.count) + digits
    }.joined()
  }

  /// Works whole blocks of 64 bytes into `state` (section 6.2.2 of the standard).
  private static func compress(_ blocks: UnsafeRawBufferPointer, into state: inout [UInt32]) {
    // `schedule` and `Self.constants` have 64 entries and `round` stays below 64; `blocks` holds whole blocks.
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { schedule in
      Self.constants.withUnsafeBufferPointer { constants in
        for block in stride(from: 0, to: blocks.count, by: 64) {
          for word in 0..<16 {
            let bytes = blocks.loadUnaligned(fromByteOffset: block + 4 * word, as: UInt32.self)
            schedule[word] = UInt32(bigEndian: bytes)
          }
          for word in 16..<64 {
            let (early, late) = (schedule[word - 15], schedule[word - 2])
            let sigma0 = rotate(early, 7) ^ rotate(early, 18) ^ (early >> 3)
            let sigma1 = rotate(late, 17) ^ rotate(late, 19) ^ (late >> 10)
            schedule[word] = schedule[word - 16] &+ sigma0 &+ schedule[word - 7] &+ sigma1
          }
          var (a, b, c, d) = (state[0], state[1], state[2], state[3])
          var (e, f, g, h) = (state[4], state[5], state[6], state[7])
          for round in 0..<64 {
            let sum1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
            let chosen = (e & f) ^ (~e & g)
            let first = h &+ sum1 &+ chosen &+ constants[round] &+ schedule[round]
            let sum0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
            let majority = (a & b) ^ (a & c) ^ (b & c)
            (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ sum0 &+ majority)
          }
          state[0] &+= a
          state[1] &+= b
          state[2] &+= c
          state[3] &+= d
          state[4] &+= e
          state[5] &+= f
          state[6] &+= g
          state[7] &+= h
        }
      }
    }
  }

  private static func rotate(_ word: UInt32, _ places: UInt32) -> UInt32 {
    word >> places | word << (32 - places)
  }

  /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
  private static let constants: [UInt32] = {
    let primes = (2...311).filter { candidate in !(2..<candidate).contains { candidate % $0 == 0 } }
    return primes.map { prime in fractionOfCubeRoot(UInt64(prime)) }
  }()

  /// floor(cbrt(prime)·2^32) mod 2^32, found bit by bit in exact arithmetic.
  private static func fractionOfCubeRoot(_ prime: UInt64) -> UInt32 {
    // The largest r with r^3 <= prime·2^96; r is below 2^35 since cbrt(311) < 7.
    var root: UInt64 = 0
    for bit in stride(from: UInt64(34), through: 0, by: -1) {
      let candidate = root | 1 << bit
      let square = candidate.multipliedFullWidth(by: candidate)
      // candidate^3 as 192 bits: (high:low)·candidate.
      let low = square.low.multipliedFullWidth(by: candidate)
      let high = square.high.multipliedFullWidth(by: candidate)
      let (middle, carry) = low.high.addingReportingOverflow(high.low)
      let top = high.high + (carry ? 1 : 0)
      // prime·2^96 as 192 bits: middle limb = prime << 32, low limb 0.
      if top == 0 && (middle < prime << 32 || (middle == prime << 32 && low.low == 0)) { root = candidate }
    }
    return UInt32(truncatingIfNeeded: root)
  }
}
