import { hashText } from '@inkling/contract'

/**
 * Arguments at which maths libraries disagree. ECMAScript leaves the accuracy of these functions open
 * (https://tc39.es/ecma262/#sec-function-properties-of-the-math-object), so the last bit depends on whose code runs:
 * a port of fdlibm (https://www.netlib.org/fdlibm/), the C library of the system, or that of the compiler. The basic
 * operations and `sqrt` are left out, because IEEE 754 fixes their results.
 *
 * The arguments were searched for: MPFR (https://www.mpfr.org) computed to 300 bits, for tens of thousands of short
 * decimals per function, how far the true value lies from the middle between two doubles. Here that is less than a
 * thousandth of a unit in the last place, so the smallest error tips the result over. Of the 60 nearest, these two
 * per function separate the most of glibc 2.36, V8 14's own functions, Debian's Chromium 156 (glibc, but a `cbrt` and
 * `hypot` of its own), Firefox 153 and Java's StrictMath; docs/accuracy/agent-readings.md has the counts.
 */
const ARGUMENTS: Record<string, readonly number[]> = {
  acos: [0.07, 0.2753],
  acosh: [71.17, 164.22],
  asin: [0.058, 0.3883],
  asinh: [122.12, 104.32],
  atan: [7.58, 10.169],
  atan2: [16.4, 0.9, 59.3, 21.6],
  atanh: [0.4973, 0.7455],
  cbrt: [56.74, 92.97],
  cos: [293.95, 47.79],
  cosh: [15.094, 19.446],
  exp: [5.66, 22.08],
  expm1: [1.767, 5.66],
  hypot: [15.9, 40.8, 58.1, 59.3],
  log: [228.6, 367.58],
  log10: [45.46, 47.66],
  log1p: [3.821, 11.317],
  log2: [46.63, 6.33],
  pow: [5.1, -2.6, 11.5, -21],
  sin: [217.45, 180.26],
  sinh: [14.973, 16.325],
  tan: [221.16, 284.92],
  tanh: [0.3837, 2.845],
}

/** Hash of how the browser rounds each function at two places, which are two numbers each where it takes two. */
export function rounding(): string {
  const functions = Math as unknown as Record<string, (...list: readonly number[]) => number>
  const results = Object.entries(ARGUMENTS).flatMap(([name, list]) => {
    const half = list.length / 2
    return [list.slice(0, half), list.slice(half)].map((place) => functions[name]?.(...place))
  })
  return hashText(results.join())
}
