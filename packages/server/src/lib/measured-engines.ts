/** The last version of each engine whose connections and headers were measured, on 2026-11-22. */
export const LAST_MEASURED = { Blink: 156, Gecko: 153 } as const

const VERSIONS: Readonly<Record<string, readonly [version: RegExp, last: number]>> = {
  Blink: [/\b(?:Headless)?Chrome\/(\d+)/, LAST_MEASURED.Blink],
  Gecko: [/\bFirefox\/(\d+)/, LAST_MEASURED.Gecko],
}

/** Whether a user agent claims a version of the engine that came later: it may write its requests as none did before. */
export function isLaterVersion(engine: string, userAgent: string): boolean {
  const known = Object.hasOwn(VERSIONS, engine) ? VERSIONS[engine] : undefined
  return known !== undefined && Number(known[0].exec(userAgent)?.[1]) > known[1]
}
