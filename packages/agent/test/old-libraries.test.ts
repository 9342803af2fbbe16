import { digestOf, IngestBody } from '@inkling/contract'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { describeBrowsers } from '../../../test/browsers.ts'
import { createBodyDecoder } from '../../server/src/ingest/ingest-body.ts'
import { type AgentSite, startAgentSite, TICKET } from './agent-site.ts'
import { openTab } from './agent-tab.ts'

/** What Prototype.js 1.6 and 1.7, MooTools and datejs do to the built-ins of a page. */
const OLD_LIBRARIES = `{
  const { map } = Array.prototype
  const quote = (part) => typeof part === 'string' ? '"' + part + '"' : String(part)
  Object.assign(Array.prototype, {
    toJSON() { return '[' + map.call(this, quote).join(', ') + ']' },
    map(change, self) { return map.call(this, (part, at) => change.bind(self)(part, at)) },
    each(act) { this.forEach((part, at) => act(part, at)) },
    reduce() { return this.length > 1 ? this : this[0] },
    entries() { return [...this] },
    include(part) { return this.indexOf(part) >= 0 },
  })
  for (const type of [String, Number, Date])
    type.prototype.toJSON = function () { return quote(this.toString()) }
  Object.defineProperty(Object.prototype, 'toJSON', { configurable: true, value() { return '{}' } })
  const { bind } = Function.prototype
  Function.prototype.bind = function (self) { return self === undefined ? this : bind.apply(this, arguments) }
  Array.from = (list) => Array.prototype.slice.call(list)
  Object.keys = (object) => { const names = []; for (const name in object) names.push(name); return names }
  const { prototype } = Element
  window.Element = function Element(tag) { return document.createElement(tag) }
  window.Element.prototype = prototype
  window.Event = function Event(event) { return { event } }
  const { now } = Date
  Date.now = () => new Date(now())
}`

/** Long limits, so that a busy test machine does not decide which sources answer. */
const NO_TIMEOUTS = `{
  const { setTimeout } = window
  window.setTimeout = (act, ms, ...rest) =>
    setTimeout(act, [1000, 2000, 4000].includes(ms) ? 60000 : ms, ...rest)
}`

/** What differs between two checks of one page: counts of input, and shares of times. */
const MEASURED = ['input', 'inspector', 'private_mode', 'worker_inspector']

type Readings = Record<string, { value?: unknown; error?: string }>

/** The readings, with no more than the outcome of the measured ones. */
const comparable = (readings: unknown): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(readings as Readings).map(([name, reading]) => [
      name,
      MEASURED.includes(name) ? Object.keys(reading) : reading,
    ]),
  )

describeBrowsers('a page with libraries that change the built-ins', (browser) => {
  let site: AgentSite
  beforeAll(async () => {
    site = await startAgentSite()
  })
  afterAll(() => site.close())

  const visit = async () => {
    const context = await browser.running().newContext()
    onTestFinished(() => context.close())
    await context.addInitScript(NO_TIMEOUTS)
    return openTab(context, site, { script: site.scriptWithFollowUp })
  }
  /** A call whose answer is left in the page: what passes answers to the test would meet the libraries too. */
  const check = async (page: Page, libraries: string, name = 'forceCheckAnonymous') => {
    const { promise, resolve } = Promise.withResolvers<string>()
    page.on('request', (request) => {
      const [, requestId] = /\/snapshot\/([^?]+)/.exec(request.url()) ?? []
      if (requestId) resolve(requestId)
    })
    await page.evaluate(`setTimeout(() => { ${libraries}
      import('${site.scriptWithFollowUp}').then((agent) => agent.${name}()) })`)
    const requestId = await promise
    const { bytes } = await site.arrived(requestId)
    const text = createBodyDecoder(site.privateKey).decode(bytes, requestId)
    return { requestId, text, body: IngestBody.parse(JSON.parse(text)), late: await site.followUp(requestId) }
  }

  test('sends what it sends without them', async () => {
    const { page, complaints } = await visit()
    const plain = await check(page, '')
    await page.reload()
    const changed = await check(page, OLD_LIBRARIES)

    expect(comparable(changed.body.readings)).toEqual(comparable(plain.body.readings))
    expect(comparable(changed.late.readings)).toEqual(comparable(plain.late.readings))
    expect({ ...changed.late, readings: {} }).toEqual({ ...plain.late, readings: {} })
    const { landing, user_hid, join, proof } = changed.body
    expect({ landing, user_hid, join, curves: proof?.curves }).toEqual({
      landing: plain.body.landing,
      user_hid: plain.body.user_hid,
      join: plain.body.join,
      curves: plain.body.proof?.curves,
    })
    const [before] = changed.text.split(/,"proof":(?=\{[^{}]*\}\}$)/)
    expect(proof?.digest).toBe(digestOf(`${changed.requestId} ${TICKET} ${before}`))
    expect(complaints).toEqual([])
  })

  test('keeps the five minutes and the time at which the identifier ends', async () => {
    const { page, call } = await visit()
    const { requestId } = await check(page, OLD_LIBRARIES, 'checkAnonymous')
    expect(await site.body(requestId)).toHaveProperty('landing')
    await page.reload()
    expect((await call('checkAnonymous')).status).toBe('not_initialized')
    expect(await page.evaluate('Number(localStorage.inkling_id.split(" ")[1]) > Date.now()')).toBe(true)
  })
})
