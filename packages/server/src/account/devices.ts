import { presentTime } from '@inkling/contract'
import {
  type ComparedPart,
  type DEVICE_OPERATIONS,
  DEVICE_PARTS,
  type DeviceComparison,
  type DevicePart,
} from '@inkling/contract/account'
import { compare } from '../identify/compare.ts'
import { newProfile } from '../identify/device-profile.ts'
import { changeRates } from '../identify/likelihood.ts'
import { DEFAULT_LINK_WEIGHTS } from '../identify/weights.ts'
import { visitsOfRows } from '../jobs/rescore/stored-visits.ts'
import { AppError } from '../lib/errors.ts'
import { uuidToText } from '../lib/uuid.ts'
import { withAliases } from '../store/devices/device-aliases.ts'
import type { DomainRow } from '../store/domains/domains.ts'
import { entityRows } from '../store/identifications/identifications.ts'
import { identifierLookup } from '../store/identifications/lookup.ts'
import { deviceChanges, fontsOnlyIn } from './device-changes.ts'
import { type DeviceLook, lookOf } from './device-look.ts'
import { findDomain } from './domains.ts'
import type { AccountDeps, Handlers } from './handler.ts'

/** Each is unpacked on the thread that serves visits. */
const VISITS_MAX = 200
/** A comparison looks so far back for a snapshot. */
const NEWEST_MAX = 20

export const deviceOperations: Handlers<typeof DEVICE_OPERATIONS> = {
  getDeviceChanges: async ({ params, query }, deps) => {
    const domain = await findDomain(deps.store, params.domain)
    const { rows, complete } = await rowsOfDevice(deps, domain, query.device_id, VISITS_MAX)
    const looks: DeviceLook[] = []
    for await (const { visit } of visitsOfRows(deps.store, domain, rows, deps.lookUpIp))
      looks.unshift(lookOf(visit))
    const [oldest] = looks
    return {
      visits: looks.length,
      since: oldest ? presentTime(oldest.atMs) : null,
      complete,
      changes: deviceChanges(looks),
    }
  },

  compareDevices: async ({ params, query }, deps) => {
    const domain = await findDomain(deps.store, params.domain)
    const [a, b] = await Promise.all([newestLook(deps, domain, query.a), newestLook(deps, domain, query.b)])
    return {
      a: presentLook(query.a, a.look),
      b: presentLook(query.b, b.look),
      same_device: a.ids.includes(query.b.toLowerCase()),
      ...compareLooks(a.look, b.look),
    }
  },
}

/** @throws AppError `INK_NOT_FOUND` for a device without identifications */
async function rowsOfDevice({ store }: AccountDeps, { id }: DomainRow, deviceId: string, limit: number) {
  const lookup = await withAliases(store.reads, id, identifierLookup('device_id', deviceId))
  const found = await entityRows(store.reads, id, lookup, limit)
  if (found.rows.length === 0) throw new AppError('INK_NOT_FOUND', 'no identification has it')
  return { ...found, ids: [deviceId.toLowerCase(), ...(lookup.aliases ?? []).map(uuidToText)] }
}

/** The newest visit with a snapshot. */
async function newestLook(deps: AccountDeps, domain: DomainRow, deviceId: string) {
  const { rows, ids } = await rowsOfDevice(deps, domain, deviceId, NEWEST_MAX)
  for await (const { visit } of visitsOfRows(deps.store, domain, rows, deps.lookUpIp))
    return { ids, look: lookOf(visit) }
  return { ids, look: undefined }
}

const presentLook = (deviceId: string, look: DeviceLook | undefined): DeviceComparison['a'] => ({
  device_id: deviceId,
  request_id: look?.requestId ?? null,
  at: look ? presentTime(look.atMs) : null,
})

/** What the linker would make of the later visit, had it come without a cookie. */
function compareLooks(
  a: DeviceLook | undefined,
  b: DeviceLook | undefined,
): Pick<DeviceComparison, 'other_family' | 'change_rate' | 'parts'> {
  const isOther = a !== undefined && b !== undefined && a.components.family !== b.components.family
  const rates = a && b && !isOther ? ratesBetween(a, b) : undefined
  return {
    other_family: isOther,
    change_rate: rates ? Object.values(rates).reduce((product, rate) => product * rate, 1) : null,
    parts: DEVICE_PARTS.map((part) => comparedPart(part, { a, b, rates: rates ?? {} })),
  }
}

type Rates = ReturnType<typeof changeRates>

function ratesBetween(a: DeviceLook, b: DeviceLook): Rates {
  const [before, now] = a.atMs <= b.atMs ? [a, b] : [b, a]
  const profile = newProfile('', '', {
    components: before.components,
    keys: [],
    cookie: undefined,
    deviceKey: undefined,
    atMs: before.atMs,
    teaches: 'all',
    isByLook: false,
    windows: new Map(),
  })
  const { components } = now
  return changeRates(
    { comparison: compare(profile, components, now.atMs), profile, components },
    DEFAULT_LINK_WEIGHTS,
  )
}

function comparedPart(
  part: DevicePart,
  { a, b, rates }: { a: DeviceLook | undefined; b: DeviceLook | undefined; rates: Rates },
): ComparedPart {
  const [one, other] = [a?.parts[part], b?.parts[part]]
  const result = !one || !other ? 'unknown' : one.key === other.key ? 'equal' : 'different'
  const rate = part === 'browser' ? rates.version : part in rates ? rates[part as keyof Rates] : undefined
  return {
    part,
    a: textOf(part, a, b),
    b: textOf(part, b, a),
    result,
    change_rate: result === 'different' ? (rate ?? null) : null,
  }
}

function textOf(part: DevicePart, own: DeviceLook | undefined, other: DeviceLook | undefined): string | null {
  const text = own?.parts[part]?.text ?? null
  if (part !== 'typefaces' || !own || !other?.parts.typefaces) return text
  return [text, ...fontsOnlyIn(own.fonts, other.fonts, 'only here:')].join('; ')
}
