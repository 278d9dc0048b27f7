#include "CKernels.h"

const char *ck_instruction_set(void) { return "scalar"; }
