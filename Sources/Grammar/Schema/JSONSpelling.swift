/// A string as JSON with the fewest escapes, quotes included, as Python's `json.dumps(ensure_ascii=False)` prints it.
func jsonSpelling(_ text: String) -> [UInt8] {
  var result: [UInt8] = [0x22]
  for byte in text.utf8 {
    switch byte {
    case 0x22, 0x5C: result += [0x5C, byte]
    case 8: result += [0x5C, 0x62]
    case 9: result += [0x5C, 0x74]
    case 10: result += [0x5C, 0x6E]
    case 12: result += [0x5C, 0x66]
    case 13: result += [0x5C, 0x72]
    case 0..<0x20:
      let digits = Array("0123456789abcdef".utf8)
      result += [0x5C, 0x75, 0x30, 0x30, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    default: result.append(byte)
    }
  }
  result.append(0x22)
  return result
}
