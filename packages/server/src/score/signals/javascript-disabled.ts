import type { Identified } from '../../visit/identification.ts'
import { clear, defineSignal, hit, unknown, valueIn } from '../define-signal.ts'

/**
 * How many of the interfaces must be missing, and which may be, as companies and careful people switch them off:
 * WebAssembly goes with the just-in-time compiler, Tor Browser lacks WebRTC and asks for WebGL, and the
 * Lockdown Mode of Apple's systems takes away many.
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
  evidence: 'The image for pages without JavaScript, and which interfaces the browser reports missing.',
  innocentCauses: [
    'a visitor who blocks scripts',
    'a reader mode or text browser',
    'a company that switches off several interfaces at once',
  ],
  test(identified) {
    const { via, readings } = identified
    if (via === 'noscript') return hit('JavaScript disabled', { beacon: 'noscript image loaded' })
    const missing = missingInterfaces(identified)
    if (missing.length > 0) return hit(`JavaScript disabled (${missing.join(', ')})`, { missing })
    return Object.values(readings).some((fact) => fact.ok) ? clear : unknown
  },
})

/** Empty when so few are missing that settings or the machine explain it. */
function missingInterfaces({ client, readings }: Identified): string[] {
  const rule = Object.hasOwn(ENGINES, client.engine) ? ENGINES[client.engine] : undefined
  const reported = valueIn(readings.missing_apis)
  if (!rule || !reported) return []
  // The interface may be there and give nothing.
  const noGpu = !readings.webgl.ok && readings.webgl.why === 'unsupported'
  const missing = [...new Set([...reported, ...(noGpu ? ['WebGL'] : [])])].filter(
    (name) => !rule.mayLack.includes(name),
  )
  return missing.length >= rule.missingMin ? missing : []
}
