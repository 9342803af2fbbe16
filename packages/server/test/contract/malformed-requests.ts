import type { DomainKeys } from '../../src/auth/register-domain.ts'
import type { RandomSource } from './random-source.ts'
import type { RawRequest } from './raw-request.ts'

/** What the requests are about. */
export interface Surfaces {
  keys: DomainKeys
  /** Every route of the application, as `METHOD /path/:parameter`. */
  routes: readonly [string, ...string[]]
  tokens: { owner: string; analyst: string }
}

const PLAUSIBLE_ID = '0b5a3f0c-8d8e-4f55-9d49-7a51f3c0f0aa'
const HUGE = 9_000

/** Parts of paths and queries that have broken other servers. None looks like a stack or a file name. */
function segment(random: RandomSource): string {
  return random.pick<() => string>([
    () => '',
    () => '.',
    () => '..',
    () => '%2e%2e',
    () => '%2F..%2f',
    () => '%',
    () => '%z',
    () => '%zz',
    () => '%00',
    () => '%FF%FE',
    () => '%C3%28',
    () => '%ED%A0%80',
    () => '%u0041',
    () => '%25%32%46',
    () => '\\..\\',
    () => ';a=b',
    () => "~!$&'()*+,;=:@",
    () => '__proto__',
    () => 'constructor',
    () => "'%20OR%201=1--",
    () => '%3Cscript%3E',
    () => '999.999.999.999',
    () => '2003::1',
    () => '1.2.3.4',
    () => PLAUSIBLE_ID,
    () => PLAUSIBLE_ID.slice(0, random.whole(36)),
    () => PLAUSIBLE_ID.replaceAll('-', '%2d'),
    () => 'x'.repeat(random.whole(HUGE)),
    () => '%41'.repeat(random.whole(HUGE / 3)),
    () => random.bytes(random.whole(30)).toString('base64url'),
    () => [...random.bytes(random.whole(12))].map((byte) => `%${byte.toString(16)}`).join(''),
  ])()
}

const searchType = (random: RandomSource): string =>
  random.chance(0.8)
    ? random.pick(['request_id', 'device_id', 'user_hid', 'visitor_id', 'ip', 'session_id', 'cookie_id'])
    : segment(random)

function query(random: RandomSource, keys: DomainKeys): string {
  const parts = Array.from({ length: random.whole(5) }, () =>
    random.pick<() => string>([
      () => `limit=${segment(random)}`,
      () => `offset=${segment(random)}`,
      () => `limit[]=${segment(random)}`,
      () => `publicKey=${keys.public_key}`,
      () => `publicKey=${segment(random)}`,
      () => segment(random),
      () => '&'.repeat(random.whole(20)),
    ])(),
  )
  return parts.length === 0 ? '' : `?${parts.join('&')}`
}

function path(random: RandomSource, keys: DomainKeys): string {
  const search = () => `${searchType(random)}/${segment(random)}`
  const pub = () =>
    `/pub/${random.chance(0.8) ? keys.public_key : segment(random)}/${random.chance(0.8) ? keys.secret_key : segment(random)}`
  const older = () =>
    `/${random.chance(0.7) ? `${keys.domain}:${keys.secret_key}` : `${segment(random)}:${segment(random)}`}`
  const key = () => (random.chance(0.8) ? `?publicKey=${keys.public_key}` : query(random, keys))
  return random.pick<() => string>([
    () => `/api/v1/history/${search()}${query(random, keys)}`,
    () => `/api/v1/history/${search()}${query(random, keys)}`,
    () => `/api/v1/history${segment(random)}`,
    () => `/api/v1/explanation/${segment(random)}`,
    () => `${pub()}/history/${search()}${query(random, keys)}`,
    () => `${pub()}/debug/${search()}${query(random, keys)}`,
    () => `${pub()}/request/${segment(random)}`,
    () => `${pub()}/${segment(random)}`,
    () => `/v1/profile${query(random, keys)}`,
    () => `/v1/history/${search()}${query(random, keys)}`,
    () => `${older()}/profile`,
    () => `${older()}/callback`,
    () => `${older()}/history/${search()}${query(random, keys)}`,
    () => `/snapshot/${random.chance(0.6) ? uuid(random) : segment(random)}${key()}`,
    () => `/snapshot/${random.chance(0.6) ? uuid(random) : segment(random)}${key()}`,
    () => `/noscript${key()}`,
    () => `/agent.js${query(random, keys)}`,
    () => `/health${segment(random)}`,
    () => `/${segment(random)}/${segment(random)}${query(random, keys)}`,
    () => '*',
    () => `//${segment(random)}`,
    () => `http://evil.example/${segment(random)}`,
  ])()
}

