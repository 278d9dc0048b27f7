// Grammar
