import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { TEST_SAMPLE } from '@inkling/contract'
import { jsonSchemas, type OpenApiOptions, openApi } from '@inkling/contract/openapi'
import Fastify from 'fastify'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { describeBrowsers } from '../../../../../test/browsers.ts'
import { packReference } from '../../../build/pack-reference.ts'
import { referenceRoutes } from './reference-routes.ts'

const DEPLOYMENT: OpenApiOptions = {
  version: '1.2.3',
  serviceName: 'Acme',
  urls: {
    history: 'https://history.example.net',
    management: 'https://management.example.net',
    ingest: 'https://ingest.example.net',
    agent: 'https://agent.example.net',
  },
}
const DOCUMENT = openApi(DEPLOYMENT)
const REDOC_FILE = join(import.meta.dirname, '../../../data/redoc.js.gz')

const app = Fastify()
let url = ''
beforeAll(async () => {
  if (!existsSync(REDOC_FILE)) await packReference(REDOC_FILE)
  await app.register(referenceRoutes(DEPLOYMENT))
  url = await app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => app.close())

const all = (pattern: RegExp, text: string): string[] =>
  [...text.matchAll(pattern)].map(([, found]) => found ?? '')

describe('routes', () => {
  test('/openapi.json is the document of this deployment, readable from any page', async () => {
    const { statusCode, headers, body } = await app.inject('/openapi.json')
    expect(statusCode).toBe(200)
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
    expect(headers['access-control-allow-origin']).toBe('*')
    expect(JSON.parse(body)).toEqual(JSON.parse(JSON.stringify(DOCUMENT)))
    expect(body).not.toContain('X-Svc')
  })

  test.each(Object.entries(jsonSchemas()))('/schemas/%s.json', async (name, schema) => {
    const { statusCode, headers, body } = await app.inject(`/schemas/${name}.json`)
    expect(statusCode).toBe(200)
    expect(headers['content-type']).toBe('application/schema+json; charset=utf-8')
    expect(JSON.parse(body)).toEqual(schema)
  })

  test('no other schema, and no file beside the code', async () => {
    for (const path of ['/schemas/none.json', '/docs/reference-routes.ts', '/docs/..%2freference-routes.ts'])
      expect((await app.inject(path)).statusCode).toBe(404)
  })

  test('/docs may run its own scripts and load nothing from elsewhere', async () => {
    const { statusCode, headers, body } = await app.inject('/docs')
    expect(statusCode).toBe(200)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    const policy = String(headers['content-security-policy'])
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self' 'nonce-[\w+/=]+';/)
    expect(policy).not.toContain('unsafe')
    expect(policy).not.toContain('http')
    expect(body).not.toMatch(/<script>|<style|<iframe|\son\w+="|\sstyle="|javascript:/i)
    for (const link of all(/(?:src|href)="([^"#][^"]*)"/g, body)) expect(link).toMatch(/^[\w/.-]+$/)
  })

  test('each answer has a nonce of its own', async () => {
    const nonceOf = async () => all(/nonce="([^"]+)"/g, (await app.inject('/docs')).body)
    const [[first], [second]] = [await nonceOf(), await nonceOf()]
    expect(first).toBeTruthy()
    expect(first).not.toBe(second)
  })

  test('everything the page links to is served', async () => {
    const { body } = await app.inject('/docs')
    const links = new Set(all(/(?:src|href)="([^"#][^"]*)"/g, body))
    expect(links.size).toBe(4)
    for (const link of links) expect((await app.inject(`/${link}`)).statusCode, link).toBe(200)
  })

  test('Redoc comes compressed where the browser takes that, and names no other host for its logo', async () => {
    const packed = await app.inject({ url: '/docs/redoc.js', headers: { 'accept-encoding': 'gzip, br' } })
    const plain = await app.inject('/docs/redoc.js')
    expect(packed.headers['content-encoding']).toBe('gzip')
    expect(packed.rawPayload.length).toBeLessThan(700_000)
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(gunzipSync(packed.rawPayload).equals(plain.rawPayload)).toBe(true)
    expect(plain.body).not.toContain('cdn.redoc.ly')
    expect(plain.body).toContain('docs/redoc.svg')
  })

  test('the stylesheet loads nothing', async () => {
    const { headers, body } = await app.inject('/docs/reference.css')
    expect(headers['content-type']).toBe('text/css; charset=utf-8')
    expect(body).not.toMatch(/url\(|@import/)
  })
})

describeBrowsers('the page', (browser) => {
  /** Opens it, and collects whatever a reader would find wrong. */
  async function openPage(colorScheme: 'light' | 'dark'): Promise<{ page: Page; wrong: string[] }> {
    const context = await browser.running().newContext({ colorScheme })
    onTestFinished(() => context.close())
    const page = await context.newPage()
    const wrong: string[] = []
    // Redoc's search tries, at some time, whether it may make a function of a text. Firefox says that it may not.
    const note = (text: string) => {
      if (!/blocked a JavaScript eval/.test(text)) wrong.push(text)
    }
    page.on('console', (message) => {
      if (message.type() === 'error') note(message.text())
    })
    page.on('pageerror', (error) => note(error.message))
    page.on('request', (request) => {
      if (!/^data:|^http:\/\/127\.0\.0\.1:/.test(request.url())) wrong.push(`asks for ${request.url()}`)
    })
    await page.goto(`${url}/docs`)
    await page.getByRole('heading', { name: DOCUMENT.info.title }).first().waitFor()
    return { page, wrong }
  }

  // The colour scheme of Firefox cannot be set here.
  const schemes = browser.name === 'chromium' ? (['light', 'dark'] as const) : (['light'] as const)
  test.each(schemes)('is drawn from the document, %s', async (colorScheme) => {
    const { page, wrong } = await openPage(colorScheme)
    await page
      .getByText(DOCUMENT.info.summary ?? '')
      .first()
      .waitFor()
    if (browser.name === 'chromium')
      await expect
        .poll(() => page.evaluate(`document.documentElement.classList.contains('dark')`))
        .toBe(colorScheme === 'dark')
    expect(wrong).toEqual([])
  })

  // One browser will do: this asks whether Redoc can read the document.
  if (browser.name === 'chromium')
    test('shows every operation and event', { timeout: 300_000 }, async () => {
      const { page, wrong } = await openPage('light')
      for (const { name } of DOCUMENT.tags) {
        const anchor = anchorOf(name)
        const operations = OPERATIONS.filter(({ tags }) => tags.includes(name))
        await page.locator(`a[href="#/${anchor}"]`).first().click()
        if (operations.length > 0) await page.locator(sectionsOf(anchor)).first().waitFor()
        // The title of a webhook says so at its end.
        const titles = operations.map(({ summary = '' }) => expect.stringContaining(summary))
        // Drawing all of them is one call, which a busy machine takes a minute for.
        await expect
          .poll(() => page.evaluate(drawnTitles(sectionsOf(anchor))), { timeout: 200_000 })
          .toEqual(titles)
        for (const { operationId } of operations)
          await expect
            .poll(() => page.locator(`a[href="#/${anchor}/${operationId.toLowerCase()}"]`).count())
            .not.toBe(0)
        expect(await page.content()).not.toContain('X-Svc')
      }
      expect(wrong).toEqual([])
    })
})

/** What Redoc draws of a tag's operations. */
const sectionsOf = (anchor: string): string => `[data-section-id^="/${anchor}/"]`

/** The titles of sections. Redoc draws a section when it is scrolled to. */
const drawnTitles = (sections: string): string => `(async () => {
  const titles = []
  for (let index = 0; index < document.querySelectorAll('${sections}').length; index++) {
    const section = () => document.querySelectorAll('${sections}')[index]
    while (!section().querySelector('h1, h2, h3')) {
      section().scrollIntoView()
      await new Promise(requestAnimationFrame)
    }
    titles.push(section().querySelector('h1, h2, h3').textContent)
  }
  return titles
})()`

const OPERATIONS = [...Object.values(DOCUMENT.paths), ...Object.values(DOCUMENT.webhooks)].flatMap((item) =>
  Object.values(item),
)

/** The fragment that Redoc makes of a tag. */
const anchorOf = (tag: string): string => tag.toLowerCase().replaceAll(' ', '-')

test('the documented Test delivery is the one that is sent', () => {
  const body = DOCUMENT.webhooks['identification.scored']?.post?.requestBody?.content['application/json']
  expect(JSON.stringify(body?.examples?.testDelivery)).toBe(
    JSON.stringify({ summary: 'The sample of the Test button', value: TEST_SAMPLE }),
  )
})
