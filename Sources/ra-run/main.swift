#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

// A closed pipe is then an error of `write`, which ends the program quietly, and not a signal.
signal(SIGPIPE, SIG_IGN)
Interrupt.reportChangedModel()
exit(await Program().run(Array(CommandLine.arguments.dropFirst())))
