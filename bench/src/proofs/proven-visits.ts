import { generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { Agent, request as requestHttp } from 'node:http'
import { text } from 'node:stream/consumers'
import { digestOf } from '../../../packages/contract/src/hash.ts'

const BODIES = new URL('../../bodies/', import.meta.url)
const PAGE = 'https://bench.example'
/** Each comes again several times in a round, so that nearly all keys are at hand, as at a site with regular visitors. */
const PEOPLE = 400

interface Body {
  readings: { user_agent: { value: string }; raster: { value: { glyphs: string } } }
  user_hid?: unknown
}

interface Person {
  body: Body
  cookieId: string
  address: string
  key: KeyObject
  /** Compressed point, base64. */
  point: string
}

export interface Ticketed {
  person: Person
  requestId: string
  ticket: string
}

export interface ProvenVisits {
  /** A whole request each, of a visitor who proves nothing. */
  plain(): Buffer
  /** With ticket, digest, key and signature. */
  proven(): Promise<Buffer>
  ticket(): Buffer
  /** Somebody, with a ticket that is theirs. */
  ticketed(): Promise<Ticketed>
  /** The text of a body of somebody, sealed and signed by their key with this ticket. */
  sealed(ticketed: Ticketed): string
  /** A request with that text under a request ID. */
  posted(ticketed: Ticketed, text: string): Buffer
}

/** Visits of two populations of the same size: one of them has keys. */
export function provenVisits({ port, publicKey }: { port: number; publicKey: string }): ProvenVisits {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  const bodies = readdirSync(BODIES)
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(new URL(name, BODIES), 'utf8')) as Body)
  const [plainPeople, provenPeople] = [91, 92].map((first) =>
    Array.from({ length: PEOPLE }, (_, number) => personOf(bodies, first, number)),
  )

  const request = (method: string, path: string, { address, body }: Person, content = ''): Buffer =>
    Buffer.from(
      [
        `${method} ${path}?publicKey=${publicKey} HTTP/1.1`,
        `host: 127.0.0.1:${port}`,
        'connection: keep-alive',
        ...headersOf(address, body).map(([name, value]) => `${name}: ${value}`),
        ...(content === ''
          ? []
          : [`content-type: text/plain;charset=UTF-8`, `content-length: ${Buffer.byteLength(content)}`]),
        '',
        content,
      ].join('\r\n'),
    )

  const fetchTicket = ({ address, body }: Person, requestId: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const path = `/ticket/${requestId}?publicKey=${publicKey}`
      requestHttp({ port, agent, path, headers: Object.fromEntries(headersOf(address, body)) }, (answer) => {
        text(answer).then(resolve, reject)
      })
        .on('error', reject)
        .end()
    })

  async function ticketed(): Promise<Ticketed> {
    const person = oneOf(provenPeople)
    const requestId = randomUUID()
    return { person, requestId, ticket: await fetchTicket(person, requestId) }
  }

  const posted = ({ person, requestId }: Ticketed, whole: string): Buffer =>
    request('POST', `/snapshot/${requestId}`, person, whole)

  return {
    plain() {
      const person = oneOf(plainPeople)
      const requestId = randomUUID()
      return request('POST', `/snapshot/${requestId}`, person, textOf(person, requestId))
    },
    async proven() {
      const one = await ticketed()
      return posted(one, sealed(one))
    },
    ticket: () => request('GET', `/ticket/${randomUUID()}`, oneOf(provenPeople)),
    ticketed,
    sealed,
    posted,
  }
}

function sealed({ person, requestId, ticket }: Ticketed): string {
  const content = textOf(person, requestId).slice(0, -1)
  const claim = `${requestId} ${ticket} ${content}`
  const signature = sign('sha256', Buffer.from(claim), { key: person.key, dsaEncoding: 'ieee-p1363' })
  const proof = {
    ticket,
    digest: digestOf(claim),
    key: person.point,
    signature: signature.toString('base64'),
  }
  return `${content},"proof":${JSON.stringify(proof)}}`
}

function oneOf(people: readonly Person[] | undefined): Person {
  const person = people?.[Math.floor(Math.random() * PEOPLE)]
  if (!person) throw new Error('there is nobody')
  return person
}

const headersOf = (address: string, { readings }: Body): [string, string][] => [
  ['origin', PAGE],
  ['referer', `${PAGE}/`],
  ['user-agent', readings.user_agent.value],
  ['accept', '*/*'],
  ['accept-encoding', 'gzip, deflate, br, zstd'],
  ['accept-language', 'en-US,en;q=0.9'],
  ['x-forwarded-for', address],
]

function personOf(bodies: readonly Body[], first: number, number: number): Person {
  const captured = bodies[number % bodies.length]
  if (!captured) throw new Error('bench/bodies is empty')
  const { raster, ...readings } = captured.readings
  const glyphs = `${(first * 1_000 + number).toString(16).padStart(8, '0')}${raster.value.glyphs.slice(8)}`
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const isOdd = (Buffer.from(y, 'base64url').at(-1) ?? 0) & 1
  return {
    body: {
      ...captured,
      readings: { ...readings, raster: { ...raster, value: { ...raster.value, glyphs } } },
    },
    cookieId: randomUUID(),
    address: `${first}.${number >> 6}.${number & 63}.7`,
    key: privateKey,
    point: Buffer.concat([Buffer.of(2 + isOdd), Buffer.from(x, 'base64url')]).toString('base64'),
  }
}

function textOf({ body, cookieId }: Person, requestId: string): string {
  const { user_hid: _, ...rest } = body
  return JSON.stringify({
    ...rest,
    request_id: requestId,
    cookie_id: cookieId,
    session_id: randomUUID(),
    duration_ms: 200 + Math.random() * 50,
  })
}
