import { isLaterVersion } from '../../lib/measured-engines.ts'
import type { Identified } from '../../visit/identification.ts'
import type { Proof } from '../../visit/proof.ts'
import { valueIn } from '../define-signal.ts'
import { openedChannel } from '../follow-up-channel.ts'
import { DECISIVE_POINTS, type Indicator, WEAK_POINTS_MAX } from '../indicators.ts'
import { isVouchedFor } from '../vouched-body.ts'
import { http2Engine } from './http2-clients.ts'
import { type Engine, isEngine, knownEngine, ownTlsEngine, tlsClient } from './tls-clients.ts'

/**
 * Groups of contradictions that one ordinary cause can raise by itself, with the points of each. Two are needed for a
 * verdict, but for `kind`, which has no ordinary cause.
 */
const GROUPS = {
  /** A program between browser and server that opens its own connection: a company's gateway, an antivirus program. */
  transport: 25,
  /** The same, where the writer of the TLS is not known: the table may be older than a browser. */
  unfamiliar: 15,
  /** A switched user agent contradicts everything that the engine itself writes. */
  switched: 25,
  /** A program or an extension that takes headers away. */
  headers: 25,
  /** Written in another order than the engine whose own TLS it came by, so that nothing can have been between. */
  order: WEAK_POINTS_MAX + 1,
  /** The request is not the agent's. */
  kind: DECISIVE_POINTS,
} as const

/** Of what an honest visit lacks now and then: together with the TLS of a company's gateway it is no verdict. */
const INNOCENT_POINTS = WEAK_POINTS_MAX - GROUPS.transport

/** The parts of the connection that a program between browser and server writes anew share a cause with its TLS. */
const GROUP_OF_UNFAMILIAR = 'transport'

/** Its channel says something as well: what stands between browser and server lets WebSockets pass. */
const LIBRARY = 'tls_of_library'

/** What shows that the connection belongs to another program than the browser that the visit claims to be. */
export function mismatchIndicators(identified: Identified): Indicator[] {
  const { tls } = identified.network
  if (!tls.available) return []
  const transport = transportIndicators(identified)
  const connection = [
    ...transport,
    ...headerIndicators(identified, transport),
    ...orderIndicators(identified, transport),
  ]
  // A missing ticket alone is another signal's affair.
  if (connection.length === 0) return []
  const ofLibrary = connection.some(({ name }) => name === LIBRARY)
  return [
    ...connection,
    ...proofIndicators(identified),
    ...(ofLibrary ? [...pageIndicators(identified), ...curveIndicators(identified)] : []),
  ]
}

/** The engine that TLS must come from; undefined where it is not known how that looks. */
export function expectedEngine({ client, readings, request }: Identified): Engine | undefined {
  return knownEngine(client.engine, claimedAgent({ readings, request }))
}

/** Whether the connection is positively that of the engine that the visit claims to be. */
export function isOwnConnection(identified: Identified): boolean {
  const { tls } = identified.network
  const client = tls.available ? tlsClient(tls.value) : 'other'
  return isEngine(client) && client.engine === expectedEngine(identified)
}

const claimedAgent = ({ readings, request }: Pick<Identified, 'readings' | 'request'>): string =>
  valueIn(readings.user_agent) ?? request.userAgent

const transportIndicators = (identified: Identified): Indicator[] => [
  ...libraryIndicators(identified),
  ...shapeIndicators(identified),
]

/** Of old versions too: who would rather not be compared with an engine's connections claims one of these. */
function libraryIndicators(identified: Identified): Indicator[] {
  const { tls } = identified.network
  const claimed = ownTlsEngine(identified.client.engine, claimedAgent(identified))
  if (!tls.available || !claimed) return []
  const client = tlsClient(tls.value)
  if (client === 'other' || isEngine(client)) return []
  const evidence = { claimed, tls: client.library, ja4: tls.value.ja4 }
  return [{ name: LIBRARY, group: 'transport', points: GROUPS.transport, evidence }]
}

