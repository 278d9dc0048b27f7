// Tokenizer
