import RunAnywhere
import Testing

@Suite("SHA-256")
struct SHA256Tests {
  func hash(_ bytes: [UInt8]) -> String {
    var hash = SHA256()
    hash.update(bytes)
    return hash.finish()
  }

  @Test("Published examples (FIPS 180-4 and NIST's long message)")
  func examples() {
    #expect(hash([]) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    #expect(hash(Array("abc".utf8)) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(
      hash(Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8))
        == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
    #expect(
      hash([UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000))
        == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }

  @Test("Pieces make the whole, whatever their lengths", arguments: [1, 3, 55, 56, 63, 64, 65, 119, 200])
  func pieces(length: Int) {
    let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 * 7) }
    var hash = SHA256()
    for start in stride(from: 0, to: bytes.count, by: length) {
      hash.update(bytes[start..<min(start + length, bytes.count)])
    }
    #expect(hash.finish() == self.hash(bytes))
  }
}
