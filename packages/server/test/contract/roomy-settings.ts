/** Limits out of the way, and visitors whose address a test chooses by `X-Forwarded-For`. */
export const ROOMY_SETTINGS = {
  TRUST_PROXY: '127.0.0.1',
  INGEST_LIMIT_PER_MINUTE: '1000000',
  HISTORY_LIMIT_PER_SECOND: '1000000',
  MANAGEMENT_LIMIT_PER_MINUTE: '1000000',
} as const

/** A line of a German household, one in a data centre, and one that no data knows. */
export const ADDRESSES = {
  home: '91.0.0.1',
  hosting: '5.9.0.1',
  unknown: '203.0.113.7',
  ipv6: '2003::1',
} as const

export const from = (address: string): Record<string, string> => ({ 'x-forwarded-for': address })
