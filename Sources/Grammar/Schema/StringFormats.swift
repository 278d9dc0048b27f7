/// The formats of JSON Schema as regular expressions, each the language of the document that defines it.
enum StringFormats {
  /// Matches the whole string; `nil` for a name that JSON Schema doesn't define.
  static func expression(_ name: String) -> String? {
    switch name {
    case "date": date
    case "time": time
    case "date-time": "(?:\(date))[Tt](?:\(time))"
    case "duration": duration
    case "email": "(?:\(localPart)|\(quotedLocalPart))@(?:\(hostname)|\\[(?:\(ipv4)|IPv6:(?:\(ipv6)))\\])"
    case "idn-email": "[^\\s\"(),:;<>@\\[\\\\\\]]+@(?:[^\\s\"(),:;<>@\\[\\\\\\].]+\\.)*[^\\s\"(),:;<>@\\[\\\\\\].]+"
    case "hostname": hostname
    case "ipv4": ipv4
    case "ipv6": ipv6
    case "uuid": "[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}"
    case "uri": uri("")
    case "uri-reference": reference("")
    case "iri": uri(beyondASCII)
    case "iri-reference": reference(beyondASCII)
    case "json-pointer": jsonPointer
    case "relative-json-pointer": "(?:0|[1-9][0-9]*)(?:#|\(jsonPointer))"
    case "uri-template": template
    case "regex": regex
    default: nil
    }
  }

  /// Defined by JSON Schema, but not a regular language that is worth its states.
  static let refused: Set<String> = ["idn-hostname"]

  // RFC 3339, with the days of each month, leap years and no year 0; a leap second only where one can be.
  private static let leapYear =
    "(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:0[48]|[2468][048]|[13579][26])00)"
  private static let year = "(?:[0-9]{3}[1-9]|[0-9]{2}[1-9][0-9]|[0-9][1-9][0-9]{2}|[1-9][0-9]{3})"
  private static let date =
    "\(year)-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)"
    + "|02-(?:0[1-9]|1[0-9]|2[0-8]))|\(leapYear)-02-29"
  private static let time =
    "(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\\.[0-9]{1,12})?(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])"
    + "|23:59:60(?:\\.[0-9]{1,12})?(?:[Zz]|[+-]00:00)"

  // RFC 3339, appendix A.
  private static let clock = "(?:[0-9]+H(?:[0-9]+M(?:[0-9]+S)?)?|[0-9]+M(?:[0-9]+S)?|[0-9]+S)"
  private static let duration =
    "P(?:[0-9]+W|(?:[0-9]+D|[0-9]+M(?:[0-9]+D)?|[0-9]+Y(?:[0-9]+M(?:[0-9]+D)?)?)(?:T\(clock))?|T\(clock))"

  // RFC 5321 and 1123. Labels with hyphens at the third and fourth place are reserved (RFC 5891).
  private static let atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
  private static let localPart = "\(atom)(?:\\.\(atom))*"
  private static let quotedLocalPart = "\"(?:[ !#-\\[\\]-~]|\\\\[ -~])*\""
  private static let label =
    "[A-Za-z0-9](?:[A-Za-z0-9]|[A-Za-z0-9-](?:[A-Za-z0-9]|[A-Za-z0-9]-[A-Za-z0-9-]{0,58}[A-Za-z0-9]"
    + "|(?:[A-Za-z0-9]|-)[A-Za-z0-9](?:[A-Za-z0-9-]{0,58}[A-Za-z0-9])?))?"
  private static let hostname = "\(label)(?:\\.\(label))*"
  // RFC 2673 and 4291.
  private static let byte = "(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
  private static let ipv4 = "\(byte)\\.\(byte)\\.\(byte)\\.\(byte)"
  private static let group = "[0-9A-Fa-f]{1,4}"
  private static let tail = "(?:\(group):\(group)|\(ipv4))"
  private static let ipv6 = [
    "(?:\(group):){6}\(tail)", "::(?:\(group):){5}\(tail)", "(?:\(group))?::(?:\(group):){4}\(tail)",
    "(?:(?:\(group):){0,1}\(group))?::(?:\(group):){3}\(tail)",
    "(?:(?:\(group):){0,2}\(group))?::(?:\(group):){2}\(tail)",
    "(?:(?:\(group):){0,3}\(group))?::\(group):\(tail)", "(?:(?:\(group):){0,4}\(group))?::\(tail)",
    "(?:(?:\(group):){0,5}\(group))?::\(group)", "(?:(?:\(group):){0,6}\(group))?::",
  ].joined(separator: "|")

