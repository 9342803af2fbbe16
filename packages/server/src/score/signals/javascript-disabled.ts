import type { Identified } from '../../visit/identification.ts'
import { clear, defineSignal, hit, unknown, valueIn } from '../define-signal.ts'

/** A single interface may be missing through an extension that nobody here knows. */
const MISSING_MIN = 2

/**
 * What settings, policies, extensions and a missing graphics card take away from each engine, so that it speaks for
 * nothing. WebAssembly goes with the just-in-time compiler, hardened Firefox has no Web Audio, and Apple's Lockdown
 * Mode removes several (https://support.apple.com/en-us/105120).
 */
const MAY_LACK: Readonly<Record<string, readonly string[]>> = {
  Blink: ['WebRTC', 'WebSocket', 'WebGL', 'WebAssembly'],
  Gecko: ['WebRTC', 'WebSocket', 'WebGL', 'WebAssembly', 'Web Audio'],
  WebKit: ['WebRTC', 'WebSocket', 'WebGL', 'WebAssembly', 'Web Audio', 'IndexedDB'],
}

export const javascriptDisabled = defineSignal({
  name: 'javascript_disabled',
  title: 'JavaScript is disabled',
  weight: 90,
  flag: 'javascript_disabled',
  meaning:
    'The page was shown without JavaScript, or without interfaces that no setting takes away from a browser.',
  evidence: 'The image for pages without JavaScript, and the interfaces that are missing in the browser.',
  innocentCauses: [
    'a visitor who blocks scripts',
    'a reader mode or text browser',
    'a company that disables several interfaces at once',
  ],
  test(identified) {
    const { via, readings } = identified
    if (via === 'noscript') return hit('JavaScript disabled', { beacon: 'noscript image loaded' })
    const missing = missingInterfaces(identified)
    if (missing.length > 0) return hit(`JavaScript disabled (${missing.join(', ')})`, { missing })
    return Object.values(readings).some((fact) => fact.ok) ? clear : unknown
  },
})

/** Empty when settings or the machine can explain what is missing. */
function missingInterfaces({ client, readings }: Identified): string[] {
  const mayLack = Object.hasOwn(MAY_LACK, client.engine) ? MAY_LACK[client.engine] : undefined
  const reported = valueIn(readings.missing_apis)
  if (!mayLack || !reported) return []
  const unexplained = reported.filter((name) => !mayLack.includes(name))
  return unexplained.length >= MISSING_MIN ? unexplained : []
}