function shapeIndicators(identified: Identified): Indicator[] {
  const { tls, http2 } = identified.network
  const expected = expectedEngine(identified)
  if (!tls.available || !expected) return []
  const client = tlsClient(tls.value)
  const found: Indicator[] = []
  const otherBrowser = otherBrowserOf(identified, expected)
  if (client === 'other' && tls.value.usual !== true)
    found.push({
      name: 'tls_unknown',
      group: GROUP_OF_UNFAMILIAR,
      points: GROUPS.unfamiliar,
      evidence: { claimed: expected, tls: 'unknown', ja4: tls.value.ja4 },
    })
  if (isEngine(client) && client.engine !== expected && tls.value.usual !== true)
    found.push({
      name: 'tls_of_other_browser',
      ...otherBrowser,
      evidence: { claimed: expected, tls: client.engine, ja4: tls.value.ja4 },
    })
  if (http2.available && http2.value.usual !== true) {
    const engine = http2Engine(http2.value.fingerprint)
    const seen = { claimed: expected, fingerprint: http2.value.fingerprint, engine }
    if (engine === undefined)
      found.push({
        name: 'http2_unknown',
        group: GROUP_OF_UNFAMILIAR,
        points: GROUPS.unfamiliar,
        evidence: seen,
      })
    else if (engine !== expected)
      found.push({ name: 'http2_of_other_browser', ...otherBrowser, evidence: seen })
  }
  const protocols = tls.value.hello?.protocols
  // All known versions offer HTTP/2, unless somebody turned it off.
  if (protocols && !protocols.includes('h2'))
    found.push({ name: 'no_http2_offered', group: 'transport', points: 10, evidence: protocols })
  return found
}

/**
 * WebKit's connections are known from publications alone, and those of later versions than the measured ones not at all. So
 * without a header that the engine would never send, what looks like another one may be a version that nobody has described.
 */
function otherBrowserOf(identified: Identified, expected: Engine): Pick<Indicator, 'group' | 'points'> {
  const isSwitched = identified.headers.contradictions.some(
    ({ name, evidence }) => groupOf(name, evidence) === 'switched' && !ORDERS.includes(name),
  )
  return mayBeUndescribed(identified, expected) && !isSwitched
    ? { group: GROUP_OF_UNFAMILIAR, points: GROUPS.unfamiliar }
    : { group: 'switched', points: GROUPS.switched }
}

const mayBeUndescribed = (identified: Identified, expected: Engine): boolean =>
  expected === 'WebKit' || isLaterVersion(expected, claimedAgent(identified))

/** Header checks of `enrich/header-consistency.ts`, by the group whose cause they share. */
const HEADER_GROUPS: Readonly<Record<string, keyof typeof GROUPS>> = {
  fetch_metadata: 'headers',
  accept_language: 'headers',
  request_kind: 'kind',
  user_agent: 'switched',
  client_hints: 'switched',
  client_hint_platform: 'switched',
  client_hint_version: 'switched',
  fetch_order: 'switched',
  accept_order: 'switched',
  pseudo_header_order: 'switched',
}

/** Whoever opens an HTTP/2 connection writes these orders, and so may a program between browser and server. */
const ORDERS: readonly string[] = ['fetch_order', 'accept_order', 'pseudo_header_order']

function headerIndicators(identified: Identified, transport: readonly Indicator[]): Indicator[] {
  const { headers, client, network } = identified
  const isBetween = network.tls.available && !isEngine(tlsClient(network.tls.value))
  // One change of a later version shows in the order of its pseudo-headers and in its HTTP/2.
  const isUnsure = isBetween || isLaterVersion(client.engine, claimedAgent(identified))
  const shared = transport.filter(({ group }) => group === GROUP_OF_UNFAMILIAR).map(({ points }) => points)
  return headers.contradictions.flatMap(({ name, evidence }) => {
    if (isUnsure && ORDERS.includes(name))
      return [{ name, group: GROUP_OF_UNFAMILIAR, points: Math.max(GROUPS.unfamiliar, ...shared), evidence }]
    const group = groupOf(name, evidence)
    return group ? [{ name, group, points: GROUPS[group], evidence }] : []
  })
}

/** Only where the TLS is known to be that of the claimed engine: what opens its own connection writes its own order. */
function orderIndicators(identified: Identified, transport: readonly Indicator[]): Indicator[] {
  const order = identified.headers.contradictions.find(({ name }) => name === 'length_order')
  if (!order || expectedEngine(identified) === undefined) return []
  // A switched user agent and a program between write their own orders.
  const [other] = transport
  const group = other?.group === 'switched' ? 'switched' : other ? GROUP_OF_UNFAMILIAR : 'order'
  return [{ name: order.name, group, points: other?.points ?? GROUPS.order, evidence: order.evidence }]
}

