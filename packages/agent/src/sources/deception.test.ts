import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ReadingName, ReadingValues } from '@inkling/contract'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { describeBrowsers, FIREFOX_PRIVATE } from '../../../../test/browsers.ts'
import { type ObservedSite, observe, oneWindow, startObservedSite } from '../../test/observed-site.ts'

/** Of the server's `console-reader.ts`. */
const DEBUGGER_SHARE_MIN = 0.1
const RECORDED_SHARE_MIN = 2

let site: ObservedSite
beforeAll(async () => {
  site = await startObservedSite()
})
afterAll(() => site.close())

async function readingValue<Name extends ReadingName>(page: Page, name: Name): Promise<ReadingValues[Name]> {
  const reading = (await observe(page)).readings[name]
  if (!reading || 'error' in reading) throw new Error(`${name}: ${JSON.stringify(reading)}`)
  return reading.value
}

describeBrowsers('sources in a browser that pretends', (browser) => {
  let open: Awaited<ReturnType<typeof oneWindow>>
  beforeAll(async () => {
    open = await oneWindow(browser.running(), site)
  })

  describe('built-in functions', () => {
    test('of an ordinary browser are its own', async () => {
      const { readings } = await observe(await open())
      expect(readings).toMatchObject({ tampering: { value: [] }, iframe: { value: { disguised: [] } } })
    })

    test('that lie about themselves in every frame are seen by another realm', async () => {
      const { readings } = await observe(
        await open(
          `{ const own = Object.getOwnPropertyDescriptor(Navigator.prototype, 'platform')
             const { toString } = Function.prototype
             const lie = { get platform() { return own.get.call(this) && 'PDP-11' } }
             const { get } = Object.getOwnPropertyDescriptor(lie, 'platform')
             Object.defineProperty(Navigator.prototype, 'platform', { ...own, get })
             const replaced = new Map([[get, own.get]])
             const text = { toString() { return toString.call(replaced.get(this) ?? this) } }.toString
             replaced.set(text, toString)
             Function.prototype.toString = text }`,
        ),
      )
      expect(readings).toMatchObject({
        platform: { value: 'PDP-11' },
        tampering: { value: [] },
        iframe: { value: { platform: 'PDP-11', disguised: ['Navigator.platform:frame'] } },
      })
    })

    test('whose text a library replaces in the open are no disguise', async () => {
      const { readings } = await observe(
        await open(
          `{ const { toString } = Function.prototype
             Function.prototype.toString = function () { return toString.call(this.original ?? this) }
             Function.prototype.toString.original = toString }`,
        ),
      )
      expect(readings.iframe).toMatchObject({ value: { disguised: [] } })
    })

    test.each([
      [
        'Navigator.platform:text',
        `Object.defineProperty(Navigator.prototype, 'platform', { get: () => 'Win32' })`,
      ],
      [
        'Navigator.hardwareConcurrency:proxy',
        `{ const own = Object.getOwnPropertyDescriptor(Navigator.prototype, 'hardwareConcurrency')
           const get = new Proxy(own.get, { apply: () => 64 })
           Object.defineProperty(Navigator.prototype, 'hardwareConcurrency', { ...own, get })
           const text = Function.prototype.toString
           Function.prototype.toString = new Proxy(text, { apply: (target, on, list) =>
             Reflect.apply(target, on === get ? own.get : on, list) }) }`,
      ],
      ['navigator.webdriver:own', `Object.defineProperty(navigator, 'webdriver', { get: () => false })`],
      ['Navigator.webdriver:missing', 'delete Navigator.prototype.webdriver'],
      [
        'Navigator.language:this',
        `{ const own = Object.getOwnPropertyDescriptor(Navigator.prototype, 'language')
           const { toString } = Function.prototype
           const get = { get language() { return 'de' } }
           const lie = Object.getOwnPropertyDescriptor(get, 'language').get
           Object.defineProperty(Navigator.prototype, 'language', { ...own, get: lie })
           Function.prototype.toString = { toString() { return toString.call(this === lie ? own.get : this) } }.toString }`,
      ],
      [
        'HTMLCanvasElement.getContext:text',
        `{ const { getContext } = HTMLCanvasElement.prototype
           HTMLCanvasElement.prototype.getContext = function (...list) { return getContext.apply(this, list) } }`,
      ],
    ])('that were replaced show: %s', async (sign, before) => {
      expect(await readingValue(await open(before), 'tampering')).toContain(sign)
    })

    test('are unchanged by the check', async () => {
      const page = await open()
      const keys = `Object.entries(Object.getOwnPropertyDescriptors(Navigator.prototype)).map(
        ([name, { get, value }]) => [name, Object.getPrototypeOf(get ?? value ?? {}) === Function.prototype])`
      const before = await page.evaluate(keys)
      await observe(page)
      expect(await page.evaluate(keys)).toEqual(before)
      expect(await page.evaluate('Object.getOwnPropertyNames(Error)')).not.toContain('prepareStackTrace')
    })
  })

  test('a frame and a worker show what the page was made to hide', async () => {
    const page = await open()
    const platform = await page.evaluate('navigator.platform')
    await page.evaluate(`Object.defineProperty(navigator, 'platform', { get: () => 'PDP-11' })`)
    const { readings } = await observe(page)
    expect(readings).toMatchObject({
      platform: { value: 'PDP-11' },
      iframe: { value: { platform, webdriver: true } },
      worker: { value: { platform } },
    })
  })

  test('removed interfaces are named', async () => {
    const page = await open('delete window.RTCPeerConnection; delete window.WebSocket')
    expect(await readingValue(page, 'missing_apis')).toEqual(['WebRTC', 'WebSocket'])
  })

  test('input is reported as times and counts, without what was typed', async () => {
    const page = await open('', '/form')
    await observe(page)
    await page.mouse.move(300, 200, { steps: 5 })
    await page.mouse.down()
    await page.mouse.up()
    await page.click('#join')
    await page.focus('#name')
    await page.keyboard.type('secret')
    await page.evaluate(`document.querySelector('#join').click()`)
    const input = await readingValue(page, 'input')
    expect(input).toMatchObject({ clicks: 2, centred: 1, keys: 5, moves_before_click: expect.any(Number) })
    expect(input.moves).toBeGreaterThan(input.moves_before_click ?? Number.NaN)
    expect(input.hold_ms).toBeGreaterThanOrEqual(0)
    expect(JSON.stringify(input)).not.toContain('secret')
  })

  test('a window that writes nothing to the disk differs from one that does', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'inkling-profile-'))
    const persistent = await browser.launchPersistent(folder)
    const page = await persistent.newPage()
    await page.goto(site.origin)
    const ordinary = await readingValue(page, 'private_mode')
    await persistent.close()
    await rm(folder, { recursive: true })

    const incognito = await browser.launch(browser.name === 'firefox' ? FIREFOX_PRIVATE : {})
    onTestFinished(() => incognito.close())
    const privatePage = await incognito.newPage()
    await privatePage.goto(site.origin)
    const inPrivate = await readingValue(privatePage, 'private_mode')

    expect(ordinary.files).toBe('ok')
    if (browser.name === 'firefox')
      return expect(inPrivate).toEqual({ files: 'SecurityError', write_ms: null, flush_ratio: null })
    expect(inPrivate.flush_ratio).toBeLessThan(ordinary.flush_ratio ?? Number.NaN)
  })

  // Firefox has no such sign.
  if (browser.name !== 'chromium') return

  /** A window for a debugger, which stays in it. */
  const openDebugged = async () => (await oneWindow(browser.running(), site))()

  test('a program that reads the console is noticed', async () => {
    const page = await open()
    // Playwright does.
    const shares = { handler_share: expect.any(Number), timer_share: expect.any(Number) }
    for (const reader of ['inspector', 'worker_inspector'] as const) {
      const driven = await readingValue(page, reader)
      expect(driven).toEqual({ attached: true, ...shares })
      expect(driven.handler_share).toBeLessThan(DEBUGGER_SHARE_MIN)
      expect(driven.timer_share).toBeLessThan(RECORDED_SHARE_MIN)
    }
    await page.evaluate(`{ const { groupEnd } = console; console.groupEnd = (...list) => groupEnd(...list) }`)
    expect((await observe(page)).readings.inspector).toEqual({ error: 'unsupported' })
  })

  test('a debugger that records asynchronous stacks, as DevTools do, is told from a driver', async () => {
    const page = await openDebugged()
    const session = await page.context().newCDPSession(page)
    await session.send('Debugger.enable')
    await session.send('Debugger.setAsyncCallStackDepth', { maxDepth: 32 })
    const { handler_share } = await readingValue(page, 'inspector')
    expect(handler_share).toBeGreaterThan(DEBUGGER_SHARE_MIN)
  })

  test('a recording of performance, during which DevTools do not debug, is told from a driver', async () => {
    const page = await openDebugged()
    const session = await page.context().newCDPSession(page)
    await session.send('Tracing.start', {
      traceConfig: {
        includedCategories: ['devtools.timeline', 'disabled-by-default-devtools.timeline.stack'],
      },
    })
    const { timer_share } = await readingValue(page, 'inspector')
    expect(timer_share).toBeGreaterThan(RECORDED_SHARE_MIN)
  })
})
