import { randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { firefoxPath } from '../../../../test/browsers.ts'
import type { Visit } from './customer.ts'
import { first, type Namespace } from './namespace.ts'
import { SERVICE_ADDRESS, type Service } from './service.ts'

/** All names resolve to the service, no telemetry is sent, and no start page opens. */
const PREFERENCES: Record<string, string | number | boolean> = {
  'network.dns.forceResolve': SERVICE_ADDRESS,
  'browser.shell.checkDefaultBrowser': false,
  'browser.aboutwelcome.enabled': false,
  'browser.startup.homepage_override.mstone': 'ignore',
  'datareporting.policy.dataSubmissionEnabled': false,
  'toolkit.telemetry.reportingpolicy.firstRun': false,
  'app.update.enabled': false,
  'extensions.update.enabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'browser.safebrowsing.malware.enabled': false,
  'browser.safebrowsing.phishing.enabled': false,
}

/** A Firefox without automation opens the shop's page, and its agent does the rest. */
export async function firefoxVisit(client: Namespace, service: Service): Promise<Visit> {
  const profile = join(client.directory, 'firefox')
  await mkdir(profile, { recursive: true })
  const lines = Object.entries(PREFERENCES).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
  )
  await writeFile(join(profile, 'user.js'), lines.join('\n'))
  const account = randomUUID()
  const visited = service.customer.visit(account)
  const firefox = client.start(
    firefoxPath() ?? '',
    ['--headless', '--no-remote', '--profile', profile, `${service.shopUrl}?account=${account}`],
    {
      stdio: 'ignore',
      // As root, Firefox rejects the HOME of another user.
      env: { ...process.env, HOME: userInfo().homedir, TMPDIR: client.directory, TZ: 'Europe/Berlin' },
    },
  )
  return first(firefox, visited)
}
