import { describe, expect, test } from 'vitest'
import { chromiumVisit } from './chromium-visit.ts'
import type { Visit } from './customer.ts'
import {
  clientOf,
  describeNamespaces,
  machine,
  sharedService,
  testInChromium,
} from './describe-namespaces.ts'
import { whyNoNginx } from './find-nginx.ts'
import type { Namespace } from './namespace.ts'
import { httpConfig, startBalancer, startNginx, streamConfig } from './programs.ts'
import { PORT, type Service } from './service.ts'
import { completeVisit } from './visitor.ts'
import { wire } from './wire.ts'

/** A German address in the data; no packet leaves the namespaces. */
const VISITOR = '91.0.0.1'
const COLLEAGUE = '10.77.1.2'
const BALANCER = '10.77.5.1'
const TRUSTED = { TRUST_PROXY: `${BALANCER}/32` }
const TO_BALANCER = { roundTripMs: 60 }
const TO_SERVICE = { roundTripMs: 2 }

const BEHIND_PROXY = { available: false, reason: 'behind_proxy' }
const UNDECLARED_PROXY = { available: false, reason: 'undeclared_proxy' }

/** A machine of the operator in front of the service. */
async function balancerOf(service: Service): Promise<Namespace> {
  const balancer = await machine(BALANCER)
  await wire(balancer, service.namespace, TO_SERVICE)
  return balancer
}

/** Its web traffic goes through the balancer; packets of the network check go directly to the service. */
async function visitorBehind(balancer: Namespace, service: Service, address: string): Promise<Namespace> {
  const client = await clientOf(service, address, TO_BALANCER)
  await wire(client, balancer, TO_BALANCER)
  return client
}

describeNamespaces('a balancer that forwards connections', () => {
  const service = sharedService({ tls: true, settings: TRUSTED })

  async function expectDirect(through: (balancer: Namespace) => Promise<void>): Promise<void> {
    const balancer = await balancerOf(service())
    await through(balancer)
    const client = await visitorBehind(balancer, service(), VISITOR)
    const { row, explanation } = await chromiumVisit(client, service(), { at: BALANCER })
    expect(explanation.entries).toEqual([])
    expect(row).toMatchObject({
      ip: VISITOR,
      score: 0,
      web_rtc_ip: VISITOR,
      webrtc_leak_source: 'none',
      country: 'Germany',
    })
    expect(explanation.network).toMatchObject({
      syn: BEHIND_PROXY,
      tcpRoundTrip: BEHIND_PROXY,
      tls: { value: { ja4: expect.stringMatching(/^t13d\d{4}h2_/) } },
      http2: { value: { fingerprint: expect.stringContaining('m,a,s,p') } },
      headers: { value: { clientHintPlatform: 'Linux' } },
    })
  }

  const why = whyNoNginx()
  const name = 'leaves the visitor its address, its TLS and a score of 0: nginx, PROXY protocol 1'
  if (why === undefined)
    testInChromium(name, () => expectDirect((balancer) => startNginx(balancer, streamConfig(PORT))))
  else test.skip(`${name}: not run, ${why}`, () => {})

  testInChromium('leaves the visitor its address, its TLS and a score of 0: PROXY protocol 2', () =>
    expectDirect((balancer) => startBalancer(balancer, PORT)),
  )
})

describeNamespaces('nginx that forwards requests', () => {
  const why = whyNoNginx()
  if (why !== undefined) {
    test.skip(`not run, ${why}`, () => {})
    return
  }

  /** One visitor from the internet and one from the operator's own network. */
  async function visitsThrough(service: Service): Promise<Visit[]> {
    const balancer = await balancerOf(service)
    await startNginx(balancer, httpConfig(PORT))
    const clients = await Promise.all(
      [VISITOR, COLLEAGUE].map((address) => visitorBehind(balancer, service, address)),
    )
    return Promise.all(
      clients.map((client) => completeVisit(client, service, { os: 'Windows', at: BALANCER })),
    )
  }
  const everything = (reason: object) => ({
    syn: reason,
    tcpRoundTrip: reason,
    tls: reason,
    http2: reason,
    headers: reason,
  })

  describe('that is declared', () => {
    const service = sharedService({ settings: TRUSTED })

    test('visitors have their own addresses, and no evidence of nginx', async () => {
      const visits = await visitsThrough(service())
      expect(visits.map(({ row }) => row.ip)).toEqual([VISITOR, COLLEAGUE])
      for (const { row, explanation } of visits) {
        expect(explanation.entries).toEqual([])
        expect(row).toMatchObject({ score: 0, os: 'Windows', web_rtc_ip: row.ip, tcp_mss: 0 })
        expect(explanation.network).toMatchObject(everything(BEHIND_PROXY))
      }
    })
  })

  describe('that is not declared', () => {
    const service = sharedService()

    test('visitors have the address of nginx, and no signal is raised', async () => {
      for (const { row, explanation } of await visitsThrough(service())) {
        expect(explanation.entries).toEqual([])
        expect(row).toMatchObject({ ip: BALANCER, score: 0, is_proxy: false, is_os_mismatch: false })
        expect(explanation.network).toMatchObject(everything(UNDECLARED_PROXY))
      }
    })
  })
})
