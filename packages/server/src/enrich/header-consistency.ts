import { claimedVersion, isLaterVersion } from '../lib/measured-engines.ts'
import type { HeaderFacts, Observation } from '../visit/network-evidence.ts'
import type { Readings } from '../visit/received.ts'
import { clientFacts } from './client-facts.ts'
import { HINT_PLATFORMS } from './client-names.ts'

/** What the browser claims, to be compared with its headers. */
export interface HeaderClaims {
  /** `User-Agent` of the same request. */
  userAgent: string
  /** Rendering engine that the browser claims, such as `Blink`. */
  engine: string
  readings: Pick<Readings, 'user_agent' | 'client_hints' | 'languages'>
  /** Whether the request came over TLS or to localhost, where Chromium sends client hints. False if unknown. */
  secure: boolean
}

export interface HeaderConsistency {
  /** Failed checks, with both sides as evidence. */
  contradictions: readonly { name: HeaderCheck; evidence: Record<string, unknown> }[]
  clear: readonly HeaderCheck[]
  unknown: readonly HeaderCheck[]
  /** Whether a proxy or another program has changed order and case, so that the orders say nothing. */
  rewritten: boolean
}

export type HeaderCheck = keyof typeof CHECKS

interface Request extends HeaderClaims {
  facts: HeaderFacts
  /** Names in lower case. */
  names: readonly string[]
  /** Whether a proxy or another program has changed order and case. */
  rewritten: boolean
}

/** Evidence of a contradiction, or the result. */
type Answer = Record<string, unknown> | 'clear' | 'unknown'

/**
 * Compares the headers of the request that carried the snapshot with what the browser claims. The orders were recorded
 * from Chromium 156 and Firefox 153, in `fetch`, image and page requests over HTTP/1.1 and HTTP/2. WebKit's orders are
 * not known, so WebKit is not checked. Headers that pages or extensions may set are not part of any order.
 */
export function headerConsistency(
  headers: Observation<HeaderFacts>,
  claims: HeaderClaims,
): HeaderConsistency {
  const checks = Object.entries(CHECKS) as [HeaderCheck, (request: Request) => Answer][]
  if (!headers.available)
    return { contradictions: [], clear: [], unknown: checks.map(([name]) => name), rewritten: false }
  const facts = headers.value
  const names = facts.names.map((name) => name.toLowerCase())
  const request = { ...claims, facts, names, rewritten: isRewritten(facts, names) }
  const answers = checks.map(([name, check]) => ({ name, answer: check(request) }))
  const named = (expected: Answer) =>
    answers.filter(({ answer }) => answer === expected).map(({ name }) => name)
  return {
    contradictions: answers.flatMap(({ name, answer }) =>
      typeof answer === 'object' ? [{ name, evidence: answer }] : [],
    ),
    clear: named('clear'),
    unknown: named('unknown'),
    rewritten: request.rewritten,
  }
}

const CHECKS = {
  user_agent: userAgentOfScript,
  client_hints: presenceOfHints,
  client_hint_platform: platformOfHints,
  client_hint_version: versionOfHints,
  language: firstLanguage,
  fetch_order: orderOfFetchMetadata,
  accept_order: orderOfAccept,
  name_case: caseOfNames,
  pseudo_header_order: orderOfPseudoHeaders,
  fetch_metadata: presenceOfFetchMetadata,
  request_kind: kindOfRequest,
  accept_language: presenceOfLanguage,
  length_order: orderOfLength,
}

/** The system is not compared in Gecko: Tor Browser's header said Windows while script had the real system. */
function userAgentOfScript({ userAgent, readings: { user_agent } }: Request): Answer {
  if (!user_agent.ok || userAgent === '' || user_agent.value === '') return 'unknown'
  const header = clientFacts({ userAgent })
  const script = clientFacts({ userAgent: user_agent.value })
  const systemsMayDiffer = header.engine === 'Gecko' || header.os === script.os
  if (header.engine === script.engine && systemsMayDiffer) return 'clear'
  return { header: `${header.engine}, ${header.os}`, script: `${script.engine}, ${script.os}` }
}

/** Compares with script, not with the user agent: WebViews with names of their own have hints in neither. */
function presenceOfHints({ names, engine, secure, rewritten, readings: { client_hints } }: Request): Answer {
  const sent = names.includes('sec-ch-ua')
  if (sent && (engine === 'Gecko' || engine === 'WebKit')) return { engine, sent }
  if (sent) return client_hints.ok ? 'clear' : 'unknown'
  if (!client_hints.ok) return engine === 'Gecko' || engine === 'WebKit' ? 'clear' : 'unknown'
  if (!secure || rewritten || client_hints.value.brands.length === 0) return 'unknown'
  return { script: client_hints.value.brands.map(({ brand }) => brand), sent }
}

/** Systems that hints and user agent name differently. */
const OTHER_NAMES = [
  ['Android', 'Linux'],
  ['Windows', 'Xbox'],
] as const

