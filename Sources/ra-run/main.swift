#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

StandardStreams.keepOpen()
Interrupt.surviveClosedPipes()
Interrupt.reportChangedModel()
exit(await Program().run(Array(CommandLine.arguments.dropFirst())))
