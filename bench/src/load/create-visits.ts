import { randomUUID } from 'node:crypto'
import type { VisitTemplate } from './visit-templates.ts'

/** Number of machines per captured browser, in turn. */
const DEVICES = 20_000
/** Share of first visits: about ten visits per visitor, as in the population of `bench/identity`. */
const NEWCOMERS = 0.1
/** Share of the other visits that come from a new address of the visitor. */
const MOVED = 0.2
/** Visitors of one source who may return. */
const VISITORS_MAX = 1_000
/** First octets of addresses that belong to providers and clouds worldwide. */
const NETWORKS = [104, 108, 128, 130, 140, 152, 176, 185, 188, 203, 212, 217]

export interface Visit {
  requestId: string
  /** The complete HTTP request; valid until the next visit of the same source. */
  bytes: Buffer
}

export interface VisitsOptions {
  /** IPv4 with three digits per number, to match the size in the request. */
  nextAddress?(): string
  /** 1 creates only new visitors. */
  newcomers?: number | undefined
}

interface Visitor {
  template: VisitTemplate
  cookie: string
  user: string
  device: string
  address: string
}

/**
 * Visits of new and returning people, with their cookie, account and device, mostly from the same address.
 * The bytes are reused, so each connection needs its own source.
 */
export function createVisits(
  templates: readonly VisitTemplate[],
  { nextAddress = randomAddress, newcomers = NEWCOMERS }: VisitsOptions = {},
): () => Visit {
  const own = templates.map(({ bytes, offsets }) => ({ bytes: Buffer.from(bytes), offsets }))
  const visitors: Visitor[] = []
  let turn = Math.floor(Math.random() * own.length)

  function newVisitor(): Visitor {
    turn = (turn + 1) % own.length
    const template = own[turn]
    if (!template) throw new Error('there is no captured body')
    const visitor = {
      template,
      cookie: randomUUID(),
      user: randomUUID(),
      device: randomBelow(DEVICES).toString(16).padStart(8, '0'),
      address: nextAddress(),
    }
    if (visitors.length < VISITORS_MAX) visitors.push(visitor)
    else visitors[randomBelow(VISITORS_MAX)] = visitor
    return visitor
  }

  function knownVisitor(): Visitor | undefined {
    const visitor = visitors[randomBelow(visitors.length)]
    if (visitor && Math.random() < MOVED) visitor.address = nextAddress()
    return visitor
  }

  return () => {
    const known = Math.random() < newcomers ? undefined : knownVisitor()
    const { template, cookie, user, device, address } = known ?? newVisitor()
    const { bytes, offsets } = template
    const requestId = randomUUID()
    bytes.write(requestId, offsets.request, 'latin1')
    bytes.write(randomUUID(), offsets.session, 'latin1')
    bytes.write(cookie, offsets.cookie, 'latin1')
    bytes.write(user, offsets.user, 'latin1')
    bytes.write(address, offsets.address, 'latin1')
    bytes.write(device, offsets.device, 'latin1')
    return { requestId, bytes }
  }
}

const randomBelow = (limit: number): number => Math.floor(Math.random() * limit)
/** Always three digits, so that all addresses have the same length. */
const randomOctet = (): number => 100 + randomBelow(155)
const randomAddress = (): string =>
  `${NETWORKS[randomBelow(NETWORKS.length)]}.${randomOctet()}.${randomOctet()}.${randomOctet()}`
