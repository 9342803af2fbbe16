import type { Identified } from '../../visit/identification.ts'
import { valueIn } from '../define-signal.ts'
import type { Indicator } from '../indicators.ts'
import { engineContradiction } from './engine-versions.ts'
import { indicatorOf } from './groups.ts'

/** What each system puts in `navigator.platform`, and graphics that only it has. */
const SYSTEMS = [
  { agent: /\bWindows NT\b/, platform: /^Win/, graphics: /\bDirect3D|\bD3D\d/ },
  { agent: /\bMacintosh\b/, platform: /^Mac/, graphics: /\bApple M\d|\bMetal\b|\bOpenGL Engine\b/ },
  { agent: /\bLinux\b|\bCrOS\b/, platform: /^(?:Linux|FreeBSD|OpenBSD)/, graphics: /\bMesa\b/ },
]

/**
 * Length of `eval.toString()`. ECMAScript leaves the blanks of a native function's text to the engine
 * (https://tc39.es/ecma262/#prod-NativeFunction): V8 puts it on one line, SpiderMonkey and JavaScriptCore on
 * three. BotD reads the same: https://github.com/fingerprintjs/BotD/blob/main/src/sources/eval_length.ts
 */
const EVAL_LENGTH = { Blink: 33, Gecko: 37, WebKit: 37 } as const

/** Contradictions in the claim to be this browser on this system. Forging all of it consistently is hard. */
export function identityIndicators(identified: Identified): Indicator[] {
  const found: Record<string, unknown> = {
    engine_mismatch: engineMismatch(identified),
    platform_mismatch: platformMismatch(identified),
    client_hints_mismatch: clientHintsMismatch(identified),
  }
  return Object.entries(found).flatMap(([name, evidence]) =>
    evidence === undefined ? [] : [indicatorOf(name, 'identity', evidence)],
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

/** Desktops only: tablets and phones may ask for desktop pages under the name of another system. */
function platformMismatch({
  client,
  readings: { user_agent, platform, webgl, hardware },
}: Identified): unknown {
  if (client.deviceType !== 'desktop' || !user_agent.ok || valueIn(hardware)?.max_touch_points !== 0)
    return undefined
  const system = SYSTEMS.find(({ agent }) => agent.test(user_agent.value))
  if (!system) return undefined
  if (platform.ok && platform.value !== '' && !system.platform.test(platform.value))
    return { user_agent: user_agent.value, platform: platform.value }
  const renderer = valueIn(webgl)?.unmasked_renderer ?? ''
  // The driver of Linux on Apple's processors names both systems.
  const foreign = !system.graphics.test(renderer) && SYSTEMS.some(({ graphics }) => graphics.test(renderer))
  return foreign ? { user_agent: user_agent.value, renderer } : undefined
}

/** Client hints and user agent of a desktop have the same major version and the same system. */
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
