import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { DAY_MS } from '../lib/durations.ts'
import { check, type InstallationCheck } from './installation-check.ts'

/** ACME clients renew earlier than that, so with fewer days left something has failed. */
const DAYS_LEFT_MIN = 14
/** Certificates for a few days are renewed later: of these a third has to be left. */
const SHARE_LEFT_MIN = 1 / 3

export interface CertificateFacts {
  /** `TLS_CERT` */
  file: string | undefined
  /** What the server read at its start; undefined where that is not known. */
  inUse: X509Certificate | undefined
  nowMs: number
}

/** Whether the certificate is valid for long enough, and in use since it was renewed; nothing where none is set. */
export async function checkCertificate({
  file,
  inUse,
  nowMs,
}: CertificateFacts): Promise<InstallationCheck[]> {
  if (file === undefined) return []
  return [
    await check('certificate', async () => {
      const onDisk = new X509Certificate(await readFile(file))
      if (endsSoon(onDisk, nowMs)) throw new Error(`${file} ${endOf(onDisk, nowMs)}`)
      if (inUse === undefined || inUse.fingerprint256 === onDisk.fingerprint256) return endOf(onDisk, nowMs)
      const used = `the server uses one that ${endOf(inUse, nowMs)}`
      const renewed = `${file} has another one since, which a restart takes into use`
      if (endsSoon(inUse, nowMs)) throw new Error(`${used}; ${renewed}`)
      return `${used}; ${renewed}`
    }),
  ]
}

function endsSoon({ validFromDate, validToDate }: X509Certificate, nowMs: number): boolean {
  const validMs = validToDate.getTime() - validFromDate.getTime()
  return validToDate.getTime() - nowMs < Math.min(DAYS_LEFT_MIN * DAY_MS, validMs * SHARE_LEFT_MIN)
}

function endOf({ validToDate }: X509Certificate, nowMs: number): string {
  const day = validToDate.toISOString().slice(0, 10)
  const leftMs = validToDate.getTime() - nowMs
  if (leftMs < 0) return `ended on ${day}`
  const days = Math.floor(leftMs / DAY_MS)
  return `ends on ${day}, in ${days} ${days === 1 ? 'day' : 'days'}`
}
