import { readdir, readFile } from 'node:fs/promises'
import { READINGS, type ReadingName } from '@inkling/contract'
import type { BrowserContext, ConsoleMessage, Frame, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { describeBrowsers } from '../../../../test/browsers.ts'
import { type ObservedSite, observe, startObservedSite } from '../../test/observed-site.ts'
import type { Observed } from '../collect/observed-page.ts'
import { SOURCES } from './index.ts'
import { LATE_SOURCES } from './late.ts'

const NAMES = Object.keys(READINGS).sort() as ReadingName[]

/** What a browser does not have. Everything else has to answer. */
const ABSENT: Record<string, readonly ReadingName[]> = {
  chromium: [],
  firefox: ['client_hints', 'connection', 'inspector'],
}
/** Firefox without a display has WebGL only where a GPU driver works without one. */
const PERHAPS_ABSENT: Record<string, readonly ReadingName[]> = { chromium: [], firefox: ['webgl'] }

/** What tells a machine again: the same on every visit of the same browser. */
const LASTING: readonly ReadingName[] = [
  'platform',
  'vendor',
  'hardware',
  'canvas',
  'audio',
  'webgl',
  'fonts',
  'math',
  'css',
  'plugins',
  'engine',
]

let site: ObservedSite
beforeAll(async () => {
  site = await startObservedSite()
  return () => site.close()
})

/** The end of a group, by which the inspector source looks, is an event and nothing that anybody sees. */
const shown = (message: ConsoleMessage): string[] => (message.type() === 'endGroup' ? [] : [message.text()])

const answered = ({ readings }: Observed): ReadingName[] =>
  NAMES.filter((name) => {
    const reading = readings[name]
    return reading !== undefined && 'value' in reading
  })

const lasting = ({ readings }: Observed) => Object.fromEntries(LASTING.map((name) => [name, readings[name]]))

describe('the tables of sources', () => {
  test('have a line for every reading of the contract, and no other', () => {
    const early = Object.keys(SOURCES)
    const late = Object.keys(LATE_SOURCES).filter((name) => !early.includes(name))
    expect([...early, ...late].sort()).toEqual(NAMES)
  })

  test('have a line for every file of the folder, named after what it exports', async () => {
    const tables = ['index.ts', 'late.ts']
    const files = (await readdir(import.meta.dirname)).filter(
      (name) => /^[a-z-]+\.ts$/.test(name) && !tables.includes(name),
    )
    const texts = await Promise.all(tables.map((name) => readFile(new URL(name, import.meta.url), 'utf8')))
    const imported = texts
      .join('\n')
      .matchAll(/^import \{ (\w+) \} from '\.\/([\w-]+\.ts)'$/gm)
      .map(([, name = '', file = '']) => ({ expected: `${kebab(name)}.ts`, file }))
      .toArray()
    expect(imported.map(({ file }) => file).sort()).toEqual(files.sort())
    expect(imported.filter(({ expected, file }) => expected !== file)).toEqual([])
    expect(files).toHaveLength(NAMES.length)
  })
})

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

describeBrowsers('sources', (browser) => {
  const { name: browserName } = browser
  const expected = NAMES.filter((name) => !ABSENT[browserName]?.includes(name))
  const perhaps = (name: ReadingName) => PERHAPS_ABSENT[browserName]?.includes(name) ?? false

  let shared: BrowserContext
  beforeAll(async () => {
    shared = await browser.running().newContext()
  })
  afterAll(() => shared?.close())

  const open = async (path = '/', { context = shared, before = '' } = {}): Promise<Page> => {
    const page = await context.newPage()
    onTestFinished(() => page.close())
    if (before) await page.addInitScript(before)
    await page.goto(site.origin + path)
    return page
  }

  test('answer with values of the shape that the contract names', async () => {
    const observed = await observe(await open())
    for (const name of answered(observed))
      expect(() => READINGS[name].parse(valueIn(observed, name)), name).not.toThrow()

    expect(answered(observed).filter((name) => !perhaps(name))).toEqual(
      expected.filter((name) => !perhaps(name)),
    )
    const missing = NAMES.filter((name) => !answered(observed).includes(name))
    for (const name of missing) expect(observed.readings[name], name).toEqual({ error: 'unsupported' })

    process.stdout.write(
      `${browserName}: ${answered(observed).length} of ${NAMES.length} readings in ` +
        `${Math.round(observed.durationMs)} ms, longest block ${Math.round(observed.longestBlockMs)} ms\n`,
    )
  })

  test('answer alike when the page is loaded again, in another context and at another scale', async () => {
    const page = await open()
    const first = await observe(page)
    await page.reload()
    expect(lasting(await observe(page))).toEqual(lasting(first))

    const context = await browser.running().newContext({
      deviceScaleFactor: 2,
      viewport: { width: 900, height: 700 },
    })
    onTestFinished(() => context.close())
    expect(lasting(await observe(await open('/', { context })))).toEqual(lasting(first))
    expect(first.readings).toMatchObject({
      canvas: { value: { stable: true } },
      audio: { value: { stable: true } },
    })
  })

  test('leave nothing in the page, say nothing and ask for nothing', async () => {
    const page = await shared.newPage()
    onTestFinished(() => page.close())
    const heard: string[] = []
    page.on('console', (message) => heard.push(...shown(message)))
    page.on('pageerror', (error) => heard.push(error.message))
    page.on('dialog', (dialog) => heard.push(dialog.message()))
    await page.goto(site.origin)
    site.asked.length = 0

    const { before, after } = await observe(page)

    expect(after).toEqual(before)
    expect(heard).toEqual([])
    expect(site.asked).toEqual([])
  })

  test('lose only the worker under a strict Content-Security-Policy', async () => {
    const ordinary = await observe(await open())
    const strict = await observe(await open('/strict'))
    expect(strict.readings.worker).toEqual({ error: 'unsupported' })
    expect(answered(strict)).toEqual(answered(ordinary).filter((name) => name !== 'worker'))
    expect(lasting(strict)).toEqual(lasting(ordinary))
  })

  test('tell the page and its worker alike', async () => {
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

  test('tell that a page is framed, and by whom', async () => {
    const page = await open('/framing')
    const [own, other] = page.frames().slice(1)
    if (!own || !other) throw new Error('no frames')
    await Promise.all([own.waitForLoadState('load'), other.waitForLoadState('load')])
    const framed = async (frame: Frame) => valueIn(await observe(frame), 'frame')
    expect(await framed(own)).toEqual({ nested: true, cross_origin: false })
    expect(await framed(other)).toEqual({ nested: true, cross_origin: true })
  })

  test('recognise noise that is the same at every reading', async () => {
    const page = await open('/', {
      before: `
        const image = CanvasRenderingContext2D.prototype.getImageData
        CanvasRenderingContext2D.prototype.getImageData = function (...area) {
          const read = image.apply(this, area)
          for (let index = 0; index < read.data.length; index += 401) read.data[index] ^= 1
          return read
        }
        const channel = AudioBuffer.prototype.getChannelData
        AudioBuffer.prototype.getChannelData = function (number) {
          return channel.call(this, number).map((sample) => sample * 1.0001)
        }`,
    })
    expect((await observe(page)).readings).toMatchObject({
      canvas: { value: { stable: false } },
      audio: { value: { stable: false } },
    })
  })

  test('look through the fonts of a system only where one of its common ones is there', async () => {
    const installing = (...fonts: string[]) => `{
      const fonts = ${JSON.stringify(fonts)}
      CanvasRenderingContext2D.prototype.measureText = function () {
        return { width: fonts.some((font) => this.font.includes(font)) ? 1 : 2 }
      }
    }`
    const fontsOf = async (...fonts: string[]) =>
      valueIn(await observe(await open('/', { before: installing(...fonts) })), 'fonts')
    expect(await fontsOf('Lato', 'Yu Gothic', 'Futura')).toEqual(['Lato'])
    expect(await fontsOf('Lato', 'Yu Gothic', 'Futura', 'Calibri')).toEqual(['Calibri', 'Lato', 'Yu Gothic'])
    expect(await fontsOf('Futura', 'Menlo')).toEqual(['Futura', 'Menlo'])
  })

  test('name what automation leaves behind, and nothing that a page may have of its own', async () => {
    const page = await open('/', {
      before: `
        window.cdc_adoQpoasnfa76pfcZLmcfl_Array = Array
        Object.defineProperty(document, '__webdriver_script_fn', { value: 1 })
        addEventListener('DOMContentLoaded', () => document.documentElement.setAttribute('webdriver', 'true'))
        window.phantom = window.emit = window.spawn = window.driver = window.process = {}`,
    })
    const { automation } = (await observe(page)).readings
    expect(automation).toMatchObject({ value: { webdriver: true } })
    const markers = automation && 'value' in automation ? automation.value.markers : []
    // Playwright adds names of its own in some browsers.
    expect(markers.filter((name) => !name.startsWith('__pw') && !name.startsWith('__playwright'))).toEqual([
      'cdc_adoQpoasnfa76pfcZLmcfl_Array',
      'document.__webdriver_script_fn',
      'html[webdriver]',
    ])
  })

  test('fail one by one where a page has broken what they read', async () => {
    const page = await open('/', {
      before: `
        Object.defineProperty(navigator, 'languages', { get() { throw new Error('broken') } })
        Object.defineProperty(navigator, 'platform', { value: undefined })
        Object.defineProperty(window, 'matchMedia', { value: undefined })`,
    })
    const broken = await observe(page)
    expect(broken.readings).toMatchObject({
      languages: { error: 'failed' },
      platform: { error: 'failed' },
      preferences: { error: 'unsupported' },
    })
    expect(answered(broken).filter((name) => !perhaps(name))).toEqual(
      // Such scripts run in empty frames as well.
      expected.filter(
        (name) => !perhaps(name) && !['languages', 'platform', 'preferences', 'iframe'].includes(name),
      ),
    )
  })
})

function valueIn({ readings }: Observed, name: ReadingName): unknown {
  const reading = readings[name]
  return reading && 'value' in reading ? reading.value : undefined
}
