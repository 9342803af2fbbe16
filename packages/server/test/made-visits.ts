import { ipv4ToNumber } from '../src/lib/address.ts'
import { uuidBytesOrNil } from '../src/lib/uuid.ts'
import { score } from '../src/score/score.ts'
import { identificationRow } from '../src/store/identifications/identification-row.ts'
import type { NewIdentification, Store, WriteOperation, WriteOutcome } from '../src/store/store.ts'
import { readVelocity } from '../src/store/velocity/read-velocity.ts'
import type { SubjectHashes } from '../src/store/velocity/subject-hashes.ts'
import { EXACT_MAX } from '../src/store/velocity/velocity-state.ts'
import {
  VELOCITY_COUNTERS,
  VELOCITY_SUBJECTS,
  type VelocityCounts,
  type VelocitySubject,
} from '../src/visit/velocity.ts'
import { identified } from './identified.ts'
import { countsByHand, type ListedVisit } from './velocity-oracle.ts'

/** Made-up visits for tests and benchmarks of velocity. Who came is a number; 0 stands for nobody. */
export interface MadeVisit {
  number: number
  atMs: number
  device: number
  cookie: number
  account: number
  address: number
  country: number
}

/** Visits in the order of time, of people who return with other cookies, accounts and addresses. */
export function madeVisits(
  count: number,
  {
    people,
    firstMs,
    spanMs,
    random,
  }: { people: number; firstMs: number; spanMs: number; random: () => number },
): MadeVisit[] {
  return Array.from({ length: count }, (_, number) => {
    // A few come very often.
    const person = 1 + Math.floor(people * random() ** 3)
    const isAway = random() < 0.2
    return {
      number,
      atMs: firstMs + Math.floor((number * spanMs) / count),
      device: person,
      cookie: person * 4 + Math.floor(4 * random() ** 4),
      account: random() < 0.3 ? 0 : random() < 0.9 ? person : 1 + Math.floor(random() * people),
      address: isAway ? Math.floor(random() * people * 2) : person * 2,
      country: isAway ? 1 + Math.floor(random() * 5) : 1 + (person % 5),
    }
  })
}

const uuid = (kind: number, number: number): string =>
  `${kind}0000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`

const textsOf = ({ device, cookie, account, address }: MadeVisit) => {
  const ip = `91.${(address >>> 16) & 255}.${(address >>> 8) & 255}.${address & 255}`
  return {
    device: uuid(1, device),
    visitor: uuid(2, device),
    cookie: uuid(3, cookie),
    account: account === 0 ? 'anonymous' : `account-${account}`,
    address: ip,
    prefix: ip,
  } satisfies Record<VelocitySubject, string>
}

let template: NewIdentification | undefined

/** What stores a visit. */
export function operationOf(
  domainId: number,
  hashes: SubjectHashes | undefined,
  visit: MadeVisit,
): WriteOperation {
  template ??= identificationRow(score(identified()))
  const texts = textsOf(visit)
  return {
    type: 'identification',
    row: {
      ...template,
      domain_id: domainId,
      request_id: uuidBytesOrNil(uuid(9, visit.number + 1)),
      created_at: visit.atMs,
      ver: visit.atMs,
      device_id: uuidBytesOrNil(texts.device),
      visitor_id: uuidBytesOrNil(texts.visitor),
      cookie_id: uuidBytesOrNil(texts.cookie),
      user_hid: texts.account,
      ip: ipv4ToNumber(texts.address) ?? null,
    },
    snapshot: undefined,
    outbox: [],
    velocity: hashes?.ofVisit({
      domainId,
      deviceId: texts.device,
      visitorId: texts.visitor,
      cookieId: texts.cookie,
      account: texts.account,
      address: texts.address,
      country: `Country ${visit.country}`,
    }),
  }
}

/** Stores visits as ingest does, many at a time. */
export async function storeVisits(
  stores: readonly Pick<Store, 'commit'>[],
  operations: readonly WriteOperation[],
): Promise<WriteOutcome['type'][]> {
  const outcomes = await Promise.all(
    operations.map(
      async (operation, index) => (await stores[index % stores.length]?.commit(operation))?.type,
    ),
  )
  return outcomes.map((outcome) => outcome ?? 'failed')
}

export interface Compared {
  subjects: number
  exact: number
  estimated: number
  /** Of the estimates. */
  largestError: number
  /** What differs, in words. */
  wrong: string[]
}

/** Compares what is counted of every subject with what a list of all visits says. */
export async function compareCounts(
  store: Store,
  domainId: number,
  { visits, atMs, every = 1 }: { visits: readonly MadeVisit[]; atMs: number; every?: number },
): Promise<Compared> {
  const result: Compared = { subjects: 0, exact: 0, estimated: 0, largestError: 0, wrong: [] }
  for (const subject of VELOCITY_SUBJECTS) {
    const bySubject = Map.groupBy(visits, (visit) => nameOf(subject, visit))
    let index = 0
    for (const those of bySubject.values()) {
      const [first] = those
      index += 1
      if (!first || index % every !== 0 || (subject === 'account' && first.account === 0)) continue
      const found = await readVelocity(store, domainId, { subject, value: textsOf(first)[subject], atMs })
      compare(result, { subject, name: nameOf(subject, first), those: those.map(listed), atMs }, found)
    }
  }
  return result
}

function nameOf(subject: VelocitySubject, { device, cookie, account, address }: MadeVisit): number {
  if (subject === 'cookie') return cookie
  if (subject === 'account') return account
  if (subject === 'address') return address
  return subject === 'prefix' ? address >>> 8 : device
}

const listed = ({ atMs, device, cookie, account, address, country }: MadeVisit): ListedVisit => ({
  atMs,
  values: {
    devices: device,
    cookies: cookie,
    addresses: address,
    countries: country,
    ...(account > 0 && { accounts: account }),
  },
})

function compare(
  result: Compared,
  {
    subject,
    name,
    those,
    atMs,
  }: { subject: VelocitySubject; name: number; those: ListedVisit[]; atMs: number },
  found: VelocityCounts | undefined,
): void {
  const expected = countsByHand(subject, those, atMs)
  result.subjects += 1
  if (!found) {
    if (expected.visits.d7 > 0) result.wrong.push(`${subject} ${name} is not counted`)
    return
  }
  for (const counter of VELOCITY_COUNTERS) {
    const isEstimated =
      counter !== 'visits' && new Set(those.map(({ values }) => values[counter])).size > EXACT_MAX
    for (const window of ['m5', 'h1', 'h24', 'd7'] as const) {
      const [is, should] = [found[counter][window], expected[counter][window]]
      if (isEstimated) {
        result.estimated += 1
        // Of small numbers one more or less is much.
        const error = Math.max(0, Math.abs(is - should) - 3) / Math.max(1, should)
        result.largestError = Math.max(result.largestError, error)
      } else {
        result.exact += 1
        if (is !== should)
          result.wrong.push(`${subject} ${name}: ${counter} in ${window} is ${is}, not ${should}`)
      }
    }
  }
}
