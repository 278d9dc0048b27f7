/// The commands in the order in which help shows them: one line each.
let benchCommands: [any BenchCommand] = [
  LogitsBench(),
  SpeedBench(),
  TokenizerBench(),
  SynthBench(),
  KernelsBench(),
]
