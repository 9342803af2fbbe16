import { X509Certificate } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { selfSignedCertificate } from '../../test/self-signed-certificate.ts'
import { temporaryStore } from '../../test/temporary-store.ts'
import { openIpDatabase } from '../enrich/ip/ip-facts.ts'
import { DAY_MS } from '../lib/durations.ts'
import { readConfig } from './config.ts'
import { createRunningState } from './running-state.ts'

const ASN_FILE = new URL('../../data/asn.bin', import.meta.url).pathname

test('the installation is probed once in ten seconds, however many ask, and by a clock that was set back', async () => {
  const { store, directory } = await temporaryStore()
  const { lookUp } = openIpDatabase({ asnFile: ASN_FILE })
  let nowMs = Date.UTC(2026, 10, 21)
  let probes = 0
  const { installation } = createRunningState(
    { config: readConfig({ DATA_DIR: directory }), now: () => nowMs },
    {
      store,
      budget: { limits: () => [] } as never,
      network: { sources: [], certificate: undefined, followUps: { pending: () => 0 } },
      lookUpIp(address) {
        probes += 1
        return lookUp(address)
      },
    },
  )
  const all = await Promise.all([installation(), installation()])
  expect(all[0]).toContainEqual({ check: 'data directory', ok: true, detail: directory })
  nowMs += 9_999
  expect(await installation()).toBe(all[1])
  expect(probes).toBe(1)
  nowMs += 1
  await installation()
  expect(probes).toBe(2)
  nowMs -= 60_000
  await installation()
  expect(probes).toBe(3)
})

test('the certificate is among what is checked, by the clock of the server', async () => {
  const { store, directory } = await temporaryStore()
  const { cert } = await selfSignedCertificate(90)
  const file = join(directory, 'fullchain.pem')
  await writeFile(file, cert)
  const certificate = new X509Certificate(cert)
  const { installation } = createRunningState(
    {
      config: readConfig({ DATA_DIR: directory, TLS_CERT: file, TLS_KEY: file }),
      now: () => certificate.validToDate.getTime() - 10 * DAY_MS,
    },
    {
      store,
      budget: { limits: () => [] } as never,
      network: { sources: [], certificate, followUps: { pending: () => 0 } },
      lookUpIp: openIpDatabase({ asnFile: ASN_FILE }).lookUp,
    },
  )
  expect(await installation()).toContainEqual({
    check: 'certificate',
    ok: false,
    detail: expect.stringMatching(/ends on .* in 10 days$/),
  })
})
