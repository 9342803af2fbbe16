import type { Readings } from '../../visit/identification.ts'
import type { Hint } from '../hint.ts'
import { known } from '../known.ts'
import { GROUPS, type TamperingGroup } from './tampering-groups.ts'

/** What each replaced native is a claim about. The rest is about nothing in particular. */
const CLAIMS: readonly (readonly [group: TamperingGroup, natives: RegExp])[] = [
  [
    'identity',
    /^(?:Navigator|navigator)\.(?:userAgent|platform|vendor|userAgentData|plugins|mimeTypes)$|^NavigatorUAData\./,
  ],
  ['languages', /^(?:Navigator|navigator)\.languages?$/],
  ['gpu', /^WebGL2?RenderingContext\./],
  ['timezone', /^Date\./],
  ['permissions', /^Permissions\.|^(?:Navigator|navigator)\.permissions$/],
  ['concealment', /^Function\.|^HTMLIFrameElement\./],
  [
    'reduction',
    /^(?:Navigator|navigator)\.(?:hardwareConcurrency|deviceMemory|maxTouchPoints)$|^(?:Screen|HTMLCanvasElement|CanvasRenderingContext2D|AudioBuffer|HTMLMediaElement)\./,
  ],
]

/** Pages and their scripts wrap methods in the open, to record or to mend; a lie is hidden, or is a property. */
const OPEN_SIGNS = new Set(['text', 'shape'])

/** Natives that were replaced by something that passes for them. */
export function nativeHints({ tampering }: Readings): Hint[] {
  const lies = (known(tampering) ?? []).filter(isLie)
  return CLAIMS.flatMap(([group, natives]) => {
    const found = lies.filter((lie) => natives.test(nativeOf(lie)))
    return found.length === 0 ? [] : [{ name: 'native_lies', group, points: GROUPS[group], evidence: found }]
  })
}

const nativeOf = (lie: string): string => lie.slice(0, lie.lastIndexOf(':'))

function isLie(lie: string): boolean {
  const property = /^navigator\./i.test(lie)
  return property || !OPEN_SIGNS.has(lie.slice(lie.lastIndexOf(':') + 1))
}
