import { hash as digest, hkdfSync } from 'node:crypto'
import { namesAccount, namesOne } from '@inkling/contract'
import { normalAddress, parseAddress } from '../../lib/address.ts'
import { growingCache } from '../../lib/growing-cache.ts'
import type { Scored } from '../../visit/identification.ts'
import { VELOCITY_SUBJECTS, type VelocitySubject } from '../../visit/velocity.ts'
import type { SecretsKeeper } from '../store.ts'
import { HASH_BYTES } from './velocity-batch.ts'

/** What a visit is counted by. */
export interface CountedVisit {
  domainId: number
  deviceId: string
  visitorId: string
  cookieId: string
  account: string
  address: string
  country: string
}

export const countedVisit = ({ domain, identity, cookieId, userHid, address, ip }: Scored): CountedVisit => ({
  domainId: domain.id,
  deviceId: identity.deviceId,
  visitorId: identity.visitorId,
  cookieId,
  account: userHid,
  address,
  country: ip.countryCode ?? '',
})

/**
 * Hashes of the values that visits are counted by. Under a key of the installation, so that a copy of the table says
 * nothing about who visited to one who tries all addresses.
 */
export interface SubjectHashes {
  /** One after the other in the order of the subjects, then the country's; zeros where the visit has none. */
  ofVisit(visit: CountedVisit): Uint8Array
  /** Undefined for a value that names nobody. */
  of(domainId: number, subject: VelocitySubject, value: string): Uint8Array | undefined
}

/** Countries whose hash is kept, of all domains. */
const COUNTRIES_MAX = 2_000

export function subjectHashes(key: Uint8Array): SubjectHashes {
  const secret = Buffer.from(key).toString('hex')
  // Not an HMAC, which takes four times as long: only a prefix of the digest is used, so nobody can extend it.
  // By way of text, which Node makes in less than half the time of a buffer.
  const hash = (domainId: number, kind: VelocitySubject | 'country', value: string): Uint8Array =>
    Buffer.from(
      digest('sha256', `${secret} ${domainId} ${kind} ${value}`, 'latin1').slice(0, HASH_BYTES),
      'latin1',
    )
  const countries = growingCache<string, Uint8Array>(COUNTRIES_MAX)

  function ofCountry(domainId: number, country: string): Uint8Array {
    const name = `${domainId} ${country}`
    const known = countries.get(name)
    if (known) return known
    const one = hash(domainId, 'country', country)
    countries.set(name, one)
    return one
  }

  function of(domainId: number, subject: VelocitySubject, value: string): Uint8Array | undefined {
    const normal = NORMAL[subject](value)
    return normal === undefined ? undefined : hash(domainId, subject, normal)
  }

  return {
    of,
    ofVisit({ domainId, country, ...visit }) {
      const values: Record<VelocitySubject, string> = {
        device: visit.deviceId,
        visitor: visit.visitorId,
        cookie: visit.cookieId,
        account: visit.account,
        address: visit.address,
        prefix: visit.address,
      }
      const hashes = new Uint8Array((VELOCITY_SUBJECTS.length + 1) * HASH_BYTES)
      VELOCITY_SUBJECTS.forEach((subject, index) => {
        const one = of(domainId, subject, values[subject])
        if (one) hashes.set(one, index * HASH_BYTES)
      })
      if (country !== '') hashes.set(ofCountry(domainId, country), VELOCITY_SUBJECTS.length * HASH_BYTES)
      return hashes
    },
  }
}

const uuid = (value: string): string | undefined => (namesOne(value) ? value.toLowerCase() : undefined)
const account = (value: string): string | undefined => (namesAccount(value) ? value : undefined)
const address = (value: string): string | undefined => (value === '' ? undefined : normalAddress(value))

/** The form in which equal values are equal. A prefix is given by any address in it. */
const NORMAL: Record<VelocitySubject, (value: string) => string | undefined> = {
  device: uuid,
  visitor: uuid,
  cookie: uuid,
  account,
  address,
  prefix: networkOf,
}

/** A /24 of IPv4, a /48 of IPv6. */
function networkOf(text: string): string | undefined {
  const address = parseAddress(text)
  if (!address) return undefined
  if (address.family === 4) return String(address.value >>> 8)
  const [first, second] = address.words
  return `${first.toString(16)}:${(second >>> 16).toString(16)}`
}

/** @returns undefined before the first start of a server, which generates the key that this one derives from */
export async function readSubjectHashes(secrets: SecretsKeeper): Promise<SubjectHashes | undefined> {
  const text = await secrets.read()
  if (text === undefined) return undefined
  const { secret_box_key } = JSON.parse(text) as { secret_box_key: string }
  return subjectHashes(velocityKey(Buffer.from(secret_box_key, 'hex')))
}

export const velocityKey = (secret: Uint8Array): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, '', 'inkling velocity', 32))