const uuid = (random: RandomSource): string => {
  const hex = random.bytes(16).toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** Header values that are valid in HTTP. */
const headerText = (random: RandomSource): string =>
  random.pick<() => string>([
    () => '',
    () => 'null',
    () => '*',
    () => ','.repeat(random.whole(200)),
    () => 'x'.repeat(random.whole(4_000)),
    () => '203.0.113.1, '.repeat(random.whole(100)),
    () => random.bytes(random.whole(20)).toString('base64'),
    () => [...random.bytes(random.whole(20))].map((byte) => String.fromCharCode(0xa1 + (byte % 94))).join(''),
    () => '::ffff:999.1.1.1',
    () => '[::1]:80',
    () => 'https://',
    () => 'https://shop.example',
    () => 'https://SHOP.example.:99999',
    () => 'shop.example',
  ])()

function headers(random: RandomSource, keys: DomainKeys): Record<string, string | string[]> {
  const sent: Record<string, string | string[]> = {}
  if (random.chance(0.7))
    sent.authorization = random.pick<() => string>([
      () => `Bearer ${keys.api_key}`,
      () => `Bearer ${keys.secret_key}`,
      () => `bearer\t ${keys.api_key} `,
      () => `Bearer ${headerText(random)}`,
      () => headerText(random),
    ])()
  if (random.chance(0.5)) sent['x-svc-domain'] = random.chance(0.7) ? keys.domain : headerText(random)
  if (random.chance(0.7)) sent.origin = random.chance(0.7) ? `https://${keys.domain}` : headerText(random)
  if (random.chance(0.2)) sent.referer = headerText(random)
  if (random.chance(0.3))
    sent['x-forwarded-for'] = random.chance(0.5)
      ? headerText(random)
      : [headerText(random), headerText(random)]
  if (random.chance(0.2))
    sent.host = random.pick(['', 'a b', 'evil.example', ':', '[', 'x'.repeat(300), '127.0.0.1:0'])
  if (random.chance(0.3))
    sent['content-type'] = random.pick([
      'application/json',
      'text/plain',
      '///',
      '',
      'application/json; charset=utf-7',
      'multipart/form-data',
    ])
  if (random.chance(0.1)) sent['accept-encoding'] = headerText(random)
  if (random.chance(0.05)) sent['content-encoding'] = random.pick(['gzip', 'br', 'identity', 'x'])
  if (random.chance(0.05)) sent['accept-version'] = headerText(random)
  if (random.chance(0.05)) sent['user-agent'] = ['', headerText(random)]
  for (let count = random.whole(3); count > 0; count -= 1)
    sent[`x-${random.whole(1_000)}`] = headerText(random)
  return sent
}

/** Values of parameters that exist. */
const KNOWN: Record<string, (keys: DomainKeys) => string> = {
  domain: ({ domain }) => domain,
  file: () => 'agent.js',
  name: () => 'index.js',
  type: () => 'user_hid',
  requestId: () => PLAUSIBLE_ID,
  deviceId: () => PLAUSIBLE_ID,
}

/** What would change the keys, people or rows that later requests need; only a stranger and an analyst try these. */
const DANGEROUS = /^DELETE |rotat|logout|session|password|user|erase|import|factor|passkey|login/i

/** A request to any route of any surface, with odd values in its path, query, headers and body. */
function routeRequest(random: RandomSource, { keys, routes, tokens }: Surfaces): RawRequest {
  const route = random.pick(routes)
  const [known = 'GET', pattern = '/'] = route.split(' ')
  const filled = pattern.replace(/[:{]?(:\w+|\*)/g, (found) => {
    const value = KNOWN[found.replace(/^:+/, '')]
    return value && random.chance(0.6) ? value(keys) : random.chance(0.2) ? '1' : segment(random)
  })
  const token = random.pick<string>([
    tokens.analyst,
    tokens.analyst,
    DANGEROUS.test(route) ? tokens.analyst : tokens.owner,
    keys.secret_key,
    'x',
  ])
  const sent = headers(random, keys)
  if (random.chance(0.8)) sent.authorization = `Bearer ${token}`
  const method = random.chance(0.9) ? known : random.pick(['GET', 'POST', 'PUT', 'PATCH', 'OPTIONS'])
  const hasBody = !['GET', 'HEAD', 'OPTIONS'].includes(method) || random.chance(0.1)
  if (hasBody && random.chance(0.8)) sent['content-type'] = 'application/json'
  return {
    method,
    path: `${filled.startsWith('/') ? '' : '/'}${filled}${query(random, keys)}`,
    headers: sent,
    ...(hasBody && { body: body(random) }),
  }
}

/** JSON of any depth, with field names of ingest and values of wrong types. */
function json(random: RandomSource, depth = 0): string {
  const names = [
    'version',
    'session_id',
    'user_hid',
    'landing',
    'url',
    'readings',
    'raster',
    'value',
    'error',
    'user_agent',
    'typefaces',
    'worker',
    '__proto__',
    'constructor',
    'toJSON',
  ] as const
  if (depth > 5 || random.chance(0.3))
    return random.pick([
      'null',
      'true',
      '0',
      '-1e308',
      '1e999',
      '""',
      '"\\ud800"',
      '"\\u0000"',
      `"${'y'.repeat(random.whole(3_000))}"`,
      '[]',
      '{}',
    ])
  const parts = Array.from({ length: random.whole(6) }, () => json(random, depth + 1))
  if (random.chance(0.3)) return `[${parts.join(',')}]`
  return `{${parts.map((part) => `"${random.pick(names)}":${part}`).join(',')}}`
}

function body(random: RandomSource): Buffer {
  return random.pick<() => Buffer>([
    () => Buffer.alloc(0),
    () => Buffer.from(json(random)),
    () => Buffer.from(json(random)),
    () => Buffer.from(json(random)).subarray(0, random.whole(100)),
    () => Buffer.from(`{"readings":${json(random)},"landing":${json(random)}}`),
    () => Buffer.from('['.repeat(random.whole(20_000))),
    () => Buffer.from(`${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}`),
    () => random.bytes(random.whole(300)),
    () => Buffer.concat([Buffer.from([1, 4]), random.bytes(random.whole(300))]),
    () => Buffer.concat([Buffer.from('{"user_hid":"'), random.bytes(20), Buffer.from('"}')]),
    () => Buffer.from('https://hook.example/\0'),
    () => Buffer.from(random.chance(0.1) ? `{"a":"${'x'.repeat(600_000)}"}` : '{}'),
  ])()
}

/** A request that is valid HTTP, with wrong or unusual contents. */
export function malformedRequest(random: RandomSource, surfaces: Surfaces): RawRequest {
  if (random.chance(0.4)) return routeRequest(random, surfaces)
  const { keys } = surfaces
  const method = random.chance(0.7)
    ? 'GET'
    : random.pick(['POST', 'HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])
  const target = path(random, keys)
  const isIngest = target.startsWith('/snapshot/') || target.includes('/callback')
  return {
    method: isIngest && random.chance(0.8) ? 'POST' : method,
    path: target,
    headers: headers(random, keys),
    ...((isIngest || random.chance(0.2)) && { body: body(random) }),
  }
}

/** Bytes that are not HTTP, or an incomplete request. */
export function brokenBytes(random: RandomSource, keys: DomainKeys): Buffer {
  const line = `${random.pick(['GET', 'POST', 'BREW', 'get', ''])} ${path(random, keys).slice(0, 4_000)} HTTP/${random.pick(['1.1', '1.0', '2.0', '9.9', 'x'])}\r\n`
  const host = 'Host: localhost\r\nConnection: close\r\n'
  return random.pick<() => Buffer>([
    () => random.bytes(1 + random.whole(300)),
    () => Buffer.from(`${line}${host}\r\n`, 'latin1'),
    () => Buffer.from(line, 'latin1'),
    () => Buffer.from('GET / HTTP/1.1\r\n\r\n'),
    () => Buffer.from('GET /health HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n'),
    () => Buffer.from(`GET /health HTTP/1.1\r\n${host}X: ${'y'.repeat(20_000)}\r\n\r\n`),
    () => Buffer.from(`GET /health HTTP/1.1\r\n${host}Bad Name: x\r\n\r\n`),
    () => Buffer.from(`GET /api/v1/history/user_hid/\u00fc\u00ff HTTP/1.1\r\n${host}\r\n`, 'latin1'),
    () => Buffer.from(`GET /a b c HTTP/1.1\r\n${host}\r\n`),
    () => Buffer.from(`GET /\0 HTTP/1.1\r\n${host}\r\n`),
    () =>
      Buffer.from(
        `POST /snapshot/x?publicKey=${keys.public_key} HTTP/1.1\r\n${host}Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcde`,
      ),
    () =>
      Buffer.from(
        `POST /snapshot/x?publicKey=${keys.public_key} HTTP/1.1\r\n${host}Content-Length: -1\r\n\r\n`,
      ),
    () =>
      Buffer.from(
        `POST /snapshot/x?publicKey=${keys.public_key} HTTP/1.1\r\n${host}Content-Length: 900\r\n\r\n{"cut`,
      ),
    () =>
      Buffer.from(
        `POST /snapshot/x?publicKey=${keys.public_key} HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\nzz\r\nabc`,
      ),
    () =>
      Buffer.from(
        `POST /snapshot/x?publicKey=${keys.public_key} HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n`,
      ),
    () =>
      Buffer.from(
        `POST /snapshot/x?publicKey=${keys.public_key} HTTP/1.1\r\n${host}Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}`,
      ),
    () => Buffer.from(`POST /snapshot/x HTTP/1.1\r\n${host}Expect: something\r\nContent-Length: 2\r\n\r\n{}`),
    () => Buffer.from(`GET /health HTTP/1.1\r\n${host}Upgrade: websocket\r\nConnection: upgrade\r\n\r\n`),
    () =>
      Buffer.from(
        `GET /follow/${segment(random)}?publicKey=${keys.public_key} HTTP/1.1\r\n${host}Upgrade: websocket\r\nConnection: upgrade\r\n\r\n`,
        'latin1',
      ),
    () =>
      Buffer.from(
        `GET /follow/${uuid(random)}?publicKey=${keys.public_key} HTTP/1.1\r\nHost: a\r\nOrigin: https://${keys.domain}\r\nConnection: upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}\r\n\r\n${random.bytes(random.whole(300)).toString('latin1')}`,
        'latin1',
      ),
    () => Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
    () => Buffer.from('CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n'),
  ])()
}
