import type { BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BrowserName, describeBrowsers } from '../../../test/browsers.ts'
import { type AgentSite, startAgentSite } from './agent-site.ts'
import { callAgent, openTab } from './agent-tab.ts'
import { visitorsOf } from './visitors.ts'

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** A host name of this machine that is not a secure context, unlike localhost and 127.0.0.1. */
const INSECURE_HOST = 'shop.test'
const INSECURE: Record<BrowserName, object> = {
  chromium: { args: [`--host-resolver-rules=MAP ${INSECURE_HOST} 127.0.0.1`] },
  firefox: { firefoxUserPrefs: { 'network.dns.localDomains': INSECURE_HOST } },
}

/** Waits until no tab of the origin holds a lock, because browsers end closed tabs with a delay. */
async function allTabsClosed(context: BrowserContext, site: AgentSite): Promise<void> {
  const probe = await context.newPage()
  await probe.goto(site.page)
  await probe.evaluate(`(async () => {
    while ((await navigator.locks.query()).held.length > 0) await new Promise(requestAnimationFrame)
  })()`)
  await probe.close()
}

describeBrowsers('visits', (browser) => {
  let site: AgentSite
  beforeAll(async () => {
    site = await startAgentSite()
  })
  afterAll(() => site.close())
  const visitor = visitorsOf(browser, () => site)

  describe('cookie_id', () => {
    test('is a first-party cookie of two years, and the same in localStorage', async () => {
      const context = await visitor()
      const { page, identify } = await openTab(context, site)
      const { cookie_id } = await identify()
      expect(cookie_id).toMatch(UUID_V4)
      const cookie = (await context.cookies(site.page)).find(({ name }) => name === 'inkling_id')
      expect(cookie).toMatchObject({ value: cookie_id, path: '/', sameSite: 'Lax', domain: 'localhost' })
      // Both browsers limit it to 400 days (https://datatracker.ietf.org/doc/draft-ietf-httpbis-rfc6265bis/).
      const days = ((cookie?.expires ?? 0) - Date.now() / 1_000) / 86_400
      expect(Math.round(days)).toBe(400)
      expect(await page.evaluate('localStorage.inkling_id.split(" ")[0]')).toBe(cookie_id)
    })

    test('asks for two years', async () => {
      const context = await visitor()
      const { page, identify } = await openTab(context, site)
      await page.evaluate(`{
        const { set } = Object.getOwnPropertyDescriptor(Document.prototype, 'cookie')
        Object.defineProperty(document, 'cookie', { get: () => '', set(text) { window.text = text } })
      }`)
      const { cookie_id } = await identify()
      expect(await page.evaluate('window.text')).toBe(
        `inkling_id=${cookie_id}; Max-Age=63072000; Path=/; SameSite=Lax`,
      )
    })

    test.each([
      ['localStorage', 'the cookie'],
      ['the cookie', 'localStorage'],
    ])('comes back from %s when %s was cleared', async (_kept, cleared) => {
      const context = await visitor()
      const { page, identify } = await openTab(context, site)
      const { cookie_id } = await identify()
      if (cleared === 'the cookie') await context.clearCookies()
      else await page.evaluate('localStorage.clear()')
      await page.reload()
      expect((await identify()).cookie_id).toBe(cookie_id)
      expect(await page.evaluate('localStorage.inkling_id')).toContain(cookie_id)
      expect((await context.cookies(site.page)).map(({ value }) => value)).toEqual([cookie_id])
    })

    test('is new when both were cleared, changed to nonsense, or older than two years', async () => {
      const context = await visitor()
      const { page, identify } = await openTab(context, site)
      const seen = [(await identify()).cookie_id]
      for (const stored of ['', 'nonsense 9999999999999', `${seen[0]} ${Date.now() - 1}`]) {
        await context.clearCookies()
        await page.evaluate(`localStorage.inkling_id = '${stored}'; document.cookie = 'inkling_id=x'`)
        const { cookie_id } = await identify()
        expect(cookie_id).toMatch(UUID_V4)
        seen.push(cookie_id)
      }
      expect(new Set(seen).size).toBe(4)
    })

    test('is the same in two tabs that start at once, and different for another visitor', async () => {
      const context = await visitor()
      const tabs = await Promise.all([openTab(context, site), openTab(context, site)])
      const [one, two] = await Promise.all(tabs.map(({ identify }) => identify()))
      expect(one?.cookie_id).toBe(two?.cookie_id)
      expect(one?.session_id).toBe(two?.session_id)
      const other = await visitor()
      expect((await (await openTab(other, site)).identify()).cookie_id).not.toBe(one?.cookie_id)
    })
  })

  describe('session_id', () => {
    test('is shared by open tabs, whichever of them remains', async () => {
      const context = await visitor()
      const first = await openTab(context, site)
      const { session_id } = await first.identify()
      expect(session_id).toMatch(UUID_V4)
      const second = await openTab(context, site, { url: `${site.page}/second` })
      expect((await second.identify()).session_id).toBe(session_id)
      await first.page.close()
      const third = await openTab(context, site)
      expect((await third.identify()).session_id).toBe(session_id)
    })

    test('survives reloading and going to another page in the same tab', async () => {
      const context = await visitor()
      const { page, identify } = await openTab(context, site)
      const { session_id } = await identify()
      await page.reload()
      expect((await identify()).session_id).toBe(session_id)
      await page.goto(`${site.page}/basket`)
      expect((await identify()).session_id).toBe(session_id)
    })

    test('is new after the last tab was closed; the cookie stays', async () => {
      const context = await visitor()
      const tabs = [await openTab(context, site), await openTab(context, site)]
      const bodies = await Promise.all(tabs.map(({ identify }) => identify()))
      for (const { page } of tabs) await page.close()
      await allTabsClosed(context, site)
      const next = await openTab(context, site)
      const body = await next.identify()
      expect(body.session_id).toMatch(UUID_V4)
      expect(bodies.map(({ session_id }) => session_id)).not.toContain(body.session_id)
      expect(body.cookie_id).toBe(bodies[0]?.cookie_id)
    })

    test('a check of the visit before does not stop one of a new visit', async () => {
      const context = await visitor()
      const { page, call } = await openTab(context, site)
      expect((await call('checkAnonymous')).status).toBe('initialized')
      await page.close()
      await allTabsClosed(context, site)
      expect((await (await openTab(context, site)).call('checkAnonymous')).status).toBe('initialized')
    })

    test('a page that comes back from the back/forward cache joins the visit of the open tabs', async () => {
      const context = await visitor()
      const { page, identify } = await openTab(context, site)
      const { session_id } = await identify()
      // Only the events: drivers switch the cache itself off.
      await page.evaluate('dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true }))')
      await page.evaluate(`(async () => {
        while ((await navigator.locks.query()).held.length > 0) await new Promise(requestAnimationFrame)
      })()`)
      const other = await openTab(context, site)
      const { session_id: newer } = await other.identify()
      expect(newer).not.toBe(session_id)
      await page.evaluate('dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }))')
      expect((await identify()).session_id).toBe(newer)
    })
  })

  describe('landing', () => {
    test('is the first page of the visit, without its fragment, and its referrer', async () => {
      const context = await visitor()
      const origin = site.page.replace('localhost', '127.0.0.1')
      const landing = { url: `${site.page}/sale?utm_source=news`, referrer: `${origin}/` }
      const { page, identify } = await openTab(context, site, { url: `${origin}/from` })
      await page.evaluate(`location.href = '${landing.url}#token=secret'`)
      await page.waitForURL(`${landing.url}#token=secret`)
      expect((await identify()).landing).toEqual(landing)
      await page.goto(`${site.page}/basket`)
      expect((await identify()).landing).toEqual(landing)
      const other = await openTab(context, site, { url: `${site.page}/other` })
      expect((await other.identify()).landing).toEqual(landing)
    })

    test('differs in another visit', async () => {
      const context = await visitor()
      const first = await openTab(context, site, { url: `${site.page}/first` })
      await first.identify()
      await first.page.close()
      await allTabsClosed(context, site)
      const next = await openTab(context, site, { url: `${site.page}/next` })
      expect((await next.identify()).landing).toEqual({ url: `${site.page}/next`, referrer: '' })
    })
  })

  test('in a sandboxed frame, where storage is blocked, a page is one visitor', async () => {
    const context = await visitor()
    const { page, complaints } = await openTab(context, site)
    await page.evaluate(`new Promise((resolve) => {
      const frame = document.createElement('iframe')
      frame.sandbox = 'allow-scripts'
      frame.src = '/framed'
      frame.onload = resolve
      document.body.append(frame)
    })`)
    const frame = page.frames()[1]
    if (!frame) throw new Error('the page has no frame')
    const call = (name: string) => callAgent(frame, site.script, name)
    const { requestID: first = '' } = await call('checkAnonymous')
    expect((await call('checkAnonymous')).status).toBe('not_initialized')
    const { requestID: second = '' } = await call('forceCheckAnonymous')
    const bodies = [await site.body(first), await site.body(second)]
    for (const { session_id, cookie_id, landing } of bodies) {
      expect(session_id).toMatch(UUID_V4)
      expect(cookie_id).toMatch(UUID_V4)
      expect({ session_id, cookie_id }).toEqual({
        session_id: bodies[0]?.session_id,
        cookie_id: bodies[0]?.cookie_id,
      })
      expect(landing).toMatchObject({ url: `${site.page}/framed` })
    }
    expect(complaints).toEqual([])
  })

  test('on an insecure origin, without locks and encryption, visits work the same and bodies are plain', async () => {
    const insecure = await browser.launch(INSECURE[browser.name])
    try {
      const context = await insecure.newContext()
      const url = site.page.replace('localhost', INSECURE_HOST)
      const first = await openTab(context, site, { url })
      expect(
        await first.page.evaluate('[isSecureContext, typeof crypto.subtle, typeof navigator.locks]'),
      ).toEqual([false, 'undefined', 'undefined'])
      const { requestID = '' } = await first.call('checkAnonymous')
      const post = await site.arrived(requestID)
      const body = JSON.parse(post.bytes.toString())
      const second = await openTab(context, site, { url })
      // Without locks nothing waits until the browser has passed the first tab's record to the second one's process.
      await second.page.waitForFunction('localStorage.inkling_visit')
      expect((await second.call('checkAnonymous')).status).toBe('not_initialized')
      expect(await second.identify()).toMatchObject({
        session_id: body.session_id,
        cookie_id: body.cookie_id,
      })
      await first.page.close()
      await second.page.reload()
      expect(await second.identify()).toMatchObject({ session_id: body.session_id })
      await second.page.close()
      const next = await (await openTab(context, site, { url })).identify()
      expect(next.cookie_id).toBe(body.cookie_id)
      expect(next.session_id).not.toBe(body.session_id)
      expect([...first.complaints, ...second.complaints]).toEqual([])
    } finally {
      await insecure.close()
    }
  })
})
