import { readdirSync, readFileSync } from 'node:fs'

const BODIES = new URL('../../bodies/', import.meta.url)

/** Placeholders with the same length as the values that replace them. */
const MARKS = {
  request: '00000000-0000-4000-8000-000000000001',
  session: '00000000-0000-4000-8000-000000000002',
  cookie: '00000000-0000-4000-8000-000000000003',
  user: '00000000-0000-4000-8000-000000000004',
  address: '255.255.255.255',
  /** Part of the hash of the drawn text: varying it turns one captured browser into many devices. */
  device: 'd0d0d0d0',
} as const

export type Mark = keyof typeof MARKS

/** A captured visit as a complete HTTP request, with the offsets of the parts that vary. */
export interface VisitTemplate {
  bytes: Buffer
  offsets: Record<Mark, number>
}

export interface Target {
  port: number
  publicKey: string
  /** Registered domain of the page. */
  domain: string
}

interface CapturedBody {
  session_id?: string
  cookie_id?: string
  user_hid?: string
  readings?: { user_agent?: { value?: string }; raster?: { value?: { glyphs?: string } } }
}

/** The bodies that real browsers sent, prepared to be sent as other visitors. */
export function visitTemplates(target: Target): VisitTemplate[] {
  const files = readdirSync(BODIES).filter((name) => name.endsWith('.json'))
  if (files.length === 0) throw new Error('bench/bodies is empty: run `npm --prefix bench run capture`')
  return files.sort().map((name) => {
    const body = JSON.parse(readFileSync(new URL(name, BODIES), 'utf8')) as CapturedBody
    return template(target, body)
  })
}

function template(target: Target, captured: CapturedBody): VisitTemplate {
  const body = structuredClone(captured)
  body.session_id = MARKS.session
  body.cookie_id = MARKS.cookie
  body.user_hid = MARKS.user
  const raster = body.readings?.raster?.value
  if (typeof raster?.glyphs !== 'string') throw new Error('a captured body has no hash of letters')
  raster.glyphs = `${MARKS.device}${raster.glyphs.slice(MARKS.device.length)}`
  const text = JSON.stringify(body)

  const head = [
    `POST /snapshot/${MARKS.request}?publicKey=${target.publicKey} HTTP/1.1`,
    `host: 127.0.0.1:${target.port}`,
    'connection: keep-alive',
    `origin: https://${target.domain}`,
    `referer: https://${target.domain}/`,
    `user-agent: ${body.readings?.user_agent?.value ?? ''}`,
    'accept: */*',
    'accept-encoding: gzip, deflate, br, zstd',
    'accept-language: en-US,en;q=0.9',
    `x-forwarded-for: ${MARKS.address}`,
    'content-type: text/plain;charset=UTF-8',
    `content-length: ${Buffer.byteLength(text)}`,
  ]
  const bytes = Buffer.from(`${head.join('\r\n')}\r\n\r\n${text}`)
  const names = Object.keys(MARKS) as Mark[]
  const offsets = Object.fromEntries(names.map((name) => [name, bytes.indexOf(MARKS[name])]))
  return { bytes, offsets: offsets as Record<Mark, number> }
}
