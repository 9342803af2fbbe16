/** The promise's value, or `late` once the time is over. What rejects counts as late. */
export function within<Value, Late>(
  limitMs: number,
  promise: Promise<Value>,
  late: Late,
): Promise<Value | Late> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(late), limitMs)
    promise.then(resolve, () => resolve(late)).finally(() => clearTimeout(timer))
  })
}
