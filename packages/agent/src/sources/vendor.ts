import type { ReadingValues } from '@inkling/contract'

/** One constant pair per engine, so that they give away an engine behind another one's user agent. */
export const vendor = (): ReadingValues['vendor'] => ({
  vendor: navigator.vendor,
  product_sub: navigator.productSub,
})
