/// The commands in the order in which help shows them: one line each.
let benchCommands: [any BenchCommand] = [
  LogitsBench(),
  TemplatesBench(),
  SpeedBench(),
  ScalingBench(),
  TokenizerBench(),
  SamplingBench(),
  SynthBench(),
  KernelsBench(),
  CallsBench(),
  ConstrainedBench(),
  DraftsBench(),
  SchemasBench(),
  MasksBench(),
  WalkBench(),
  SoakBench(),
]
