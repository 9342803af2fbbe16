import type { Identified } from '../visit/identification.ts'

type OsFamily = NonNullable<Identified['stack']['os']>

const FAMILIES: Readonly<Record<string, OsFamily>> = {
  Windows: 'Windows',
  'Mac OS X': 'Apple',
  'IOS (iPhone)': 'Apple',
  'IOS (iPad)': 'Apple',
  Linux: 'Linux',
  Android: 'Linux',
  ChromeOS: 'Linux',
}

/** The TCP stack of a browser's operating system; undefined for systems whose packets are not known. */
export const osFamilyOf = (clientOs: string): OsFamily | undefined =>
  Object.hasOwn(FAMILIES, clientOs) ? FAMILIES[clientOs] : undefined

/** Whether the browser's system and the network stack contradict each other; undefined when one is unknown. */
export function contradictsStack({
  client,
  stack,
}: Pick<Identified, 'client' | 'stack'>): boolean | undefined {
  const claimed = osFamilyOf(client.os)
  if (claimed === undefined || stack.os === undefined) return undefined
  return claimed !== stack.os
}