function platformOfHints({ facts, userAgent, readings: { client_hints } }: Request): Answer {
  const header = facts.clientHintPlatform
  if (header === '') return 'unknown'
  const script = client_hints.ok ? client_hints.value.platform : ''
  if (script !== '' && script !== header) return { header, script }
  const hinted = Object.hasOwn(HINT_PLATFORMS, header) ? HINT_PLATFORMS[header] : undefined
  const { os } = clientFacts({ userAgent })
  if (hinted === undefined || os === 'Unknown') return 'unknown'
  // Phones and tablets that request desktop pages claim to be Linux. The system of an Xbox is Windows, too.
  if (hinted === os || OTHER_NAMES.some(([hint, agent]) => hinted === hint && os === agent)) return 'clear'
  return { header, user_agent: os }
}

/** Chromium's major version, which all browsers based on it have next to their own. */
function versionOfHints({ facts, userAgent, readings: { client_hints } }: Request): Answer {
  const brand = client_hints.ok && client_hints.value.brands.find((hint) => hint.brand === 'Chromium')
  const header = /"Chromium"\s*;\s*v="(\d+)/.exec(facts.clientHintBrands)?.[1]
  const agent = /\b(?:Headless)?Chrome\/(\d+)/.exec(userAgent)?.[1]
  const script = brand ? /^\d+/.exec(brand.version)?.[0] : undefined
  if (header === undefined || (agent === undefined && script === undefined)) return 'unknown'
  if (header === (agent ?? header) && header === (script ?? header)) return 'clear'
  return { header, user_agent: agent, script }
}

/** Compares the first language only, and without its region: browsers shorten the list, and regions may differ. */
function firstLanguage({ facts, readings: { languages } }: Request): Answer {
  const header = languageOf(facts.acceptLanguage.split(/[,;]/, 1)[0])
  if (header === undefined || !languages.ok) return 'unknown'
  const script = [languages.value.language, ...languages.value.languages]
    .map(languageOf)
    .filter((language) => language !== undefined)
  if (script.length === 0) return 'unknown'
  return script.includes(header) ? 'clear' : { header, script: [...new Set(script)].slice(0, 8) }
}

/** Deprecated codes and macrolanguages that browsers treat as equal. */
const SAME_LANGUAGE: Readonly<Record<string, string>> = { iw: 'he', in: 'id', ji: 'yi', no: 'nb', tl: 'fil' }

/** `en` of `en-US`. */
function languageOf(tag: string | undefined): string | undefined {
  const code = /^\s*([a-z]{2,3})(?![a-z])/i.exec(tag ?? '')?.[1]?.toLowerCase()
  return code === undefined || !Object.hasOwn(SAME_LANGUAGE, code) ? code : SAME_LANGUAGE[code]
}

const FETCH_METADATA = ['sec-fetch-site', 'sec-fetch-mode', 'sec-fetch-dest']
const FETCH_ORDERS: Readonly<Record<string, string>> = {
  Blink: FETCH_METADATA.join(' '),
  Gecko: FETCH_METADATA.toReversed().join(' '),
}

function orderOfFetchMetadata(request: Request): Answer {
  const sent = request.names.filter((name) => FETCH_METADATA.includes(name))
  if (request.rewritten || sent.length !== FETCH_METADATA.length) return 'unknown'
  return compareOrder(sent.join(' '), FETCH_ORDERS, request)
}

/**
 * The version of each engine since which every request over TLS has the three headers.
 * https://developer.mozilla.org/docs/Web/HTTP/Reference/Headers/Sec-Fetch-Site#browser_compatibility
 */
