import { uuidBytesOrNil, uuidV5 } from '../src/lib/uuid.ts'
import { score } from '../src/score/score.ts'
import { identificationRow } from '../src/store/identifications/identification-row.ts'
import type { NewIdentification } from '../src/store/store.ts'
import { subjectHashes } from '../src/store/velocity/subject-hashes.ts'
import { identified, value } from './identified.ts'

const COUNTRIES = ['Germany', 'France', 'Brazil', '', 'Japan']
const SPACE = '6ba7b810-9dad-11d1-80b4-00c04fd430c8'
/** Scored once each: all others have the same verdicts. */
const KINDS = 40

export interface VariedVisit {
  row: NewIdentification
  /** What it is counted by; undefined for some. */
  velocity: Uint8Array | undefined
}

/** Visits that differ in what rules look at; the same for the same numbers. Each device has some fifty of them. */
export function variedVisits(
  random: () => number,
  { count, domainId }: { count: number; domainId: number },
): (atMs: number) => VariedVisit {
  const upTo = (limit: number): number => Math.floor(random() * limit)
  const often = (share: number): boolean => random() < share
  const { ofVisit } = subjectHashes(Buffer.alloc(32, 7))
  const { ip, readings } = identified()
  const scored = Array.from({ length: KINDS }, () =>
    score(
      identified({
        ip: {
          ...ip,
          country: COUNTRIES[upTo(COUNTRIES.length)] ?? '',
          ...{ tor: often(0.1), hosting: often(0.2), proxy: often(0.1) },
          asn: often(0.8) ? 64_496 : undefined,
        },
        ...(often(0.3) && {
          readings: { ...readings, automation: value({ webdriver: true, markers: [] }) },
        }),
      }),
    ),
  )
  let number = 0
  return (atMs) => {
    number += 1
    const visit = scored[upTo(KINDS)]
    if (!visit) throw new Error('there are no visits')
    const deviceId = uuidV5(SPACE, `device ${upTo(Math.ceil(count / 50))}`)
    const account = often(0.5) ? `account-${upTo(Math.ceil(count / 20))}` : ''
    const row = {
      ...identificationRow(visit),
      domain_id: domainId,
      request_id: uuidBytesOrNil(uuidV5(SPACE, `request ${number}`)),
      device_id: uuidBytesOrNil(deviceId),
      visitor_id: uuidBytesOrNil(deviceId),
      user_hid: account,
      created_at: atMs,
      ver: atMs,
    }
    const { cookieId, address } = visit
    const counted = {
      domainId,
      deviceId,
      visitorId: deviceId,
      cookieId,
      account,
      address,
      country: visit.ip.country,
    }
    return { row, velocity: often(0.9) ? ofVisit(counted) : undefined }
  }
}
