import { randomUUID } from 'node:crypto'
import { signalNameOf } from '@inkling/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Proof } from '../../src/visit/proof.ts'
import type { Readings } from '../../src/visit/received.ts'
import { ordinaryReadings, proof, value } from '../identified.ts'
import { uniqueDevice } from './bodies.ts'
import { evidence, PACKETS } from './evidence.ts'
import { type ObservedVisits, startObservedVisits } from './observed-visits.ts'
import { LISTED } from './published-lists.ts'
import { ADDRESSES } from './roomy-settings.ts'

let visits: ObservedVisits
beforeAll(async () => {
  visits = await startObservedVisits()
})
afterAll(() => visits.close())

interface Device {
  cookieId: string
  readings: Readings
  proof: Proof
}

/** A browser that no other test uses. */
function newDevice(): Device {
  const { raster, waveform, typefaces, webgl } = uniqueDevice()
  const own = {
    raster: value(raster),
    waveform: value(waveform),
    typefaces: value(typefaces),
    webgl: value(webgl),
  }
  const key = { state: 'proven', id: randomUUID() } as const
  return { cookieId: randomUUID(), readings: { ...ordinaryReadings(), ...own }, proof: proof({ key }) }
}

/** The same browser, whose worker reports another browser, system and language. */
const pretending = ({ readings, ...device }: Device): Device => ({
  ...device,
  readings: {
    ...readings,
    worker: value({
      user_agent:
        'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
      platform: 'Linux x86_64',
      languages: ['ru-RU'],
      timezone: 'Europe/Berlin',
      cores: 8,
      memory_gb: 8,
      webgl_renderer: null,
    }),
  },
})

const observe = async (device: Device, address: string = ADDRESSES.home, network = evidence({})) =>
  visits.read(await visits.visit({ ...device, address, network }))

const ANTIDETECT = { Value: 60, Description: 'Antidetect browser (worker_mismatch)' }

describe('S3 antidetect_browser', () => {
  test('weighs 60, its description begins with Antidetect browser, and the flag is anti_detect_browser', async () => {
    const { row, data } = await observe(pretending(newDevice()))
    expect(JSON.parse(row.score_details)).toEqual([ANTIDETECT])
    expect(data.signals).toEqual([{ name: 'antidetect_browser', weight: 60 }])
    expect([row.score, row.is_antidetect, data.detection_flags.anti_detect_browser]).toEqual([60, true, true])
  })

  test('S3.4 still adds points beside vpn', async () => {
    const { row } = await observe(pretending(newDevice()), LISTED.vpn)
    expect([row.score, row.is_vpn, row.is_antidetect]).toEqual([75, true, true])
  })

  test('S3.5 suppresses browser_vpn_proxy', async () => {
    const network = evidence({ syn: PACKETS.linux })
    const { row, data } = await observe(pretending(newDevice()), LISTED.unlisted, network)
    expect(row.score_details).not.toContain('Browser VPN/Proxy')
    expect(data.detection_flags).toMatchObject({ anti_detect_browser: true, browser_vpn_proxy: false })
  })

  test('S3.6 counts once, also on a device with an earlier verdict', async () => {
    const device = newDevice()
    await observe(pretending(device))
    const { row, data } = await observe(pretending(device))
    expect(JSON.parse(row.score_details)).toEqual([ANTIDETECT])
    expect(data.risk_score).toBe(60)
  })
})

describe('S3.8 the sticky verdict', () => {
  test('applies to a later identification of the device at the same address', async () => {
    const device = newDevice()
    const first = await observe(pretending(device))
    const { row, data } = await observe(device)
    expect(row.device_id).toBe(first.row.device_id)
    const description = `Sticky verdict: Antidetect browser (worker_mismatch) (request ${first.row.request_id})`
    expect(JSON.parse(row.score_details)).toEqual([{ Value: 45, Description: description }])
    expect(data.signals).toEqual([{ name: signalNameOf(description), weight: 45 }])
    expect(data.signals[0]?.name).toBe('antidetect_browser')
    expect([row.score, row.is_antidetect, data.detection_flags.anti_detect_browser]).toEqual([45, true, true])
  })

  test('does not renew itself: the third identification names the first', async () => {
    const device = newDevice()
    const first = await observe(pretending(device))
    await observe(device)
    const { row } = await observe(device)
    expect(row.score_details).toContain(`(request ${first.row.request_id})`)
    expect(row.score).toBe(45)
  })

  test('does not apply to the device at another address', async () => {
    const device = newDevice()
    await observe(pretending(device))
    expect((await observe(device, '91.0.0.2')).row.score).toBe(0)
  })

  test('does not apply to another device at the address', async () => {
    await observe(pretending(newDevice()))
    expect((await observe(newDevice())).row.score).toBe(0)
  })

  test('does not come from a suppressed verdict, such as beside tor', async () => {
    const device = newDevice()
    const first = await observe(pretending(device), LISTED.tor)
    expect(first.row.score_details).toContain('{"Value":0,"Description":"Antidetect browser')
    expect((await observe(device, LISTED.tor)).row.score_details).not.toContain('Sticky')
  })
})
