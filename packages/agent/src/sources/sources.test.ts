import { readFile } from 'node:fs/promises'
import { READINGS, type ReadingName } from '@inkling/contract'
import type { ConsoleMessage, Frame } from 'playwright-core'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { describeBrowsers } from '../../../../test/browsers.ts'
import { listSources } from '../../list-sources.ts'
import type { Observed } from '../../test/observed-page.ts'
import { type ObservedSite, observe, oneWindow, startObservedSite } from '../../test/observed-site.ts'

const NAMES = Object.keys(READINGS).sort() as ReadingName[]

/** What a browser does not have. Every other source has to answer. */
const ABSENT: Record<string, readonly ReadingName[]> = {
  chromium: [],
  firefox: ['client_hints', 'connection', 'inspector', 'keyboard', 'worker_inspector'],
}
/** Firefox without a display has WebGL only where a GPU driver works without one. */
const SOMETIMES_ABSENT: Record<string, readonly ReadingName[]> = { chromium: [], firefox: ['webgl'] }

/** The same on every visit of the same browser. */
const LASTING: readonly ReadingName[] = [
  'platform',
  'vendor',
  'hardware',
  'raster',
  'waveform',
  'webgl',
  'typefaces',
  'rounding',
  'plugins',
  'engine',
]

let site: ObservedSite
beforeAll(async () => {
  site = await startObservedSite()
  return () => site.close()
})

/** The inspector source ends a console group, which is an event, but prints nothing. */
const shown = (message: ConsoleMessage): string[] => (message.type() === 'endGroup' ? [] : [message.text()])

const answered = ({ readings }: Observed): ReadingName[] =>
  NAMES.filter((name) => {
    const reading = readings[name]
    return reading !== undefined && 'value' in reading
  })

const lasting = ({ readings }: Observed) => Object.fromEntries(LASTING.map((name) => [name, readings[name]]))

test('the list of sources is that of the folder and the contract: run `npm run docs`', async () => {
  expect(await readFile(new URL('index.ts', import.meta.url), 'utf8')).toBe(await listSources())
})

