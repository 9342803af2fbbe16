export interface StoredVersion {
  ver: number
  score: number
}

/** Reads Inkling's database directly, without the code of the running server. */
export interface InklingDatabase {
  count(table: string): Promise<number>
  /** Number of rows per request ID. */
  rowsByRequest(): Promise<Map<string, number>>
  /** Version and score per request ID. */
  versions(): Promise<Map<string, StoredVersion>>
  /** Request IDs with more than one recorded delivery. */
  recordedTwice(): Promise<string[]>
  /** Number of recorded deliveries without a 2xx response. */
  failedSends(): Promise<number>
  /** Remaining identifications of all domains. */
  remaining(): Promise<number>
  /** `ok`, or what is wrong with its files. */
  integrity(): Promise<string>
  close(): Promise<void>
}

/** The same queries in the SQL of both engines. */
export const QUESTIONS = {
  count: (table: string) => `select count(*) as total from ${table}`,
  failedSends:
    'select count(*) as total from deliveries where status is null or status not between 200 and 299',
  remaining: 'select sum(remaining) as total from domains',
  /** @param hex SQL expression for `request_id` in hexadecimal digits */
  rowsByRequest: (hex: string) =>
    `select ${hex} as id, count(*) as total from identifications where score is not null and request_id is not null group by request_id`,
  /** @param hex SQL expression for `request_id` in hexadecimal digits */
  versions: (hex: string) =>
    `select ${hex} as id, ver, score from identifications where request_id is not null`,
  recordedTwice: (hex: string) =>
    `select ${hex} as id from deliveries where status between 200 and 299 group by request_id having count(*) > 1`,
} as const

export const uuidOf = (hex: string): string =>
  hex.toLowerCase().replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
