/** High limits, and visitors whose address a test sets with `X-Forwarded-For`. */
export const ROOMY_SETTINGS = {
  TRUST_PROXY: '127.0.0.1',
  INGEST_LIMIT_PER_MINUTE: '1000000',
  HISTORY_LIMIT_PER_SECOND: '1000000',
  MANAGEMENT_LIMIT_PER_MINUTE: '1000000',
} as const

/** Addresses of a German household and of a data center, and one that is in no data. */
export const ADDRESSES = {
  home: '91.0.0.1',
  hosting: '5.9.0.1',
  unknown: '203.0.113.7',
  ipv6: '2003::1',
} as const

export const from = (address: string): Record<string, string> => ({ 'x-forwarded-for': address })
