import { expect, test } from 'vitest'
import { chromiumVisit } from './chromium-visit.ts'
import type { Visit } from './customer.ts'
import { clientOf, describeNamespaces, sharedService, testInChromium } from './describe-namespaces.ts'
import { completeVisit, openVisitor, type Visitor } from './visitor.ts'

const LINE = { roundTripMs: 30 }
const TURN_PORT = 3478
const NOT_CHECKED = { description: 'Stun is not checked', value: 30 }
const CORRECTED = { description: 'Stun passed (late arrival, corrected)', value: -30 }

const entriesOf = ({ explanation }: Visit) =>
  explanation.entries.map(({ description, value }) => ({ description, value }))

describeNamespaces('the network check', () => {
  const service = sharedService()

  const visitorAt = async (address: string): Promise<Visitor> =>
    openVisitor(await clientOf(service(), address, LINE), service())

  const passedBy = async (address: string): Promise<Visit> =>
    completeVisit(await clientOf(service(), address, LINE), service())

  // First, because a failure counts only after another visitor has passed.
  test('does not count if nobody has passed it yet', async () => {
    const visitor = await visitorAt('10.77.1.2')
    await visitor.report(false)
    const visit = await service().customer.visit(visitor.account)
    expect(entriesOf(visit)).toEqual([])
    expect(visit.explanation.network.turn).toEqual({ available: false, reason: 'unproven' })
  })

  testInChromium('that a firewall drops adds 30 where others pass it', async () => {
    const client = await clientOf(service(), '10.77.1.4', { ...LINE, blockedPort: TURN_PORT })
    const [visit] = await Promise.all([chromiumVisit(client, service()), passedBy('10.77.1.3')])
    expect(entriesOf(visit)).toEqual([NOT_CHECKED])
    expect(visit.row).toMatchObject({
      score: 30,
      is_stun_not_checked: true,
      stun_request_seen: false,
      is_vpn: false,
    })
    expect(visit.explanation.network.turn).toEqual({ available: false, reason: 'no_packet' })
  })

  test('that fails means a VPN if the packet size does, too', async () => {
    const client = await clientOf(service(), '10.77.1.4', { ...LINE, mtu: 1420 })
    const [visitor] = await Promise.all([openVisitor(client, service()), passedBy('10.77.1.3')])
    await visitor.report(false)
    const visit = await service().customer.visit(visitor.account)
    expect(visit.row).toMatchObject({ score: 15, is_vpn: true, mtu_hint: 'vpn_likely' })
    expect(entriesOf(visit)).toContainEqual({ description: 'Is VPN', value: 15 })
  })

  test('that passes after the verdict lowers the score again', async () => {
    const [visitor] = await Promise.all([visitorAt('10.77.1.4'), passedBy('10.77.1.3')])
    await visitor.report(false)
    const first = await service().customer.visit(visitor.account)
    expect(entriesOf(first)).toEqual([NOT_CHECKED])

    await visitor.passNetworkCheck()
    const later = await service().customer.revisit(visitor.requestId, ({ row }) => row.ver > first.row.ver)
    expect(entriesOf(later)).toEqual([NOT_CHECKED, CORRECTED])
    expect(later.row).toMatchObject({ score: 0, is_stun_not_checked: false, web_rtc_ip: '10.77.1.4' })
  })

  test('is not passed by a signed message that is replayed from another address', async () => {
    const [visitor, thief] = await Promise.all([visitorAt('10.77.1.5'), visitorAt('10.77.1.6')])
    const message = await visitor.challenged()
    expect(await thief.send(message)).toBe(438)
    expect(await visitor.send(message)).toBe(403)

    await visitor.report(true)
    const visit = await service().customer.visit(visitor.account)
    expect(visit.explanation.network.turn).toMatchObject({
      value: { sightings: [{ address: '10.77.1.5', transport: 'udp' }] },
    })
    expect(visit.row).toMatchObject({ score: 0, web_rtc_ip: '10.77.1.5' })
  })
})
