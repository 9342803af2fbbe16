import type { ReadingValues } from '@inkling/contract'
import type { Identified } from '../../visit/identification.ts'
import type { Readings } from '../../visit/received.ts'
import { valueIn } from '../define-signal.ts'
import type { Indicator } from '../indicators.ts'
import { indicatorOf, type TamperingGroup } from './groups.ts'
import { identityIndicators } from './identity-indicators.ts'

/** Everything that shows a browser pretending to be another one, strongest first. */
export const tamperingIndicators = (identified: Identified): Indicator[] =>
  [
    ...realmIndicators(identified.readings),
    ...identityIndicators(identified),
    ...nativeIndicators(identified.readings),
    ...headerIndicators(identified),
    ...permissionIndicators(identified),
    ...temporalIndicators(identified),
  ].sort((a, b) => b.points - a.points)

type Realm = ReadingValues['worker']

const REALM_GROUPS: Readonly<Record<keyof Realm, TamperingGroup>> = {
  user_agent: 'identity',
  platform: 'identity',
  languages: 'languages',
  timezone: 'timezone',
  cores: 'reduction',
  memory_gb: 'reduction',
  webgl_renderer: 'gpu',
}

/**
 * Facts that differ between the page and its worker or its frame. A script that forges them in the page
 * rarely reaches the other realms. CreepJS compares realms, too: https://github.com/abrahamjuliot/creepjs
 */
function realmIndicators(readings: Readings): Indicator[] {
  const page = pageRealm(readings)
  return (['worker', 'iframe'] as const).flatMap((where) => {
    const realm = valueIn(readings[where])
    if (!realm) return []
    const facts = (Object.keys(REALM_GROUPS) as (keyof Realm)[]).filter(
      (fact) =>
        differ(page[fact], realm[fact]) &&
        !(fact === 'platform' && isDesktopSite(page.platform, realm.platform)),
    )
    return [...Map.groupBy(facts, (fact) => REALM_GROUPS[fact])].map(([group, different]) =>
      indicatorOf(
        where === 'worker' ? 'worker_mismatch' : 'frame_mismatch',
        group,
        different.map((fact) => ({ fact, page: page[fact], [where]: realm[fact] })),
      ),
    )
  })
}

/**
 * A page for desktops is told of a Mac on an iPad, and on an iPhone that asks for it, while workers have the device's own
 * platform (https://github.com/WebKit/WebKit/blob/main/Source/WebCore/page/Navigator.cpp).
 */
const isDesktopSite = (page: string | undefined, realm: string | undefined): boolean =>
  page === 'MacIntel' && /^iP(?:ad|hone|od)/.test(realm ?? '')

function pageRealm({ user_agent, platform, languages, hardware, timezone, webgl }: Readings) {
  return {
    user_agent: valueIn(user_agent),
    platform: valueIn(platform),
    languages: valueIn(languages)?.languages,
    cores: valueIn(hardware)?.cores,
    memory_gb: valueIn(hardware)?.memory_gb,
    timezone: valueIn(timezone)?.name,
    webgl_renderer: valueIn(webgl)?.unmasked_renderer || undefined,
  }
}

/** A missing fact contradicts nothing: some realms have no memory size or GPU. */
function differ(one: unknown, other: unknown): boolean {
  if (one === undefined || one === null || other === undefined || other === null) return false
  return JSON.stringify(one) !== JSON.stringify(other)
}

/** What a forger gains by replacing each built-in function or property. Others gain nothing. */
const NATIVE_GROUPS: readonly (readonly [group: TamperingGroup, natives: RegExp])[] = [
  [
    'identity',
    /^(?:Navigator|navigator)\.(?:userAgent|platform|vendor|userAgentData|plugins|mimeTypes)$|^NavigatorUAData\./,
  ],
  ['languages', /^(?:Navigator|navigator)\.languages?$/],
  ['timezone', /^Date\./],
  ['permissions', /^Permissions\.|^(?:Navigator|navigator)\.permissions$/],
  [
    'reduction',
    /^(?:Navigator|navigator)\.(?:hardwareConcurrency|deviceMemory|maxTouchPoints)$|^(?:Screen|HTMLCanvasElement|CanvasRenderingContext2D|WebGL2?RenderingContext|AudioBuffer|HTMLMediaElement|Function|HTMLIFrameElement)\./,
  ],
]

