import CBLAS

/// The BLAS library behind dense products.
package enum BLASDescription {
  /// What the library says of itself, such as `OpenBLAS 0.3.21 … SkylakeX`.
  package static var text: String { String(cString: cblas_description()) }
}