const FETCH_METADATA_SINCE: Readonly<Record<string, readonly [version: RegExp, since: number]>> = {
  Blink: [/\b(?:Headless)?Chrome\/(\d+)/, 80],
  Gecko: [/\bFirefox\/(\d+)/, 90],
  // Other browsers on iOS have no version of WebKit in their user agent.
  WebKit: [/\bVersion\/(\d+\.\d+)\b.*\bSafari\//, 16.4],
}

function presenceOfFetchMetadata({ engine, names, secure, userAgent }: Request): Answer {
  const missing = FETCH_METADATA.filter((name) => !names.includes(name))
  if (missing.length === 0) return 'clear'
  const known = Object.hasOwn(FETCH_METADATA_SINCE, engine) ? FETCH_METADATA_SINCE[engine] : undefined
  if (!secure || !known) return 'unknown'
  const [version, since] = known
  return Number(version.exec(userAgent)?.[1]) >= since ? { engine, missing } : 'unknown'
}

/** What a page's `fetch` may be, also when a service worker passes it on. */
const FETCHES = /^(?:same-origin|same-site|cross-site)\/(?:cors|no-cors|same-origin)\/empty$/
/** Of requests for a page, which a person made. */
const NAVIGATION_NAMES = ['sec-fetch-user', 'upgrade-insecure-requests']

/**
 * The agent sends its body by `fetch`. No page can change these headers, and programs that imitate a browser often send
 * those of a page being opened.
 */
function kindOfRequest({ facts, names }: Request): Answer {
  const { fetchMetadata = '', accept = '' } = facts
  const navigation = NAVIGATION_NAMES.filter((name) => names.includes(name))
  const all = FETCH_METADATA.every((name) => names.includes(name))
  const foreign = all && fetchMetadata !== '' && !FETCHES.test(fetchMetadata)
  const document = /^text\/html\b/.test(accept)
  if (foreign || navigation.length > 0 || document)
    return { fetch_metadata: fetchMetadata, accept, navigation }
  return all && fetchMetadata !== '' ? 'clear' : 'unknown'
}

function presenceOfLanguage({ engine, facts }: Request): Answer {
  if (facts.acceptLanguage !== '') return 'clear'
  return Object.hasOwn(FETCH_METADATA_SINCE, engine) ? { engine, missing: ['accept-language'] } : 'unknown'
}

/** Where each engine puts the length of a body, which neither pages nor extensions can move. Libraries append it. */
const LENGTH_ORDERS: Readonly<Record<string, (names: readonly string[], at: number) => boolean>> = {
  Blink: (names, at) => at < names.indexOf('user-agent'),
  Gecko: (names, at) => names[at + 1] === 'origin',
}
/** The first version of which that is known, of either. */
const LENGTH_ORDER_SINCE = 100

function orderOfLength({ engine, names, rewritten, userAgent }: Request): Answer {
  const holds = Object.hasOwn(LENGTH_ORDERS, engine) ? LENGTH_ORDERS[engine] : undefined
  const at = names.indexOf('content-length')
  if (!holds || rewritten || at < 0 || !names.includes('user-agent') || !names.includes('origin'))
    return 'unknown'
  if (!(claimedVersion(engine, userAgent) >= LENGTH_ORDER_SINCE) || isLaterVersion(engine, userAgent))
    return 'unknown'
  return holds(names, at) ? 'clear' : { engine, before: names[at + 1] ?? '' }
}

/** Headers that are adjacent in one engine only. Without an exact match, as when a page sets a language, unknown. */
const ACCEPT_ORDERS: Readonly<Record<string, string>> = {
  Blink: 'accept-encoding accept-language',
  Gecko: 'user-agent accept accept-language accept-encoding',
}

function orderOfAccept(request: Request): Answer {
  const line = ` ${request.names.join(' ')} `
  const found = Object.values(ACCEPT_ORDERS).find((order) => line.includes(` ${order} `))
  return request.rewritten || found === undefined ? 'unknown' : compareOrder(found, ACCEPT_ORDERS, request)
}

const PSEUDO_HEADER_ORDERS: Readonly<Record<string, string>> = {
  Blink: ':method :authority :scheme :path',
  Gecko: ':method :path :authority :scheme',
}

function orderOfPseudoHeaders(request: Request): Answer {
  const sent = request.names.filter((name) => name.startsWith(':'))
  return request.rewritten || sent.length !== 4
    ? 'unknown'
    : compareOrder(sent.join(' '), PSEUDO_HEADER_ORDERS, request)
}

/** An order that no engine is known for may be that of a version which came after the measured ones. */
function compareOrder(
  sent: string,
  orders: Readonly<Record<string, string>>,
  { engine, userAgent }: Request,
): Answer {
  const expected = Object.hasOwn(orders, engine) ? orders[engine] : undefined
  if (expected === undefined) return 'unknown'
  if (sent === expected) return 'clear'
  if (isLaterVersion(engine, userAgent) && !Object.values(orders).includes(sent)) return 'unknown'
  return { engine, expected, sent }
}

/** Headers that only the browser sets: neither scripts nor, as far as known, extensions can. */
const OWN_NAMES = new Set(['accept-encoding', ...FETCH_METADATA])

/** Both engines capitalize these over HTTP/1.1. Libraries keep the case of headers that they were given. */
function caseOfNames({ facts, rewritten }: Request): Answer {
  const sent = facts.names.filter((name) => OWN_NAMES.has(name.toLowerCase()))
  if (rewritten || !facts.httpVersion.startsWith('1.') || sent.length < 2) return 'unknown'
  return sent.some(isLowerCase) ? { sent } : 'clear'
}

const isLowerCase = (name: string): boolean => name === name.toLowerCase()

const PROXY_NAMES = /^(?:via|forwarded|x-forwarded-.*|x-real-ip|cdn-loop|cf-ray|x-amzn-trace-id)$/
/** Proxies write these themselves over HTTP/1.1. */
const HOP_NAMES = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'user-agent'])

/**
 * Whether a proxy has rewritten the headers. Proxies add their own headers, use lower case over HTTP/1.1 (HAProxy;
 * nginx for HTTP/2 visitors), or sort and capitalize names (Go programs). Some antivirus programs do the same, so
 * this is not evidence against the visitor.
 */
function isRewritten({ httpVersion, names: written }: HeaderFacts, names: readonly string[]): boolean {
  if (names.some((name) => PROXY_NAMES.test(name))) return true
  const carried = names.filter((name) => !HOP_NAMES.has(name) && !name.startsWith(':'))
  if (carried.length > 3 && carried.join() === carried.toSorted().join()) return true
  if (!httpVersion.startsWith('1.')) return false
  const own = written.filter((name) => OWN_NAMES.has(name.toLowerCase()))
  return (own.length > 0 && own.every(isLowerCase)) || written.some((name) => /^Sec-Ch-/.test(name))
}
