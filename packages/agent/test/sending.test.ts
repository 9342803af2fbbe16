import { createDecipheriv, createECDH, hkdfSync } from 'node:crypto'
import { digestOf, IngestBody } from '@inkling/contract'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeBrowsers } from '../../../test/browsers.ts'
import { createBodyDecoder } from '../../server/src/ingest/ingest-body.ts'
import packageFile from '../package.json' with { type: 'json' }
import { SOURCES } from '../src/sources/index.ts'
import { type AgentSite, type Post, PUBLIC_KEY, startAgentSite, TICKET } from './agent-site.ts'
import { type Answer, openTab } from './agent-tab.ts'
import { visitorsOf } from './visitors.ts'

/** Opens a body by the published layout alone, sharing no code with the server's decoder. */
function decipher(body: Buffer, privateKey: Buffer, requestId: string): string {
  const server = createECDH('prime256v1')
  server.setPrivateKey(privateKey)
  const point = body.subarray(1, 66)
  const key = hkdfSync('sha256', server.computeSecret(point), point, 'inkling ingest v1', 32)
  const cipher = createDecipheriv('aes-256-gcm', Buffer.from(key), body.subarray(66, 78))
  cipher.setAAD(Buffer.from(requestId))
  cipher.setAuthTag(body.subarray(-16))
  return Buffer.concat([cipher.update(body.subarray(78, -16)), cipher.final()]).toString()
}

/** A source that never answers, so collecting lasts until its time limit. */
const SLOW_SOURCE = 'navigator.permissions.query = () => new Promise(() => {})'

/** Retries without waiting, so that a check made afterwards ends after the last retry. */
const NO_BACKOFF = `{
  const { setTimeout } = window
  window.setTimeout = (act, ms, ...rest) => setTimeout(act, [500, 2000].includes(ms) ? 0 : ms, ...rest)
}`

/** Starts a forced check and then, in a later task, does something to the page. */
const checkThen = (page: Page, script: string, action: string): Promise<Answer> =>
  page.evaluate(`import('${script}').then((agent) => new Promise((resolve) =>
    agent.forceCheckAnonymous({ onInitialized: (answer) =>
      setTimeout(() => { resolve(answer); ${action} }) })))`)

const HIDE = `Object.defineProperty(document, 'visibilityState', { configurable: true, value: 'hidden' })
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  dispatchEvent(new PageTransitionEvent('pagehide'))
  delete document.visibilityState`

