import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { chromiumPath } from '../../../../test/browsers.ts'
import type { Visit } from './customer.ts'
import { first, type Namespace } from './namespace.ts'
import { SERVICE_ADDRESS, type Service, SHOP } from './service.ts'

/** The user agent of a headful browser, with the version of its client hints. */
async function userAgentOf(program: string): Promise<string> {
  const { stdout } = await promisify(execFile)(program, ['--version'])
  const [, major] = /(\d+)\.\d/.exec(stdout) ?? []
  return `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${major}.0.0.0 Safari/537.36`
}

export interface ChromiumOptions {
  /** Inkling's URL, if a proxy is in front of it. */
  at?: string
  args?: readonly string[]
}

/** A Chromium without automation opens the shop's page, and its agent does the rest. */
export async function chromiumVisit(
  client: Namespace,
  service: Service,
  { at = SERVICE_ADDRESS, args = [] }: ChromiumOptions = {},
): Promise<Visit> {
  const program = chromiumPath() ?? ''
  const userAgent = await userAgentOf(program)
  const account = randomUUID()
  const visited = service.customer.visit(account)
  const chromium = client.start(
    program,
    [
      '--headless=new',
      '--no-sandbox',
      '--no-first-run',
      '--disable-quic',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--enable-unsafe-swiftshader',
      '--ignore-certificate-errors',
      `--user-agent=${userAgent}`,
      `--user-data-dir=${client.directory}`,
      `--host-resolver-rules=MAP ${new URL(service.url).hostname} ${at}, MAP ${SHOP} ${SERVICE_ADDRESS}`,
      ...args,
      `${service.shopUrl}?account=${account}`,
    ],
    { stdio: 'ignore', env: { ...process.env, TMPDIR: client.directory, TZ: 'Europe/Berlin' } },
  )
  return first(chromium, visited)
}
