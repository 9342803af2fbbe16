import { randomUUID } from 'node:crypto'
import { onTestFinished } from 'vitest'
import { chromiumPath } from '../../../../test/browsers.ts'
import { openScreen } from '../browser-identity/screen.ts'
import type { Visit } from './customer.ts'
import { first, type Namespace } from './namespace.ts'
import { SERVICE_ADDRESS, type Service, SHOP } from './service.ts'

export interface ChromiumOptions {
  /** Inkling's URL, if a proxy is in front of it. */
  at?: string
  args?: readonly string[]
}

/** A Chromium on a screen, which nobody drives, opens the shop's page, and its agent does the rest. */
export async function chromiumVisit(
  client: Namespace,
  service: Service,
  { at = SERVICE_ADDRESS, args = [] }: ChromiumOptions = {},
): Promise<Visit> {
  const screen = await openScreen()
  onTestFinished(screen.close)
  const account = randomUUID()
  const visited = service.customer.visit(account)
  const chromium = client.start(
    chromiumPath() ?? '',
    [
      '--no-sandbox',
      '--no-first-run',
      '--disable-quic',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--enable-unsafe-swiftshader',
      '--ignore-certificate-errors',
      `--user-data-dir=${client.directory}`,
      `--host-resolver-rules=MAP ${new URL(service.url).hostname} ${at}, MAP ${SHOP} ${SERVICE_ADDRESS}`,
      ...args,
      `${service.shopUrl}?account=${account}`,
    ],
    {
      stdio: 'ignore',
      env: { ...process.env, DISPLAY: screen.name, TMPDIR: client.directory, TZ: 'Europe/Berlin' },
    },
  )
  return first(chromium, visited)
}
