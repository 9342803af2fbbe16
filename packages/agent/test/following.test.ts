import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { describeBrowsers } from '../../../test/browsers.ts'
import { createBodyDecoder } from '../../server/src/ingest/ingest-body.ts'
import { type AgentSite, startAgentSite } from './agent-site.ts'
import { type AgentTab, openTab } from './agent-tab.ts'

/** With this the agent waits for the visitor's action without a time limit, and after one only as long as after the first. */
const OWN_WAITS = `{
  const { setTimeout } = window
  window.setTimeout = (act, ms, ...rest) =>
    ms > 20_000 ? 0 : setTimeout(act, ms === 2_000 || ms === 6_000 ? 400 : ms, ...rest)
}`

describeBrowsers('the follow-up channel', (browser) => {
  let site: AgentSite
  beforeAll(async () => {
    site = await startAgentSite()
  })
  afterAll(() => site.close())

  const check = async () => {
    const context = await browser.running().newContext()
    onTestFinished(() => context.close())
    await context.addInitScript(OWN_WAITS)
    const tab = await openTab(context, site, { script: site.scriptWithFollowUp })
    const talkOf = async () => {
      const { requestID = '' } = await tab.call('forceCheckAnonymous')
      const body = await site.body(requestID)
      return { body, talk: await site.channel(requestID) }
    }
    return { ...tab, talkOf }
  }

  test('reports without waiting for the visitor to act, and in three steps as they do', async () => {
    const { page, talkOf } = await check()
    const { talk } = await talkOf()
    const [first] = await talk.count(1)
    expect(first).toMatchObject({ more: true, readings: { worker: {}, private_mode: {} } })
    expect(first?.readings).not.toHaveProperty('input')

    for (const clicks of [1, 2, 3]) {
      await page.mouse.click(40, 40)
      const next = (await talk.count(clicks + 1))[clicks]
      const input = { value: expect.objectContaining({ clicks }) }
      expect(next).toEqual({ more: true, readings: { input, input_traces: { value: expect.any(Object) } } })
    }
    await talk.closed
    expect(talk.reports).toHaveLength(4)
  })

  test('of a form that is filled in, no character and no key leaves the page', async () => {
    const { page, call, talkOf } = await check()
    const before = site.posts.length
    const urls: string[] = []
    page.on('request', (request) => urls.push(request.url()))
    const { talk } = await talkOf()
    await talk.count(1)
    await page.evaluate(`document.body.innerHTML =
      '<form onsubmit="return false"><input id="name"><input id="pin" type="password"><button>Go</button></form>'`)
    await page.click('#name')
    await page.keyboard.type('Xqzwvut')
    await page.keyboard.insertText('Jkpqyxw')
    await page.click('#pin')
    await page.keyboard.type('Wvqxzkj')
    await page.click('button')
    const reports = await talk.count(2)
    const { requestID = '' } = await call('forceCheckAnonymous')
    const body = await site.body(requestID)
    const later = await site.followUp(requestID)

    // It saw all but the password, and sent what it saw.
    expect(body.readings).toMatchObject({
      input: { value: { clicks: 3 } },
      input_traces: { value: { keys: 7, characters: 7 } },
    })
    const { decode } = createBodyDecoder(site.privateKey)
    const posted = site.posts.slice(before).map(({ bytes, requestId }) => decode(bytes, requestId))
    const sent = [...urls, ...posted, JSON.stringify(reports), JSON.stringify(later)].join('\n')
    // Any four letters in a row of the text, and names of keys.
    for (const text of ['Xqzwvut', 'Jkpqyxw', 'Wvqxzkj'])
      for (let at = 0; at + 4 <= text.length; at++) expect(sent).not.toContain(text.slice(at, at + 4))
    expect(sent).not.toMatch(/"(Key|Digit|Shift|Backspace)\w*"/)
  })

  test('measures private mode soundly and once for a page, for checks that run at once, in one tab and in two', async () => {
    const first = await check()
    const second = await openTab(first.page.context(), site, { script: site.scriptWithFollowUp })
    const measured = async ({ call }: AgentTab) => {
      const { requestID = '' } = await call('forceCheckAnonymous')
      const { readings } = await site.followUp(requestID)
      return (readings as { private_mode: { value: { write_ms: number } } }).private_mode.value
    }
    const seen: unknown[] = []
    for (let round = 0; round < 5; round++) {
      const answers = await Promise.all([first, first, second].map(measured))
      for (const { write_ms, ...others } of answers) {
        expect(write_ms).toBeGreaterThanOrEqual(0)
        // On a fast disk all writes take less than a step of Firefox's clock, and nothing can be divided by that.
        expect(others).toEqual({ files: 'ok', flush_ratio: write_ms > 0 ? expect.any(Number) : null })
      }
      seen.push(answers[0]?.write_ms)
    }
    expect(new Set(seen).size).toBe(1)
  })

  test('sends one report when the visitor has acted before', async () => {
    const { page, talkOf } = await check()
    const first = await talkOf()
    await first.talk.count(1)
    await page.mouse.click(40, 40)
    const { body, talk } = await talkOf()
    expect(body.readings).toMatchObject({ input: { value: { clicks: 1 } } })
    const [report] = await talk.count(1)
    expect(report).not.toHaveProperty('more')
    expect(report?.readings).toMatchObject({ input: { value: { clicks: 1 } } })
    // The first check reports the click too, over its own channel.
    expect(await first.talk.count(2)).toHaveLength(2)
  })

  test('brings what took too long for the snapshot, and nothing of it twice', async () => {
    const { page, talkOf } = await check()
    await page.evaluate(`{
      let isSlow = true
      const { fetch } = window
      window.fetch = (url, init) => {
        if (String(url).includes('/snapshot/')) isSlow = false
        return fetch(url, init)
      }
      navigator.permissions.query = () => isSlow ? new Promise(() => {}) : Promise.resolve({ state: 'prompt' })
    }`)
    const { body, talk } = await talkOf()
    expect(body.readings).toMatchObject({ permissions: { error: 'timeout' }, platform: {} })
    const [report] = await talk.count(1)
    expect(report?.readings).toMatchObject({ permissions: { value: { geolocation: 'prompt' } }, worker: {} })
    expect(report?.readings).not.toHaveProperty('platform')
  })

  test('closes when the page is left, so that it can be kept for the back button', async () => {
    const { page, talkOf } = await check()
    const { talk } = await talkOf()
    await talk.count(1)
    await page.evaluate('dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true }))')
    await talk.closed
    expect(talk.reports).toHaveLength(1)
  })
})
