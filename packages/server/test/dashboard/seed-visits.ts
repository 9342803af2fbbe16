import { randomUUID } from 'node:crypto'
import type { ReadingName, ReadingValues } from '@inkling/contract'
import { AUTOMATED, ordinaryBody, uniqueDevice } from '../contract/bodies.ts'
import { ADDRESSES, from } from '../contract/roomy-settings.ts'

interface Target {
  url: string
  keys: { domain: string; public_key: string }
}

interface Visitor {
  account: string
  address: string
  userAgent: string
  readings?: { [Name in ReadingName]?: ReadingValues[Name] }
}

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36'
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0'
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1'
const UNKNOWN_SYSTEM =
  'Mozilla/5.0 (Unknown) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36'
const PLATFORMS: Record<string, string> = { [CHROME]: 'Win32', [FIREFOX]: 'Linux x86_64', [SAFARI]: 'iPhone' }

const VISITORS: readonly Visitor[] = [
  { account: 'anna', address: ADDRESSES.home, userAgent: CHROME },
  { account: 'ben', address: '91.0.0.22', userAgent: FIREFOX },
  { account: 'anonymous', address: '81.2.69.142', userAgent: SAFARI },
  { account: 'robot-17', address: ADDRESSES.hosting, userAgent: CHROME, readings: AUTOMATED },
  { account: 'carla', address: '5.9.0.77', userAgent: CHROME },
  { account: 'anonymous', address: ADDRESSES.unknown, userAgent: FIREFOX, readings: AUTOMATED },
  { account: 'dora', address: '91.0.0.40', userAgent: UNKNOWN_SYSTEM },
  {
    account: 'emil',
    address: '5.9.0.90',
    userAgent: CHROME,
    readings: { timezone: { name: 'America/New_York', offset_minutes: -300 } },
  },
]

/**
 * Sends realistic visits of a few returning visitors through ingest.
 * @param beforeEach gets the index of each visit, for example to move a clock
 * @returns request IDs by account, in the order sent
 */
export async function seedVisits(
  target: Target,
  count: number,
  beforeEach: (index: number) => void = () => {},
): Promise<Map<string, string[]>> {
  const devices = VISITORS.map(() => ({ cookie: randomUUID(), readings: uniqueDevice() }))
  const sent = new Map<string, string[]>()
  for (let index = 0; index < count; index += 1) {
    const visitor = VISITORS[index % VISITORS.length]
    const device = devices[index % VISITORS.length]
    if (!visitor || !device) throw new Error('no visitor')
    const requestId = randomUUID()
    beforeEach(index)
    await sendVisit(target, requestId, visitor, device)
    sent.set(visitor.account, [...(sent.get(visitor.account) ?? []), requestId])
  }
  return sent
}

async function sendVisit(
  { url, keys }: Target,
  requestId: string,
  { account, address, userAgent, readings }: Visitor,
  device: { cookie: string; readings: ReturnType<typeof uniqueDevice> },
): Promise<void> {
  const answer = await fetch(`${url}/snapshot/${requestId}?publicKey=${keys.public_key}`, {
    method: 'POST',
    headers: { ...from(address), origin: `https://${keys.domain}`, 'user-agent': userAgent },
    body: ordinaryBody(
      { user_hid: account, cookie_id: device.cookie },
      {
        ...device.readings,
        user_agent: userAgent,
        platform: PLATFORMS[userAgent] ?? '',
        ...readings,
      },
    ),
  })
  if (!answer.ok) throw new Error(`ingest answered ${answer.status}`)
}
