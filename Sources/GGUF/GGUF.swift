// GGUF
