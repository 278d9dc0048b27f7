#pragma once
// One header for both platforms: Accelerate's CBLAS on Apple's systems, OpenBLAS elsewhere.
#if defined(__APPLE__)
#include <Accelerate/Accelerate.h>
static inline void cblas_use_calling_thread_only(void) {}
static inline const char *cblas_description(void) { return "Accelerate"; }
#else
#include <cblas.h>
// The engine splits work over its own threads; a second pool inside the library would only fight with it.
static inline void cblas_use_calling_thread_only(void) { openblas_set_num_threads(1); }
// Version, options and the kernels that OpenBLAS chose for this processor; a static text.
static inline const char *cblas_description(void) { return openblas_get_config(); }
#endif
