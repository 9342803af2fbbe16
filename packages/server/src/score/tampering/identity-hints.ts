import type { Identified } from '../../visit/identification.ts'
import type { Hint } from '../hint.ts'
import { known } from '../known.ts'
import { engineContradiction } from './engine-contradiction.ts'
import { GROUPS } from './tampering-groups.ts'

/** What the systems call themselves in `navigator.platform`, and what only they have for graphics. */
const SYSTEMS = [
  { agent: /\bWindows NT\b/, platform: /^Win/, graphics: /\bDirect3D|\bD3D\d/ },
  { agent: /\bMacintosh\b/, platform: /^Mac/, graphics: /\bApple M\d|\bMetal\b|\bOpenGL Engine\b/ },
  { agent: /\bLinux\b|\bCrOS\b/, platform: /^(?:Linux|FreeBSD|OpenBSD)/, graphics: /\bMesa\b/ },
]

/** Length of the text of `eval`: 33 in V8, 37 in SpiderMonkey and JavaScriptCore. */
const EVAL_LENGTH = { Blink: 33, Gecko: 37, WebKit: 37 } as const

/** Contradictions in which browser on which system it claims to be: the strongest things to forge badly. */
export function identityHints(identified: Identified): Hint[] {
  const found: Record<string, unknown> = {
    engine_mismatch: engineMismatch(identified),
    platform_mismatch: platformMismatch(identified),
    client_hints_mismatch: clientHintsMismatch(identified),
  }
  return Object.entries(found).flatMap(([name, evidence]) =>
    evidence === undefined ? [] : [{ name, group: 'identity', points: GROUPS.identity, evidence }],
  )
}

function engineMismatch({ client, readings: { engine, user_agent } }: Identified): unknown {
  if (!engine.ok || !user_agent.ok) return undefined
  const { eval_length, features } = engine.value
  const name = Object.hasOwn(EVAL_LENGTH, client.engine)
    ? (client.engine as keyof typeof EVAL_LENGTH)
    : undefined
  if (name && eval_length !== EVAL_LENGTH[name]) return { claimed: client.engine, eval_length }
  return engineContradiction(user_agent.value, features)
}

/** Desktops only: an iPad and a phone may ask for desktop pages as another system. */
function platformMismatch({
  client,
  readings: { user_agent, platform, webgl, hardware },
}: Identified): unknown {
  if (client.deviceType !== 'desktop' || !user_agent.ok || known(hardware)?.max_touch_points !== 0)
    return undefined
  const system = SYSTEMS.find(({ agent }) => agent.test(user_agent.value))
  if (!system) return undefined
  if (platform.ok && platform.value !== '' && !system.platform.test(platform.value))
    return { user_agent: user_agent.value, platform: platform.value }
  const renderer = known(webgl)?.unmasked_renderer ?? ''
  // Linux on Apple's own processors has both in one name.
  const foreign = !system.graphics.test(renderer) && SYSTEMS.some(({ graphics }) => graphics.test(renderer))
  return foreign ? { user_agent: user_agent.value, renderer } : undefined
}

/** The major version is the same in both, and so is the system but for phones that ask for desktop pages. */
function clientHintsMismatch({ client, readings: { client_hints, user_agent } }: Identified): unknown {
  if (!client_hints.ok || !user_agent.ok || client.deviceType !== 'desktop') return undefined
  const { brands, platform } = client_hints.value
  const hinted = brands.find(({ brand }) => brand === 'Chromium')?.version
  const claimed = /\b(?:Headless)?Chrome\/(\d+)/.exec(user_agent.value)?.[1]
  if (hinted && claimed && Number.parseInt(hinted, 10) !== Number(claimed)) return { hinted, claimed }
  const pair = SYSTEM_HINTS.find(([hint]) => hint === platform)
  return pair && !pair[1].test(user_agent.value) ? { platform, user_agent: user_agent.value } : undefined
}

const SYSTEM_HINTS: readonly (readonly [platform: string, agent: RegExp])[] = [
  ['Windows', /\bWindows NT\b/],
  ['macOS', /\bMacintosh\b/],
]
