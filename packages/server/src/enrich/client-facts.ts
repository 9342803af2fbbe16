import type { ReadingValues } from '@inkling/contract'
import { LRUCache } from 'lru-cache'
import { UAParser } from 'ua-parser-js'
import {
  browserName,
  DESKTOP_SYSTEMS,
  HINT_BRANDS,
  HINT_PLATFORMS,
  iosEdition,
  systemName,
} from './client-names.ts'
import { crawlerName } from './crawlers/known-crawlers.ts'

export interface ClientFacts {
  os: string
  /** Empty when unknown. */
  osVersion: string
  browser: string
  /** Empty when unknown. */
  browserVersion: string
  browserMajor: number | undefined
  /** Rendering engine such as `Blink`; empty when unknown. */
  engine: string
  deviceType: 'desktop' | 'mobile' | 'tablet' | 'unknown'
  /** The crawler that the user agent claims to be, such as `GoogleBot`. */
  bot: string | undefined
}

export interface ClientFactsInput {
  userAgent: string
  clientHints?: ReadingValues['client_hints'] | undefined
  maxTouchPoints?: number | undefined
  /** navigator.platform */
  platform?: string | undefined
}

/** Longer user agents are padding or attacks, and parsing them takes time. */
const USER_AGENT_MAX = 512
const HINT_MAX = 64

const known = new LRUCache<string, ClientFacts>({ max: 2_000 })

/** Browser, system and device, for display. Client hints and touch points refine what the user agent says. */
export function clientFacts(input: ClientFactsInput): ClientFacts {
  const claim = shorten(input)
  const key = JSON.stringify(claim)
  let facts = known.get(key)
  if (!facts) {
    facts = Object.freeze(readClient(claim))
    known.set(key, facts)
  }
  return facts
}

/** The input that matters, truncated, so that cache keys stay small whatever a client sends. */
function shorten({ userAgent, clientHints, maxTouchPoints = 0, platform = '' }: ClientFactsInput) {
  const cut = (text: string | undefined) => (text ?? '').slice(0, HINT_MAX)
  return {
    userAgent: userAgent.slice(0, USER_AGENT_MAX),
    touch: maxTouchPoints > 1,
    iphone: platform === 'iPhone',
    hints: clientHints && {
      mobile: clientHints.mobile,
      platform: cut(clientHints.platform),
      platformVersion: cut(clientHints.platform_version),
      brands: (clientHints.full_version_list?.length ? clientHints.full_version_list : clientHints.brands)
        .slice(0, 8)
        .map(({ brand, version }) => ({ brand: cut(brand), version: cut(version) })),
    },
  }
}

type Claim = ReturnType<typeof shorten>
type Hints = NonNullable<Claim['hints']>

function readClient({ userAgent, touch, iphone, hints }: Claim): ClientFacts {
  const { browser: parsed, engine, os: system, device } = new UAParser(userAgent).getResult()
  const onMac = system.name === 'Mac OS' && engine.name === 'WebKit'
  const hidden = onMac ? iosBehindMac(userAgent, touch, iphone) : undefined
  const os = hidden ?? systemName(system.name, device.model)
  const { browser, version } = refineBrowser(
    browserName(parsed.name),
    parsed.version ?? '',
    hints?.brands ?? [],
  )
  const major = Number.parseInt(version, 10)
  return {
    os,
    osVersion: hidden ? '' : refineSystemVersion(os, system.version ?? '', hints),
    browser: os.startsWith('IOS ') ? iosEdition(browser) : browser,
    browserVersion: version,
    browserMajor: Number.isNaN(major) ? undefined : major,
    engine: engineName(engine.name, userAgent),
    deviceType: deviceType(
      os,
      TELEVISION.test(userAgent) ? 'smarttv' : device.type,
      isPhone(userAgent, device.model, hints),
    ),
    bot: crawlerName(userAgent),
  }
}

/**
 * Blink has kept the number of the WebKit that it came from, and WebKit has said 605.1.15 since, so a television on
 * Chromium that does not name Chrome is no WebKit. https://www.chromium.org/updates/ua-reduction/
 */
const engineName = (parsed: string | undefined, userAgent: string): string =>
  parsed === 'WebKit' && /\bAppleWebKit\/537\.36\b/.test(userAgent) ? 'Blink' : (parsed ?? '')

/**
 * iPads request desktop pages with the user agent of a Mac, and iPhones do so on demand. No Mac has a touch screen, and
 * other browsers use WebKit and these names on iOS only.
 */
function iosBehindMac(userAgent: string, touch: boolean, iphone: boolean): string | undefined {
  if (iphone) return 'IOS (iPhone)'
  return touch || /\b(?:CriOS|FxiOS|EdgiOS|OPT|GSA)\//.test(userAgent) ? 'IOS (iPad)' : undefined
}

/** Client hints name browsers that use Chrome's user agent. In a conflict the user agent wins. */
function refineBrowser(browser: string, version: string, brands: Hints['brands']) {
  const claimed = HINT_BRANDS.map(([brand, name]) => ({
    name,
    version: brands.find((hint) => hint.brand === brand)?.version,
  })).find((hint) => hint.version !== undefined)
  const named = browser === 'Chrome' || browser === 'Chromium' ? (claimed?.name ?? browser) : browser
  const exact = claimed?.name === named ? claimed.version : undefined
  return {
    browser: named,
    version: exact && /^[\d.]+$/.test(exact) ? exact : version,
  }
}

/**
 * User agents have frozen versions: Windows 10, Mac OS X 10.15.7 and Android 10. Client hints have the real one:
 * https://developer.chrome.com/docs/privacy-security/user-agent-client-hints
 */
function refineSystemVersion(os: string, version: string, hints: Hints | undefined): string {
  const exact = hints?.platformVersion ?? ''
  if (!hints || HINT_PLATFORMS[hints.platform] !== os || !/^[\d.]+$/.test(exact)) return version
  if (os !== 'Windows') return exact
  const major = Number.parseInt(exact, 10)
  if (major >= 13) return '11'
  return major >= 1 ? '10' : version
}

/** Chrome replaces the model of Android devices by `K`; then only the word Mobile tells phones from tablets. */
const isPhone = (userAgent: string, model: string | undefined, hints: Hints | undefined): boolean =>
  hints?.mobile === true || (model === 'K' && /\bMobile\b/.test(userAgent))

/**
 * What televisions call themselves that the parser takes for computers: Vewd's and Hisense's browsers, and all of ETSI TS 102
 * 796 (https://www.hbbtv.org/resource-library/specifications/).
 */
const TELEVISION = /\b(?:OMI|VIDAA|HbbTV)\/\d/

function deviceType(os: string, parsed: string | undefined, phone: boolean): ClientFacts['deviceType'] {
  // Televisions name the system that they are made of.
  if (parsed === 'smarttv' || parsed === 'console' || parsed === 'wearable') return 'unknown'
  if (DESKTOP_SYSTEMS.has(os)) return 'desktop'
  if (os === 'IOS (iPad)') return 'tablet'
  if (os === 'IOS (iPhone)') return 'mobile'
  if (os === 'Android' && phone) return 'mobile'
  if (parsed === 'mobile' || parsed === 'tablet') return parsed
  return os === 'Android' ? 'mobile' : 'unknown'
}