describeBrowsers('sources', (browser) => {
  const { name: browserName } = browser
  const expected = NAMES.filter((name) => !ABSENT[browserName]?.includes(name))
  const sometimesAbsent = (name: ReadingName) => SOMETIMES_ABSENT[browserName]?.includes(name) ?? false

  let open: Awaited<ReturnType<typeof oneWindow>>
  beforeAll(async () => {
    open = await oneWindow(browser.running(), site)
  })

  test('return values of the shape in the contract', async () => {
    const observed = await observe(await open())
    for (const name of answered(observed))
      expect(() => READINGS[name].parse(valueIn(observed, name)), name).not.toThrow()

    expect(answered(observed).filter((name) => !sometimesAbsent(name))).toEqual(
      expected.filter((name) => !sometimesAbsent(name)),
    )
    const missing = NAMES.filter((name) => !answered(observed).includes(name))
    for (const name of missing) expect(observed.readings[name], name).toEqual({ error: 'unsupported' })

    process.stdout.write(
      `${browserName}: ${answered(observed).length} of ${NAMES.length} readings in ` +
        `${Math.round(observed.durationMs)} ms, longest block ${Math.round(observed.longestBlockMs)} ms\n`,
    )
  })

  test('answer the same after a reload, in another context and at another scale', async () => {
    const page = await open()
    const first = await observe(page)
    await page.reload()
    expect(lasting(await observe(page))).toEqual(lasting(first))

    const context = await browser.running().newContext({
      deviceScaleFactor: 2,
      viewport: { width: 900, height: 700 },
    })
    onTestFinished(() => context.close())
    const scaled = await context.newPage()
    await scaled.goto(site.origin)
    expect(lasting(await observe(scaled))).toEqual(lasting(first))
    expect(first.readings).toMatchObject({
      raster: { value: { stable: true } },
      waveform: { value: { stable: true } },
    })
  })

  test('leave nothing in the page, print nothing, prompt for nothing and request nothing', async () => {
    // Its icon was asked for by the first test: browsers do that once.
    const page = await open()
    const noticed: string[] = []
    page.on('console', (message) => noticed.push(...shown(message)))
    page.on('pageerror', (error) => noticed.push(error.message))
    page.on('dialog', (dialog) => noticed.push(dialog.message()))
    onTestFinished(() => void page.removeAllListeners('dialog'))
    await page.goto(site.origin)
    site.asked.length = 0

    const { before, after } = await observe(page)

    expect(after).toEqual(before)
    expect(noticed).toEqual([])
    expect(site.asked).toEqual([])
  })

  test('lose only the readings of a worker under a strict Content-Security-Policy', async () => {
    const ordinary = await observe(await open())
    const strict = await observe(await open('', '/strict'))
    expect(strict.readings.worker).toEqual({ error: 'unsupported' })
    const ofThreads = ['worker', 'worker_inspector']
    expect(answered(strict)).toEqual(answered(ordinary).filter((name) => !ofThreads.includes(name)))
    expect(lasting(strict)).toEqual(lasting(ordinary))
  })

  test('agree between the page and its worker', async () => {
    const observed = await observe(await open())
    const { readings } = observed
    const webgl = readings.webgl && 'value' in readings.webgl ? readings.webgl.value : undefined
    expect(readings).toMatchObject({
      worker: {
        value: {
          user_agent: valueIn(observed, 'user_agent'),
          platform: valueIn(observed, 'platform'),
          webgl_renderer: webgl?.unmasked_renderer ?? null,
        },
      },
    })
  })

  test('say whether a page is framed, and by which origin', async () => {
    const page = await open('', '/framing')
    const [own, other] = page.frames().slice(1)
    if (!own || !other) throw new Error('no frames')
    await Promise.all([own.waitForLoadState('load'), other.waitForLoadState('load')])
    const framed = async (frame: Frame) => valueIn(await observe(frame), 'frame')
    expect(await framed(own)).toEqual({ nested: true, cross_origin: false })
    expect(await framed(other)).toEqual({ nested: true, cross_origin: true })
  })

  test('notice noise that repeats at every reading', async () => {
    const page = await open(`
        const image = CanvasRenderingContext2D.prototype.getImageData
        CanvasRenderingContext2D.prototype.getImageData = function (...area) {
          const read = image.apply(this, area)
          for (let index = 0; index < read.data.length; index += 401) read.data[index] ^= 1
          return read
        }
        const channel = AudioBuffer.prototype.getChannelData
        AudioBuffer.prototype.getChannelData = function (number) {
          return channel.call(this, number).map((sample) => sample * 1.0001)
        }`)
    expect((await observe(page)).readings).toMatchObject({
      raster: { value: { stable: false } },
      waveform: { value: { stable: false } },
    })
  })

  test('look for the fonts of a system only where one of its common fonts is installed', async () => {
    const installing = (...fonts: string[]) => `{
      const fonts = ${JSON.stringify(fonts)}
      CanvasRenderingContext2D.prototype.measureText = function () {
        return { width: fonts.some((font) => this.font.includes(font)) ? 1 : 2 }
      }
    }`
    const fontsOf = async (...fonts: string[]) =>
      valueIn(await observe(await open(installing(...fonts))), 'typefaces')
    expect(await fontsOf('Lato', 'Ink Free', 'Skia')).toEqual(['Lato'])
    expect(await fontsOf('Lato', 'Ink Free', 'Skia', 'Corbel')).toEqual(['Corbel', 'Ink Free', 'Lato'])
    expect(await fontsOf('Skia', 'Menlo')).toEqual(['Menlo', 'Skia'])
  })

  test('name what automation tools leave behind, and nothing that a page may define itself', async () => {
    const page = await open(`
        window.cdc_adoQpoasnfa76pfcZLmcfl_Array = Array
        Object.defineProperty(document, '__webdriver_script_fn', { value: 1 })
        addEventListener('DOMContentLoaded', () => document.documentElement.setAttribute('webdriver', 'true'))
        window.phantom = window.emit = window.spawn = window.driver = window.process = {}
        window.cdc_ajax_object = {}`)
    const { automation } = (await observe(page)).readings
    expect(automation).toMatchObject({ value: { webdriver: true } })
    const markers = automation && 'value' in automation ? automation.value.markers : []
    // Playwright defines names in some browsers.
    expect(markers.filter((name) => !name.startsWith('__pw') && !name.startsWith('__playwright'))).toEqual([
      'cdc_adoQpoasnfa76pfcZLmcfl_Array',
      'document.__webdriver_script_fn',
      'html[webdriver]',
    ])
  })

  test('fail one by one where a page breaks what they read', async () => {
    const page = await open(`
        Object.defineProperty(navigator, 'languages', { get() { throw new Error('broken') } })
        Object.defineProperty(navigator, 'platform', { value: undefined })
        Object.defineProperty(window, 'matchMedia', { value: undefined })`)
    const broken = await observe(page)
    expect(broken.readings).toMatchObject({
      languages: { error: 'failed' },
      platform: { error: 'failed' },
      preferences: { error: 'unsupported' },
    })
    expect(answered(broken).filter((name) => !sometimesAbsent(name))).toEqual(
      // The script runs in the empty frame as well.
      expected.filter(
        (name) =>
          !sometimesAbsent(name) && !['languages', 'platform', 'preferences', 'iframe'].includes(name),
      ),
    )
  })
})

function valueIn({ readings }: Observed, name: ReadingName): unknown {
  const reading = readings[name]
  return reading && 'value' in reading ? reading.value : undefined
}
