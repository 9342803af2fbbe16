import { hashText } from './lib/hash.ts'

/**
 * The language fixes no accuracy for these, so the last digits tell the maths library: the engine's own one
 * or, for some functions and engines, the operating system's.
 */
export function math(): string {
  const results = [
    Math.acos(0.1234567),
    Math.acosh(1e155),
    Math.asin(0.7654321),
    Math.asinh(0.3),
    Math.atan(2.5),
    Math.atan2(3.1, -7.7),
    Math.atanh(0.456),
    Math.cbrt(101),
    Math.cos(1e22),
    Math.cosh(12.34),
    Math.exp(1.0001),
    Math.expm1(0.9),
    Math.hypot(1.1, 2.2, 3.3),
    Math.log(7.77),
    Math.log10(3.21),
    Math.log1p(1e-5),
    Math.log2(9.87),
    Math.PI ** -99.5,
    Math.sin(-1e300),
    Math.sinh(0.87),
    Math.sqrt(1.23),
    Math.tan(-1e299),
    Math.tanh(0.567),
  ]
  return hashText(results.join())
}
