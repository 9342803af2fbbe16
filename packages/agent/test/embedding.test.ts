import { createHash } from 'node:crypto'
import { READINGS } from '@inkling/contract'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { describeBrowsers } from '../../../test/browsers.ts'
import { type AgentSite, JOIN_KEY, startAgentSite } from './agent-site.ts'
import { callAgent, openTab } from './agent-tab.ts'

type Readings = Record<string, { value?: unknown; error?: string }>

/** Functions that prompt the visitor. */
const PROMPTING = [
  ['Notification', 'requestPermission'],
  ['navigator.mediaDevices', 'getUserMedia'],
  ['navigator.mediaDevices', 'getDisplayMedia'],
  ['navigator.geolocation', 'getCurrentPosition'],
  ['navigator.storage', 'persist'],
  ['navigator', 'requestMIDIAccess'],
  ['document', 'requestStorageAccess'],
  ['window', 'queryLocalFonts'],
  ['window', 'getScreenDetails'],
]
const RECORD_PROMPTS = `window.asked = []; ${PROMPTING.map(
  ([on, name]) =>
    `if (${on}?.${name}) ${on}.${name} = () => { asked.push('${name}'); return Promise.reject() };`,
).join('\n')}`

/** Readings may take twenty times as long, so that a busy machine changes none of them. Short and long waits stay. */
const PATIENT_CLOCK = `{
  const { setTimeout } = window
  window.setTimeout = (work, delay = 0, ...rest) =>
    setTimeout(work, delay >= 200 && delay <= 4000 ? delay * 20 : delay, ...rest)
};`

describeBrowsers('embedding', (browser) => {
  let site: AgentSite
  beforeAll(async () => {
    site = await startAgentSite()
  })
  afterAll(() => site.close())

  const open = async (path = '/', before = '') => {
    const context = await browser.running().newContext()
    onTestFinished(() => context.close())
    await context.addInitScript(PATIENT_CLOCK + before)
    return openTab(context, site, { url: site.page + path, script: site.scriptWithFollowUp })
  }
  /** All readings of one check, the late ones included. */
  const readAll = async (call: (name: string) => Promise<{ requestID?: string }>): Promise<Readings> => {
    const { requestID = '' } = await call('forceCheckAnonymous')
    const body = await site.body(requestID)
    expect(body).toMatchObject({ follow_up: true, join: JOIN_KEY })
    return { ...(body.readings as Readings), ...((await site.followUp(requestID)).readings as Readings) }
  }

  test('a check prompts for nothing, shows nothing, and sends requests to the service alone', async () => {
    const { page, call, complaints } = await open('/', RECORD_PROMPTS)
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    page.on('websocket', (socket) => asked.push(socket.url()))
    const before = await picture(page)

    const readings = await readAll(call)

    expect(Object.keys(readings).sort()).toEqual(Object.keys(READINGS).sort())
    expect(await page.evaluate('asked')).toEqual([])
    expect(await picture(page)).toEqual(before)
    expect(complaints).toEqual([])
    // The worker is loaded from a blob of the page.
    const hosts = new Set(asked.filter((url) => !url.startsWith('blob:')).map((url) => new URL(url).host))
    expect([...hosts]).toEqual([new URL(site.service).host])
  })

  describe('under a strict Content-Security-Policy', () => {
    test('everything works with the directives that the docs name', async () => {
      const { call, complaints } = await open('/strict')
      const readings = await readAll(call)
      expect(readings.worker).toHaveProperty('value')
      expect(complaints).toEqual([])
    })

    test('only the worker is missing where it may not start', async () => {
      const { call } = await open('/strictest')
      const readings = await readAll(call)
      expect(readings.worker).toEqual({ error: 'unsupported' })
      expect(readings).toMatchObject({ raster: { value: {} }, iframe: { value: {} } })
    })
  })

  test('a page that pins the digest gets exactly those bytes, or nothing', async () => {
    const bytes = Buffer.from(await (await fetch(site.script)).arrayBuffer())
    const pinned = async (digest: string): Promise<boolean> => {
      const { page } = await open()
      const integrity = { [site.script]: `sha384-${digest}` }
      return page.evaluate(`{
        const map = document.createElement('script')
        map.type = 'importmap'
        map.textContent = ${JSON.stringify(JSON.stringify({ integrity }))}
        document.head.append(map)
        import('${site.script}').then(() => true, () => false)
      }`)
    }
    expect(await pinned(createHash('sha384').update(bytes).digest('base64'))).toBe(true)
    expect(await pinned(createHash('sha384').update('other').digest('base64'))).toBe(false)
  })

  test('in a frame of another site it works as on a page', async () => {
    const { page, complaints } = await open()
    await page.evaluate(`new Promise((resolve) => {
      const frame = document.createElement('iframe')
      frame.src = '${site.page.replace('localhost', '127.0.0.1')}/framed'
      frame.onload = resolve
      document.body.append(frame)
    })`)
    const frame = page.frames()[1]
    if (!frame) throw new Error('the page has no frame')
    const readings = await readAll((name) => callAgent(frame, site.scriptWithFollowUp, name))
    expect(readings.frame).toEqual({ value: { nested: true, cross_origin: true } })
    expect(complaints).toEqual([])
  })

  test.each([
    ['workers', 'worker', 'delete window.Worker'],
    [
      'workers that start',
      'worker',
      'window.Worker = class { constructor() { throw new Error("refused") } }',
    ],
    ['client hints', 'client_hints', 'delete Navigator.prototype.userAgentData'],
    ['files', 'private_mode', 'delete window.StorageManager?.prototype.getDirectory'],
  ])('a browser without %s lacks that reading and nothing else', async (_, missing, before) => {
    const { call, complaints } = await open('/', before)
    const readings = await readAll(call)
    expect(readings[missing]).toEqual({ error: 'unsupported' })
    expect(readings).toMatchObject({ raster: { value: {} }, waveform: { value: {} }, input: { value: {} } })
    expect(complaints).toEqual([])
  })
})

const picture = async (page: Page): Promise<string[]> => [
  await page.content(),
  (await page.screenshot()).toString('base64'),
]