describeBrowsers('sending', (browser) => {
  let site: AgentSite
  beforeAll(async () => {
    site = await startAgentSite()
  })
  afterAll(() => site.close())
  const visitor = visitorsOf(browser, () => site)
  const postsOf = (requestId: string): Post[] => site.posts.filter((post) => post.requestId === requestId)

  test('a body matches the contract and has a reading of every early source', async () => {
    const context = await visitor()
    const { call } = await openTab(context, site, { url: `${site.page}/a?b=c#d` })
    const { requestID = '' } = await call('checkAuthenticatedUser', 'u1')
    const body = await site.body(requestID)
    expect(IngestBody.safeParse(body).error).toBeUndefined()
    expect(body).toMatchObject({
      version: 1,
      agent_version: packageFile.version,
      user_hid: 'u1',
      landing: { url: `${site.page}/a?b=c`, referrer: '' },
      duration_ms: expect.any(Number),
    })
    expect(Object.keys(body.readings ?? {}).sort()).toEqual(Object.keys(SOURCES).sort())
    expect(body.request_id).toBe(requestID)
    expect(site.tickets).toContain(requestID)
  })

  test('a body is encrypted for its request ID, as documented and as the server decrypts it', async () => {
    const context = await visitor()
    const { call } = await openTab(context, site)
    const { requestID = '' } = await call('forceCheckAnonymous')
    const { bytes } = await site.arrived(requestID)
    const decoder = createBodyDecoder(site.privateKey)
    const text = decipher(bytes, site.privateKey, requestID)
    expect(JSON.parse(text)).toMatchObject({ user_hid: 'anonymous' })
    expect(decoder.decode(bytes, requestID)).toBe(text)
    const anotherId = crypto.randomUUID()
    expect(() => decipher(bytes, site.privateKey, anotherId)).toThrow()
    expect(() => decoder.decode(bytes, anotherId)).toThrow('body could not be decrypted')
  })

  test.each([TICKET, undefined])('a body ends with a digest of its text and ticket %s', async (ticket) => {
    const context = await visitor()
    site.ticket = ticket
    const { call } = await openTab(context, site)
    const { requestID = '' } = await call('forceCheckAnonymous')
    const text = createBodyDecoder(site.privateKey).decode((await site.arrived(requestID)).bytes, requestID)
    site.ticket = TICKET
    const [before = '', proof = ''] = text.split(/,"proof":(?=\{[^{}]*\}\}$)/)
    expect(JSON.parse(proof.slice(0, -1))).toEqual({
      ticket: ticket ?? '',
      digest: digestOf(`${requestID} ${ticket ?? ''} ${before}`),
      key: expect.any(String),
      ...(ticket && { curves: [expect.any(Number), expect.any(Number)] }),
      signature: expect.any(String),
    })
  })

  test('no two encrypted bodies share their key or nonce', async () => {
    const context = await visitor()
    const { call } = await openTab(context, site)
    const heads = await Promise.all(
      ['forceCheckAnonymous', 'forceCheckAnonymous'].map(async (name) => {
        const { requestID = '' } = await call(name)
        return (await site.arrived(requestID)).bytes
      }),
    )
    const [one, two] = heads
    expect(one?.subarray(1, 66)).not.toEqual(two?.subarray(1, 66))
    expect(one?.subarray(66, 78)).not.toEqual(two?.subarray(66, 78))
  })

  test.each([
    ['the server gave no key', '&plain=1', ''],
    ['encrypting fails', '', 'crypto.subtle.deriveBits = () => Promise.reject(new Error())'],
  ])('a body is plain JSON when %s', async (_when, parameters, sabotage) => {
    const context = await visitor()
    const { page, call } = await openTab(context, site, { script: site.script + parameters })
    await page.evaluate(sabotage)
    const { requestID = '' } = await call('forceCheckAnonymous')
    const { bytes, headers } = await site.arrived(requestID)
    expect(IngestBody.parse(JSON.parse(bytes.toString())).user_hid).toBe('anonymous')
    expect(headers['content-type']).toMatch(/^text\/plain/)
  })

  test('a post names the key, carries no cookie and costs no preflight', async () => {
    const context = await visitor()
    await context.addCookies([{ name: 'of_service', value: '1', url: site.service }])
    const { call } = await openTab(context, site)
    const { requestID = '' } = await call('forceCheckAnonymous')
    const { publicKey, headers } = await site.arrived(requestID)
    expect(publicKey).toBe(PUBLIC_KEY)
    expect(headers.origin).toBe(site.page)
    expect(headers.cookie).toBeUndefined()
    expect(headers['content-type']).toBeUndefined()
    expect(site.methods).not.toContain('OPTIONS')
  })

  describe('a failed request', () => {
    test('is retried with the same body after a server error, three times in all', async () => {
      const context = await visitor()
      const { page, call, identify } = await openTab(context, site)
      await page.evaluate(NO_BACKOFF)
      const answers = [503, 500, 502]
      site.answer = ({ requestId }) => answers[postsOf(requestId).length - 1] ?? 200
      const { requestID = '' } = await call('forceCheckAnonymous')
      const first = await site.arrived(requestID, 3)
      site.answer = () => 200
      await identify()
      expect(postsOf(requestID).map(({ bytes }) => bytes.equals(first.bytes))).toEqual([true, true, true])
    })

    // Browsers themselves repeat some requests whose connection broke, so this one fails in the page.
    test('is retried after a network failure', async () => {
      const context = await visitor()
      const { page, call, identify } = await openTab(context, site)
      await page.evaluate(`${NO_BACKOFF}
        const { fetch } = window
        window.tries = []
        window.fetch = (...args) => {
          if (args[1].method !== 'POST') return fetch(...args)
          tries.push(args[0])
          return tries.length < 3 ? Promise.reject(new TypeError('Failed to fetch')) : fetch(...args)
        }`)
      const { requestID = '' } = await call('forceCheckAnonymous')
      await site.arrived(requestID)
      expect(await page.evaluate('new Set(tries).size')).toBe(1)
      await identify()
      expect(postsOf(requestID)).toHaveLength(1)
    })

    test('a refusal is final', async () => {
      const context = await visitor()
      const { page, call, identify } = await openTab(context, site)
      await page.evaluate(NO_BACKOFF)
      site.answer = () => 401
      const { requestID = '' } = await call('forceCheckAnonymous')
      await site.arrived(requestID)
      site.answer = () => 200
      await identify()
      expect(postsOf(requestID)).toHaveLength(1)
    })
  })

  describe('a page that is hidden before everything is collected', () => {
    test('sends what is known at once, as plain JSON and only once', async () => {
      const context = await visitor()
      const { page, complaints, identify } = await openTab(context, site)
      await page.evaluate(SLOW_SOURCE)
      const { requestID = '' } = await checkThen(page, site.script, HIDE)
      const { bytes } = await site.arrived(requestID)
      const body = JSON.parse(bytes.toString())
      expect(IngestBody.safeParse(body).error).toBeUndefined()
      expect(body.readings).not.toHaveProperty('permissions')
      expect(body.readings).toHaveProperty('user_agent')
      expect(body.proof.interrupted).toBe(true)
      // A later check takes as long, so the first one has ended too.
      expect((await identify()).readings).toHaveProperty('permissions')
      expect(postsOf(requestID)).toHaveLength(1)
      expect(complaints).toEqual([])
    })

    test('is identified when the visitor leaves it', async () => {
      const context = await visitor()
      const { page } = await openTab(context, site)
      await page.evaluate(SLOW_SOURCE)
      // Nothing is awaited in the page, because its answer could be lost.
      await page.evaluate(`void import('${site.script}').then((agent) =>
        agent.forceCheckAnonymous({ onInitialized: ({ requestID }) => {
          sessionStorage.left = requestID
          location.href = '/elsewhere'
        } }))`)
      await page.waitForURL('**/elsewhere')
      const requestId = await page.evaluate<string>('sessionStorage.left')
      await site.arrived(requestId)
      expect(postsOf(requestId)).toHaveLength(1)
    })
  })

  test('a page that is hidden after everything was sent sends nothing more', async () => {
    const context = await visitor()
    const { page, call, identify } = await openTab(context, site)
    const { requestID = '' } = await call('forceCheckAnonymous')
    await site.arrived(requestID)
    await page.evaluate(HIDE)
    await identify()
    expect(postsOf(requestID)).toHaveLength(1)
  })

  test('a check leaves nothing in the page and prints nothing', async () => {
    const context = await visitor()
    const { page, complaints, identify } = await openTab(context, site)
    const state = () =>
      // The driver defines names while it works.
      page.evaluate(`[document.documentElement.outerHTML,
        Object.getOwnPropertyNames(window).filter((name) => !name.startsWith('__pw')).sort()]`)
    const before = await state()
    await identify()
    expect(await state()).toEqual(before)
    expect(complaints).toEqual([])
  })
})