/** How an openly wrapped function shows. Pages wrap functions to record calls or to fix bugs. */
const OPEN_SIGNS = new Set(['text', 'shape'])

/** Built-ins that were replaced and made to look original. */
function nativeIndicators({ tampering, iframe }: Readings): Indicator[] {
  const found = [...(valueIn(tampering) ?? []), ...(valueIn(iframe)?.disguised ?? [])]
  const hidden = found.filter(isHidden)
  return NATIVE_GROUPS.flatMap(([group, natives]) => {
    const replaced = hidden.filter((entry) => natives.test(entry.slice(0, entry.lastIndexOf(':'))))
    return replaced.length === 0 ? [] : [indicatorOf('native_lies', group, replaced)]
  })
}

/** Each entry is `Interface.member:sign`. A page has no reason to define a property on `navigator`. */
function isHidden(entry: string): boolean {
  const isOwnProperty = /^navigator\./i.test(entry)
  return isOwnProperty || !OPEN_SIGNS.has(entry.slice(entry.lastIndexOf(':') + 1))
}

/**
 * Each contradiction between request and script. The expected orders belong to the engine that the user agent
 * names, so a switched user agent contradicts them as well: all of that is one cause.
 */
const HEADER_GROUPS: Readonly<Record<string, TamperingGroup>> = {
  user_agent: 'identity',
  client_hints: 'identity',
  client_hint_platform: 'identity',
  client_hint_version: 'identity',
  language: 'languages',
  fetch_order: 'identity',
  accept_order: 'identity',
  name_case: 'transport',
  pseudo_header_order: 'identity',
}

/** The request that carried the snapshot and the page name different browsers. */
export const headerIndicators = ({ headers }: Identified): Indicator[] =>
  headers.contradictions.flatMap(({ name, evidence }) => {
    const group = HEADER_GROUPS[name]
    return group ? [indicatorOf('header_mismatch', group, { [name]: evidence })] : []
  })

/**
 * One permission that two interfaces answer differently. Headless Chrome had a bug of this kind:
 * https://antoinevastel.com/bot%20detection/2018/01/17/detect-chrome-headless-v2.html. Today it is a sign of
 * browsers that were patched in one of the two places.
 */
function permissionIndicators({ readings: { permissions, frame } }: Identified): Indicator[] {
  const states = valueIn(permissions)
  // Inside another site's page browsers answer the two differently by themselves.
  if (!states || valueIn(frame)?.nested !== false) return []
  const { notifications, notification_api } = states
  if (notification_api !== 'default' || notifications !== 'denied') return []
  return [indicatorOf('permission_mismatch', 'permissions', { notifications, notification_api })]
}

/** Machines are repaired and cookies are copied to new ones, so this alone is no verdict. */
function temporalIndicators({ identity: { decision }, readings }: Identified): Indicator[] {
  const changed = decision?.hardwareFlips ?? []
  if (changed.length === 0) return []
  // Under the name of another system a browser has other hardware because of the name.
  const group = decision?.isOtherFamily ? 'identity' : isBlurred(changed, readings) ? 'reduction' : 'temporal'
  return [indicatorOf('hardware_changed', group, changed)]
}

/**
 * Whether people's browsers change this by themselves. Brave and extensions make up cores and memory anew at each start
 * and on each site (https://github.com/brave/brave-browser/wiki/Fingerprinting-Protections); a laptop has a second
 * graphics card, and a dock or a remote desktop a third. Another machine differs in both.
 */
function isBlurred(changed: readonly string[], { raster, waveform }: Readings): boolean {
  const isNoisy = valueIn(raster)?.stable === false || valueIn(waveform)?.stable === false
  return isNoisy || !changed.includes('gpu') || changed.length === 1
}