  // RFC 3986 and 3987.
  private static let beyondASCII =
    "\\u00A0-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFEF\\u{10000}-\\u{1FFFD}\\u{20000}-\\u{2FFFD}\\u{30000}-\\u{EFFFD}"
  private static func character(_ beyond: String, _ more: String) -> String {
    "(?:[A-Za-z0-9._~!$&'()*+,;=\(beyond)\(more)-]|%[0-9A-Fa-f]{2})"
  }
  private static func authority(_ beyond: String) -> String {
    "(?:\(character(beyond, ":"))*@)?(?:\\[(?:\(ipv6)|v[0-9A-Fa-f]+\\.[A-Za-z0-9._~!$&'()*+,;=:-]+)\\]"
      + "|\(character(beyond, ""))*)(?::[0-9]*)?"
  }
  private static func ending(_ beyond: String) -> String {
    let symbol = character(beyond, ":@/?")
    return "(?:\\?\(symbol)*)?(?:#\(symbol)*)?"
  }
  private static func uri(_ beyond: String) -> String {
    let symbol = character(beyond, ":@")
    return "[A-Za-z][A-Za-z0-9+.-]*:(?://\(authority(beyond))(?:/\(symbol)*)*|/(?:\(symbol)+(?:/\(symbol)*)*)?"
      + "|\(symbol)+(?:/\(symbol)*)*|)\(ending(beyond))"
  }
  private static func reference(_ beyond: String) -> String {
    let symbol = character(beyond, ":@")
    return "\(uri(beyond))|(?://\(authority(beyond))(?:/\(symbol)*)*|/(?:\(symbol)+(?:/\(symbol)*)*)?"
      + "|\(character(beyond, "@"))+(?:/\(symbol)*)*|)\(ending(beyond))"
  }

  // RFC 6901 and 6570.
  private static let jsonPointer = "(?:/(?:[^~/]|~[01])*)*"
  private static let variable = "(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})(?:\\.?(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2}))*"
  private static let variableSpec = "\(variable)(?:\\*|:[1-9][0-9]{0,3})?"
  private static let template =
    "(?:[^\\u0000-\\u0020\"'%<>\\\\^`{|}\\u007F]|%[0-9A-Fa-f]{2}"
    + "|\\{[+#./;?&]?\(variableSpec)(?:,\(variableSpec))*\\})*"

  // A part of ECMA-262's syntax in which everything is balanced: groups up to two deep.
  private static let times = "(?:[*+?]|\\{[0-9]{1,3}\\})?"
  private static let regex =
    "(?:\(counted)|\\||\\((?:\\?:)?(?:\(counted)|\\||\\((?:\\?:)?(?:\(counted)|\\|)*\\)\(times))*\\)\(times))*"
  private static let counted =
    "(?:[^\\\\^$.|?*+()\\[\\]{}/]|[./])\(times)|[\\^$]|\\\\[dDwWsStnrfv.^$|?*+()\\[\\]{}/\\\\-]\(times)"
    + "|\\[\\^?(?:0-9|a-z|A-Z|[^\\[\\]\\\\^-]|\\\\[dDwWsStnrfv.^$|?*+()\\[\\]{}/\\\\-])+\\]\(times)"
}

extension SchemaCompiler {
  /// The strings of a format; `nil` for formats that are only annotations.
  func format(_ name: String, _ site: SchemaSite) throws(GrammarError) -> PatternID? {
    if StringFormats.refused.contains(name) {
      if options.isLenient { return nil }
      throw wrong(site, "format", "the format \"\(name)\" is not supported")
    }
    guard let expression = StringFormats.expression(name) else { return nil }
    if let known = patternCache[Key("format " + name)] { return known }
    do {
      var result = try patterns.pattern(try PatternParser.parse(expression), isWhole: true)
      if name == "hostname" { result = language(StringShape(pattern: result, minimum: 1, maximum: 253)) }
      patternCache[Key("format " + name)] = result
      return result
    } catch {
      throw wrong(site, "format", error.reason)
    }
  }
}
