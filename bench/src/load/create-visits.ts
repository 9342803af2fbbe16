import { randomUUID } from 'node:crypto'
import type { VisitTemplate } from './visit-templates.ts'

/** So many machines take turns in each captured browser: most visits are of a known device, as in life. */
const DEVICES = 20_000
/** First octets of addresses that providers and clouds all over the world hold. */
const NETWORKS = [104, 108, 128, 130, 140, 152, 176, 185, 188, 203, 212, 217]

export interface Visit {
  requestId: string
  /** The whole HTTP request; valid until the next visit is taken from the same source. */
  bytes: Buffer
}

/**
 * Visits of ever new visitors. The bytes are reused, so one source serves one connection.
 * @param nextAddress IPv4, each number with three digits, as the request has room for them
 */
export function createVisits(
  templates: readonly VisitTemplate[],
  nextAddress: () => string = randomAddress,
): () => Visit {
  const own = templates.map(({ bytes, offsets }) => ({ bytes: Buffer.from(bytes), offsets }))
  let turn = Math.floor(Math.random() * own.length)

  return () => {
    turn = (turn + 1) % own.length
    const template = own[turn]
    if (!template) throw new Error('there is no captured body')
    const { bytes, offsets } = template
    const requestId = randomUUID()
    bytes.write(requestId, offsets.request, 'latin1')
    bytes.write(randomUUID(), offsets.session, 'latin1')
    bytes.write(randomUUID(), offsets.cookie, 'latin1')
    bytes.write(randomUUID(), offsets.user, 'latin1')
    bytes.write(nextAddress(), offsets.address, 'latin1')
    bytes.write(randomBelow(DEVICES).toString(16).padStart(8, '0'), offsets.device, 'latin1')
    return { requestId, bytes }
  }
}

const randomBelow = (limit: number): number => Math.floor(Math.random() * limit)
/** Always three digits, so that every address has the same length. */
const randomOctet = (): number => 100 + randomBelow(155)
const randomAddress = (): string =>
  `${NETWORKS[randomBelow(NETWORKS.length)]}.${randomOctet()}.${randomOctet()}.${randomOctet()}`
