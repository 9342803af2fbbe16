import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeBrowsers } from '../../../test/browsers.ts'
import { type AgentSite, startAgentSite } from './agent-site.ts'
import { openTab } from './agent-tab.ts'
import { visitorsOf } from './visitors.ts'

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const TOO_SOON = { status: 'not_initialized' }
const RUNS = { status: 'initialized', requestID: expect.stringMatching(UUID_V4) }

describeBrowsers('calls of the agent', (browser) => {
  let site: AgentSite
  beforeAll(async () => {
    site = await startAgentSite()
  })
  afterAll(() => site.close())
  const visitor = visitorsOf(browser, () => site)

  test('the module has the four functions, by name and in its default object', async () => {
    const context = await visitor()
    const { page } = await openTab(context, site)
    const names = await page.evaluate(`import('${site.script}&retry=1').then((agent) => [
      Object.keys(agent).sort(), Object.keys(agent.default).sort(),
      Object.keys(agent.default).every((name) => agent.default[name] === agent[name]),
    ])`)
    const four = [
      'checkAnonymous',
      'checkAuthenticatedUser',
      'forceCheckAnonymous',
      'forceCheckAuthenticatedUser',
    ]
    expect(names).toEqual([[...four.slice(0, 2), 'default', ...four.slice(2)], four, true])
  })

  test('a call returns undefined and calls back later, once, with one frozen object', async () => {
    const context = await visitor()
    const { page } = await openTab(context, site)
    const seen = await page.evaluate<{ before: number; results: unknown; calls: unknown[][] }>(`
      import('${site.script}').then(async (agent) => {
        const calls = []
        const names = ['checkAnonymous', 'checkAnonymous', 'forceCheckAnonymous']
        const waits = []
        const results = names.map((name, at) => {
          const { promise, resolve } = Promise.withResolvers()
          waits.push(promise)
          return agent[name]({ onInitialized: (...args) => {
            calls.push([at, args.length, Object.isFrozen(args[0]), Object.keys(args[0]), args[0].status])
            resolve()
          } })
        })
        const before = calls.length
        await Promise.all(waits)
        return { before, results: results.every((result) => result === undefined), calls }
      })`)
    // A second callback would have come before another check is posted.
    await (await openTab(context, site)).identify()
    expect(seen.before).toBe(0)
    expect(seen.results).toBe(true)
    expect(seen.calls.toSorted()).toEqual([
      [0, 1, true, ['status', 'requestID'], 'initialized'],
      [1, 1, true, ['status'], 'not_initialized'],
      [2, 1, true, ['status', 'requestID'], 'initialized'],
    ])
  })

  test('the sealed verdict of a stored visit is handed to the page, once, and null where there is none', async () => {
    const context = await visitor()
    const { page } = await openTab(context, site)
    const verdict = () =>
      page.evaluate(`import('${site.script}').then((agent) => new Promise((onSealedVerdict) =>
        agent.forceCheckAnonymous({ onSealedVerdict })))`)
    expect(await verdict()).toBe(null)
    site.sealedVerdict = '1.5b1c09e2.sealed'
    try {
      expect(await verdict()).toBe('1.5b1c09e2.sealed')
    } finally {
      site.sealedVerdict = undefined
    }
  })

  test('whatever a page passes or throws, nothing is thrown back at it and the check is made', async () => {
    const context = await visitor()
    const { page, complaints, identify } = await openTab(context, site)
    const count = site.posts.length
    const hostile = [
      '',
      'undefined',
      'null',
      '1',
      '"text"',
      'Object.assign(() => { window.called = true }, { onInitialized() { window.called = true } })',
      '{ get onInitialized() { throw new Error("getter") } }',
      'new Proxy({}, { get() { throw new Error("proxy") } })',
      'Proxy.revocable({}, {}).proxy',
      '(() => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy })()',
      '{ onInitialized: "text" }',
      '{ onInitialized() { throw new Error("callback") } }',
      '{ async onInitialized() { throw new Error("async callback") } }',
      '{ onInitialized: () => ({ get then() { throw new Error("thenable") } }) }',
    ]
    const results = await page.evaluate(`import('${site.script}').then((agent) =>
      [${hostile.map((options) => `agent.forceCheckAnonymous(${options})`).join()}].every((it) => it === undefined))`)
    expect(results).toBe(true)
    await identify()
    await site.received(count + hostile.length + 1)
    expect(await page.evaluate('window.called')).toBeUndefined()
    expect(complaints).toEqual([])
  })

  test('where the page took away what the agent needs, nothing is thrown and the callback says so', async () => {
    const { page, complaints } = await openTab(await visitor(), site)
    const result =
      await page.evaluate(`import('${site.script}').then((agent) => new Promise((onInitialized) => {
      delete globalThis.Blob
      agent.checkAuthenticatedUser('user', { onInitialized })
    }))`)
    expect(result).toEqual({ status: 'not_initialized' })
    expect(complaints).toEqual([])
  })

  test('the callback waits neither for collecting nor for posting', async () => {
    const context = await visitor()
    const { page } = await openTab(context, site)
    const order = await page.evaluate(`import('${site.script}').then((agent) => {
      const order = []
      const { fetch } = window
      const { promise, resolve } = Promise.withResolvers()
      window.fetch = (...args) => {
        if (args[1].method === 'POST') { order.push('post'); resolve(order) } else order.push('ticket')
        return fetch(...args)
      }
      const { userAgent } = Object.getOwnPropertyDescriptors(Navigator.prototype)
      Object.defineProperty(navigator, 'userAgent', {
        configurable: true,
        get() { if (order.at(-1) !== 'collect') order.push('collect'); return userAgent.get.call(navigator) },
      })
      agent.checkAnonymous({ onInitialized: () => order.push('callback') })
      return promise
    })`)
    expect(order).toEqual(['callback', 'ticket', 'collect', 'post'])
  })

  test('an unreachable ingest host does not change what the callback gets', async () => {
    const context = await visitor()
    const tab = await openTab(context, site)
    site.answer = () => 'cut'
    expect(await tab.call('checkAnonymous')).toEqual(RUNS)
    site.answer = () => 200
  })

  test('without a public key no check can start', async () => {
    const context = await visitor()
    const script = `${site.service}/agent.js`
    const tab = await openTab(context, site, { script })
    expect(await tab.call('checkAnonymous')).toEqual(TOO_SOON)
    expect(await tab.call('forceCheckAuthenticatedUser', 'u1')).toEqual(TOO_SOON)
  })

  describe('the five minutes', () => {
    const later = (ms: number) => `{ const now = Date.now; Date.now = () => now() + ${ms} }`

    test('a plain check does not run before they are over; a forced one always runs', async () => {
      const context = await visitor()
      const { call, page } = await openTab(context, site)
      const first = await call('checkAnonymous')
      expect(first).toEqual(RUNS)
      expect(await call('checkAnonymous')).toEqual(TOO_SOON)
      const second = await call('forceCheckAnonymous')
      expect(second).toEqual(RUNS)
      expect(second.requestID).not.toBe(first.requestID)
      await page.evaluate(later(299_000))
      expect(await call('checkAnonymous')).toEqual(TOO_SOON)
      await page.evaluate(later(1_000))
      expect(await call('checkAnonymous')).toEqual(RUNS)
    })

    test('a forced check starts them too, for plain calls right after it', async () => {
      const context = await visitor()
      const { page } = await openTab(context, site)
      const statuses = await page.evaluate(`import('${site.script}').then((agent) => Promise.all(
        ['forceCheckAnonymous', 'checkAnonymous'].map((name) => new Promise((resolve) =>
          agent[name]({ onInitialized: ({ status }) => resolve(status) })))))`)
      expect(statuses).toEqual(['initialized', 'not_initialized'])
    })

    test('each change of user is a new check, even back and forth at once', async () => {
      const context = await visitor()
      const { page, call } = await openTab(context, site)
      const statuses = await page.evaluate(`import('${site.script}').then((agent) => Promise.all(
        [undefined, 'u1', 'u1', 'u2', '', undefined, undefined].map((user) => new Promise((resolve) => {
          const options = { onInitialized: ({ status }) => resolve(status) }
          if (user === undefined) agent.checkAnonymous(options)
          else agent.checkAuthenticatedUser(user, options)
        }))))`)
      const [ran, held] = ['initialized', 'not_initialized']
      expect(statuses).toEqual([ran, ran, held, ran, ran, ran, held])
      expect(await call('checkAuthenticatedUser', 'u1')).toEqual(RUNS)
    })

    test('tabs share them, also when both call at once', async () => {
      const context = await visitor()
      const one = await openTab(context, site)
      const two = await openTab(context, site, { url: `${site.page}/other` })
      const answers = await Promise.all([one.call('checkAnonymous'), two.call('checkAnonymous')])
      expect(answers.map(({ status }) => status).sort()).toEqual(['initialized', 'not_initialized'])
      expect(await one.call('checkAuthenticatedUser', 'u1')).toEqual(RUNS)
      expect(await two.call('checkAuthenticatedUser', 'u1')).toEqual(TOO_SOON)
    })

    test('a reload and a second copy of the module do not end them', async () => {
      const context = await visitor()
      const { call, page } = await openTab(context, site)
      expect(await call('checkAnonymous')).toEqual(RUNS)
      await page.reload()
      expect(await call('checkAnonymous')).toEqual(TOO_SOON)
      const copy = await openTab(context, site, { script: `${site.script}&retry=1` })
      expect(await copy.call('checkAnonymous')).toEqual(TOO_SOON)
    })

    test('a clock that was set back does not stop checks', async () => {
      const context = await visitor()
      const { call, page } = await openTab(context, site)
      expect(await call('checkAnonymous')).toEqual(RUNS)
      await page.evaluate(later(-3_600_000))
      expect(await call('checkAnonymous')).toEqual(RUNS)
    })

    test('no user identifier is left in storage', async () => {
      const context = await visitor()
      const { call, page } = await openTab(context, site)
      await call('checkAuthenticatedUser', 'Zebra-of-Xanten')
      const kept = await page.evaluate<string>(
        'JSON.stringify({ ...localStorage, ...sessionStorage }) + document.cookie',
      )
      expect(kept).toContain('inkling_id')
      // In no part of an identifier or a time, which have other letters.
      expect(kept).not.toMatch(/zebra|xanten/i)
    })
  })

  test.each([
    ['a text', 'ünïcode/"1"', 'ünïcode/"1"'],
    ['the empty text', '', ''],
    ['a whole number', 4711, '4711'],
    ['null', null, undefined],
    ['undefined', undefined, undefined],
    ['a fraction', 1.5, undefined],
    ['an object', { id: 1 }, undefined],
    ['the longest text', 'x'.repeat(1_024), 'x'.repeat(1_024)],
    ['a longer text', 'x'.repeat(1_025), undefined],
    ['the longest text in bytes', 'ü'.repeat(1_024), 'ü'.repeat(1_024)],
    ['a text of more bytes', '€'.repeat(683), undefined],
  ])('%s as a user identifier: sent as it is, or left out', async (_name, passed, sent) => {
    const context = await visitor()
    const { call } = await openTab(context, site)
    const { requestID = '' } = await call('checkAuthenticatedUser', passed)
    expect((await site.body(requestID)).user_hid).toBe(sent)
  })
})
