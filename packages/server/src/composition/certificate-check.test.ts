import { X509Certificate } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli } from '../../test/run-cli.ts'
import { runningServer } from '../../test/running-server.ts'
import { selfSignedCertificate } from '../../test/self-signed-certificate.ts'
import { temporaryDirectory } from '../../test/temporary-store.ts'
import { DAY_MS } from '../lib/durations.ts'
import { checkCertificate } from './certificate-check.ts'

async function certificate(days: number) {
  const { cert, key } = await selfSignedCertificate(days)
  const file = join(await temporaryDirectory(), 'fullchain.pem')
  await writeFile(file, cert)
  return {
    file,
    key,
    cert: new X509Certificate(cert),
    endMs: new X509Certificate(cert).validToDate.getTime(),
  }
}

test('a certificate fails with fewer than 14 days left, and after its end', async () => {
  const { file, cert, endMs } = await certificate(90)
  const day = new Date(endMs).toISOString().slice(0, 10)
  const at = async (nowMs: number) => (await checkCertificate({ file, inUse: cert, nowMs }))[0]
  expect(await at(endMs - 14 * DAY_MS)).toEqual({
    check: 'certificate',
    ok: true,
    detail: `ends on ${day}, in 14 days`,
  })
  expect(await at(endMs - 14 * DAY_MS + 1)).toMatchObject({
    ok: false,
    detail: `${file} ends on ${day}, in 13 days`,
  })
  expect(await at(endMs + 1)).toMatchObject({ ok: false, detail: `${file} ended on ${day}` })
})

test('one that is made for six days fails with fewer than two left', async () => {
  const { file, endMs } = await certificate(6)
  const at = async (nowMs: number) => (await checkCertificate({ file, inUse: undefined, nowMs }))[0]?.ok
  expect(await at(endMs - 2 * DAY_MS)).toBe(true)
  expect(await at(endMs - 2 * DAY_MS + 1)).toBe(false)
})

test('a renewed certificate that is not in use is told, and fails once the used one ends', async () => {
  const [{ cert: inUse, endMs }, { file }] = await Promise.all([certificate(90), certificate(180)])
  const at = async (nowMs: number) => (await checkCertificate({ file, inUse, nowMs }))[0]
  const detail = expect.stringContaining(`${file} has another one since, which a restart takes into use`)
  expect(await at(endMs - 20 * DAY_MS)).toMatchObject({ ok: true, detail })
  expect(await at(endMs - 10 * DAY_MS)).toMatchObject({ ok: false, detail })
})

test('a file that is missing fails, and without TLS_CERT nothing is checked', async () => {
  const facts = { inUse: undefined, nowMs: 0 }
  expect(await checkCertificate({ ...facts, file: '/nowhere/cert.pem' })).toMatchObject([
    { ok: false, detail: expect.stringContaining('ENOENT') },
  ])
  expect(await checkCertificate({ ...facts, file: undefined })).toEqual([])
})

test('doctor asks the running server which certificate it uses', async () => {
  const { file, key } = await certificate(90)
  const keyFile = join(await temporaryDirectory(), 'key.pem')
  await writeFile(keyFile, key)
  const tls = { TLS_CERT: file, TLS_KEY: keyFile }
  const { directory, port } = await runningServer({ settings: tls })
  const doctor = async () => {
    const settings = { ...tls, DATA_DIR: directory, PORT: String(port), FEEDS: 'off' }
    const { stdout } = await runCli(['doctor', '--json'], settings)
    return JSON.parse(stdout).find(({ check }: { check: string }) => check === 'certificate')
  }
  expect(await doctor()).toMatchObject({ ok: true, detail: expect.stringMatching(/^ends on .* in 89 days$/) })
  await writeFile(file, (await selfSignedCertificate(180)).cert)
  expect(await doctor()).toMatchObject({ ok: true, detail: expect.stringContaining('has another one since') })
})
