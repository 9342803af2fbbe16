import { TYPICAL_VERDICT } from '../lib/typical-verdict.ts'
/** The parts of the statement that differ between the engines. */
export interface Dialect {
  /** Expression for 16 random bytes. */
  bytes16: string
  /** Expression for a random number from 0 to 2^32. */
  address: string
}

export interface Piece {
  domainId: number
  /** Row numbers, including the first. */
  first: number
  last: number
  /** Of all rows in this run: their times are spread evenly over the days. */
  rows: number
  firstMs: number
  spanMs: number
}

/** An `insert` in which the database generates identifications as wide as real ones. */
export const insertIdentifications = ({ bytes16, address }: Dialect, piece: Piece): string => `
  with recursive numbers (n) as (
    select ${piece.first} union all select n + 1 from numbers where n < ${piece.last}
  ), times as (
    select n, ${piece.firstMs} + cast(n * ${(piece.spanMs / piece.rows).toFixed(6)} as bigint) as at from numbers
  )
  insert into identifications (
    domain_id, request_id, session_id, cookie_id, device_id, visitor_id, user_hid, created_at, ver, host, ip,
    os, browser, device_type, country, connection_type, score, flags, verdict,
    entry_url, utm_source, traffic_channel, traffic_channel_group, traffic_reason
  )
  select
    ${piece.domainId}, ${bytes16}, ${bytes16}, ${bytes16}, ${bytes16}, ${bytes16}, 'account-' || (n % 200000),
    at, at, 'bench.example', ${address},
    'Windows', 'Chrome', 'desktop', 'Germany', 'direct', n % 100, 0, '${TYPICAL_VERDICT}',
    'https://bench.example/pricing?utm_source=news', 'news', 'Other', 'Other', 'utm_match'
  from times`
