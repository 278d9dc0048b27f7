// ChatTemplate
