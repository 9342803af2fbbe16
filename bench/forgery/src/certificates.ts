import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The names of all sites of the benchmark; none but the last exists outside of it. */
const NAMES = ['shop.example', 'blog.example', 'news.example', 'cdn.example', 'inkling.example', 'localhost']

export interface Certificates {
  /** The authority that the browsers trust, in PEM. */
  authority: string
  cert: string
  key: string
  certFile: string
  keyFile: string
  /** An NSS database with the authority, which Chromium and Firefox read. */
  nssFolder: string
}

/** An authority of this run and one certificate of it for all names. */
export async function makeCertificates(folder: string): Promise<Certificates> {
  const at = (name: string): string => join(folder, name)
  const openssl = (...args: string[]) => run('openssl', args)
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  await openssl(
    ...['req', '-x509', ...key, '-days', '30', '-subj', '/CN=Authority of a benchmark'],
    ...['-addext', 'keyUsage=critical,keyCertSign', '-keyout', at('authority-key.pem')],
    ...['-out', at('authority.pem')],
  )
  const names = [...NAMES.map((name) => `DNS:${name}`), 'IP:127.0.0.1'].join(',')
  await openssl(
    ...['req', '-x509', ...key, '-days', '30', '-subj', '/CN=shop.example'],
    ...['-addext', `subjectAltName=${names}`, '-addext', 'basicConstraints=critical,CA:FALSE'],
    ...['-addext', 'extendedKeyUsage=serverAuth', '-CA', at('authority.pem')],
    ...['-CAkey', at('authority-key.pem'), '-keyout', at('key.pem'), '-out', at('cert.pem')],
  )
  const nssFolder = at('nss')
  await mkdir(nssFolder)
  await run('certutil', ['-N', '-d', `sql:${nssFolder}`, '--empty-password'])
  const add = ['-A', '-d', `sql:${nssFolder}`, '-n', 'benchmark', '-t', 'C,,', '-i', at('authority.pem')]
  await run('certutil', add)
  const [authority, cert, privateKey] = await Promise.all(
    ['authority.pem', 'cert.pem', 'key.pem'].map((name) => readFile(at(name), 'utf8')),
  )
  if (authority === undefined || cert === undefined || privateKey === undefined)
    throw new Error('openssl wrote no certificate')
  await writeFile(at('chain.pem'), cert + authority)
  return {
    authority,
    cert: cert + authority,
    key: privateKey,
    certFile: at('chain.pem'),
    keyFile: at('key.pem'),
    nssFolder,
  }
}
