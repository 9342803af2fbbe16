/** What the benchmark calls of https://www.npmjs.com/package/headless-detector, which has no types. */
declare module 'headless-detector' {
  /** `isHeadless` is a score from 0 to 1. */
  export function detectHeadless(): Promise<{ isHeadless: number }>
}
