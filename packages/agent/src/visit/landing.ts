const LENGTH_MAX = 8_192

/** The first page of a visit and where its visitor came from. */
export interface Landing {
  url: string
  referrer: string
}

/** This page. What follows `#` never leaves the browser by itself, so it does not leave it here. */
export const thisPage = (): Landing => ({
  url: (location.href.split('#', 1)[0] ?? '').slice(0, LENGTH_MAX),
  referrer: document.referrer.slice(0, LENGTH_MAX),
})

export const isLanding = (value: unknown): value is Landing =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as Landing).url === 'string' &&
  typeof (value as Landing).referrer === 'string'
