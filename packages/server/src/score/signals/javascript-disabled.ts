import type { Identified } from '../../visit/identification.ts'
import { clear, defineSignal, hit, unknown, valueIn } from '../define-signal.ts'

/**
 * How many interfaces must be missing for a hit, and which may be missing: companies and careful people disable
 * some off. WebAssembly goes with the just-in-time compiler, Tor Browser lacks WebRTC and asks before WebGL, and
 * Apple's Lockdown Mode removes several (https://support.apple.com/en-us/105120).
 */
const ENGINES: Readonly<Record<string, { missingMin: number; mayLack: readonly string[] }>> = {
  Blink: { missingMin: 2, mayLack: ['WebAssembly'] },
  Gecko: { missingMin: 3, mayLack: ['WebAssembly'] },
  WebKit: { missingMin: 2, mayLack: ['WebRTC', 'WebGL', 'WebAssembly', 'Web Audio', 'IndexedDB'] },
}

export const javascriptDisabled = defineSignal({
  name: 'javascript_disabled',
  title: 'JavaScript is disabled',
  weight: 90,
  flag: 'javascript_disabled',
  meaning: 'The page was shown without JavaScript, or without interfaces that every ordinary browser has.',
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
  const rule = Object.hasOwn(ENGINES, client.engine) ? ENGINES[client.engine] : undefined
  const reported = valueIn(readings.missing_apis)
  if (!rule || !reported) return []
  // WebGL may be there and return no context.
  const noGpu = !readings.webgl.ok && readings.webgl.why === 'unsupported'
  const missing = [...new Set([...reported, ...(noGpu ? ['WebGL'] : [])])].filter(
    (name) => !rule.mayLack.includes(name),
  )
  return missing.length >= rule.missingMin ? missing : []
}
