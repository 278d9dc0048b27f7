#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

exit(await BenchFrame(commands: benchCommands).run(Array(CommandLine.arguments.dropFirst())))
