import type { Engine } from './tls-clients.ts'

interface Http2Profile {
  /** Settings that it announces, in order. Their values change with the system and its memory. */
  settings: readonly string[]
  windowUpdate: readonly string[]
  pseudoHeaders: readonly string[]
}

/**
 * How each engine opens an HTTP/2 connection. Blink and Gecko were measured on 2026-11-22 (Chromium 156, Firefox ESR
 * 153). WebKit's are those of Safari 15 to 26 as published by several capture sites, read 2026-11: such as
 * https://github.com/lexiforest/curl-impersonate. Firefox on Android has smaller values under the same names.
 */
const PROFILES: Readonly<Record<Engine, Http2Profile>> = {
  Blink: {
    settings: ['1;2;4;6', '1;2;3;4;6', '1;3;4;6'],
    windowUpdate: ['15663105'],
    pseudoHeaders: ['m,a,s,p'],
  },
  Gecko: { settings: ['1;2;4;5', '1;4;5'], windowUpdate: ['12517377'], pseudoHeaders: ['m,p,a,s'] },
  WebKit: {
    settings: ['4;3', '2;4;3', '2;3;4', '2;3;4;9', '2;3;4;8;9', '2;4;3;9'],
    windowUpdate: ['10485760', '10420225'],
    pseudoHeaders: ['m,s,p,a', 'm,s,a,p'],
  },
}

/** The engine that opens HTTP/2 connections like this one; undefined where none of them does. */
export function http2Engine(fingerprint: string): Engine | undefined {
  const [settings = '', windowUpdate = '', , pseudoHeaders = ''] = fingerprint.split('|')
  const names = settings
    .split(';')
    .map((entry) => entry.split(':')[0])
    .join(';')
  return (Object.keys(PROFILES) as Engine[]).find((engine) => {
    const profile = PROFILES[engine]
    return (
      profile.settings.includes(names) &&
      profile.windowUpdate.includes(windowUpdate) &&
      profile.pseudoHeaders.includes(pseudoHeaders)
    )
  })
}
