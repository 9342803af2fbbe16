import { afterAll, beforeAll, describe, onTestFinished, test } from 'vitest'
import { type BrowserName, findBrowser, whyMissing } from '../../../../test/find-browser.ts'
import { type Namespace, openNamespace, whyNoNamespaces } from './namespace.ts'
import { type Service, type ServiceOptions, startService } from './service.ts'
import { type WireOptions, wire } from './wire.ts'

/** Runs the suite where namespaces are available. Elsewhere the name of one skipped test has the reason. */
export function describeNamespaces(name: string, suite: () => void): void {
  const why = whyNoNamespaces()
  if (why === undefined) describe(name, suite)
  else test.skip(`${name}: not run, ${why}`, () => {})
}

/** A test that needs a browser. */
const testIn =
  (browser: BrowserName) =>
  (name: string, run: () => Promise<void>): void => {
    if (findBrowser(browser) === undefined) test.skip(`${name}: not run, ${whyMissing(browser)}`, () => {})
    else test(name, run)
  }
export const testInChromium = testIn('chromium')
export const testInFirefox = testIn('firefox')

/** One service for all tests of a suite. */
export function sharedService(options: ServiceOptions = {}): () => Service {
  let service: Service | undefined
  beforeAll(async () => {
    service = await startService(options)
  })
  afterAll(() => service?.close())
  return () => {
    if (!service) throw new Error('the service runs from beforeAll on, not while tests are collected')
    return service
  }
}

/** A separate machine for one test. */
export async function machine(address: string): Promise<Namespace> {
  const namespace = await openNamespace(address)
  onTestFinished(namespace.close)
  return namespace
}

/** A visitor's machine that is connected to the service. */
export async function clientOf(service: Service, address: string, options: WireOptions): Promise<Namespace> {
  const client = await machine(address)
  await wire(client, service.namespace, options)
  return client
}
