// Transformer