/** Client hints that are missing were taken away; those that another engine would not send show a switched user agent. */
function groupOf(name: string, evidence: Record<string, unknown>): keyof typeof GROUPS | undefined {
  if (name === 'client_hints' && evidence.sent === false) return 'headers'
  return Object.hasOwn(HEADER_GROUPS, name) ? HEADER_GROUPS[name] : undefined
}

/** Beside the TLS of a library just enough for a verdict. */
const ENOUGH_POINTS = WEAK_POINTS_MAX + 1 - GROUPS.transport

/**
 * Most programs between browser and server let WebSockets pass, and programs instead of a browser seldom open one. Some
 * gateways do not, nor do some pages' policies, so it decides nothing about a body that the agent sealed.
 */
function pageIndicators(identified: Identified): Indicator[] {
  const { headers, proof } = identified
  if (openedChannel(identified) !== false || headers.rewritten) return []
  if (proof && !isVouchedFor(proof))
    return [{ name: 'no_channel', group: 'channel', points: ENOUGH_POINTS, evidence: true }]
  // A gateway that lets no channel through may keep the ticket away as well.
  return [
    { name: 'no_channel', group: 'proof', points: INNOCENT_POINTS, evidence: true },
    ...scriptIndicators(identified),
  ]
}

/**
 * The same gateway is between browser and script, so a page behind it loaded the script by the TLS that its body came by,
 * unless the visitor went from one network into another meanwhile.
 */
function scriptIndicators({ network: { tls }, proof }: Identified): Indicator[] {
  if (!tls.available || tls.value.scriptLoaded !== false || proof?.ticket.addressChanged) return []
  return [{ name: 'script_not_loaded', group: 'script', points: INNOCENT_POINTS, evidence: true }]
}

/**
 * What stands between browser and server passes the lengths on as the engine measured them. They have a group of their own:
 * a gateway changes none, and an engine that measures otherwise opens no connection of a library. But browsers on iOS whose
 * version is not WebKit's are compared with those of other versions of the system, which may measure otherwise.
 */
function curveIndicators(identified: Identified): Indicator[] {
  const curves = identified.proof?.curves
  if (!curves || (curves === 'unlike' && expectedEngine(identified) === undefined)) return []
  return [{ name: `curves_${curves}`, group: 'engine', points: ENOUGH_POINTS, evidence: true }]
}

/** What the visit's own proof lacks makes each of the contradictions less likely to be a program between. */
function proofIndicators(identified: Identified): Indicator[] {
  const { proof } = identified
  if (!proof || proof.interrupted) return []
  const { ticket, key, body, expected } = proof
  const indicator = (name: string, points: number): Indicator[] =>
    points === 0 ? [] : [{ name, group: 'proof', points, evidence: true }]
  if (['forged', 'foreign', 'repeated'].includes(ticket.state)) return indicator(`ticket_${ticket.state}`, 25)
  if (body === 'altered') return indicator('body_altered', 25)
  if (key.state === 'invalid') return indicator('key_invalid', 25)
  // A proxy that passes only the body on leaves no ticket to anybody, and shows by headers of its own. A body that is
  // sealed all the same is of an agent whose request failed, so it must not decide about a company's gateway.
  if (ticket.state === 'missing' && expected !== false)
    return indicator('ticket_missing', missingTicketPoints(identified, proof))
  if (ticket.state === 'valid' && key.state === 'none') return indicator('key_missing', 10)
  return ticket.clientChanged ? indicator('ticket_of_other_client', 10) : []
}

/** An agent of an earlier release, still in a cache, knows of no tickets. A request for one may fail on any network. */
function missingTicketPoints(identified: Identified, proof: Proof): number {
  const { expected, body, key } = proof
  const hasNoProof = body === 'unbound' && key.state === 'none'
  if (!expected && (hasNoProof || identified.headers.rewritten)) return 0
  // No agent that others here have sends a body without any proof, and who copied one can open a channel. It is also a tab
  // that stayed open across an upgrade from a release without tickets: alone it reaches no verdict, with a gateway's
  // handshake it does.
  if (hasNoProof && openedChannel(identified)) return ENOUGH_POINTS
  if (isVouchedFor(proof) || openedChannel(identified)) return INNOCENT_POINTS
  return expected ? 20 : 10
}
