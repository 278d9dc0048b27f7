#pragma once
// One header for both platforms: Accelerate's CBLAS on Apple's systems, OpenBLAS elsewhere.
#if defined(__APPLE__)
#include <Accelerate/Accelerate.h>
#else
#include <cblas.h>
#endif
