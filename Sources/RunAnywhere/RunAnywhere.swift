public enum RunAnywhere {}
