import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** A self-signed certificate for `localhost` and its addresses. */
export async function selfSignedCertificate(days = 2): Promise<{ cert: string; key: string }> {
  const { stdout } = await promisify(execFile)('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'],
    ...['-days', String(days)],
    ...['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1,IP:::1'],
    ...['-keyout', '-', '-out', '-'],
  ])
  const block = (name: RegExp): string => {
    const [found] = stdout.match(name) ?? []
    if (found === undefined) throw new Error('openssl wrote no certificate')
    return found
  }
  return {
    cert: block(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/),
    key: block(/-----BEGIN PRIVATE KEY-----[\s\S]+?-----END PRIVATE KEY-----/),
  }
}
