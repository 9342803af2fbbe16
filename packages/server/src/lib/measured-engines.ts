/** Engines by how their user agents write the version, and the last one that was measured, on 2026-11-22. */
const ENGINES: Readonly<Record<string, { version: RegExp; last: number }>> = {
  Blink: { version: /\b(?:Headless)?Chrome\/(\d+)/, last: 156 },
  Gecko: { version: /\bFirefox\/(\d+)/, last: 153 },
}

const engineOf = (engine: string) => (Object.hasOwn(ENGINES, engine) ? ENGINES[engine] : undefined)

/** The version that a user agent claims of an engine; NaN if it claims none. */
export const claimedVersion = (engine: string, userAgent: string): number =>
  Number(engineOf(engine)?.version.exec(userAgent)?.[1])

/** Whether a user agent claims a version of the engine that came later: it may write its requests as none did before. */
export const isLaterVersion = (engine: string, userAgent: string): boolean =>
  claimedVersion(engine, userAgent) > (engineOf(engine)?.last ?? Number.NaN)
