import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { describeBrowsers } from '../../../test/browsers.ts'
import { type AgentSite, startAgentSite } from './agent-site.ts'
import { type AgentTab, openTab } from './agent-tab.ts'

/** With this the agent waits for the visitor's action without a time limit. */
const NO_LONG_WAITS = `{
  const { setTimeout } = window
  window.setTimeout = (act, ms, ...rest) => (ms > 20_000 ? 0 : setTimeout(act, ms, ...rest))
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
    await context.addInitScript(NO_LONG_WAITS)
    const tab = await openTab(context, site, { script: site.scriptWithFollowUp })
    const talkOf = async () => {
      const { requestID = '' } = await tab.call('forceCheckAnonymous')
      const body = await site.body(requestID)
      const talk = site.followUps.get(requestID)
      if (!talk) throw new Error('no channel')
      return { body, talk }
    }
    return { ...tab, talkOf }
  }

  test('reports without waiting for the visitor to act, and again once they do', async () => {
    const { page, talkOf } = await check()
    const { talk } = await talkOf()
    const [first] = await talk.count(1)
    expect(first).toMatchObject({ more: true, readings: { worker: {}, private_mode: {} } })
    expect(first?.readings).not.toHaveProperty('input')

    await page.mouse.click(40, 40)
    const [, second] = await talk.count(2)
    expect(second).toEqual({ readings: { input: { value: expect.objectContaining({ clicks: 1 }) } } })
    await talk.closed
    expect(talk.reports).toHaveLength(2)
  })

  test('measures private mode soundly for checks that run at once, in one tab and in two', async () => {
    const first = await check()
    const second = await openTab(first.page.context(), site, { script: site.scriptWithFollowUp })
    const measured = async ({ call }: AgentTab) => {
      const { requestID = '' } = await call('forceCheckAnonymous')
      // Browsers open one channel to a host at a time, so one of several may open after its body has arrived.
      await expect.poll(() => site.followUps.has(requestID), { timeout: 10_000 }).toBe(true)
      const { readings } = await site.followUp(requestID)
      return (readings as { private_mode: unknown }).private_mode
    }
    for (let round = 0; round < 5; round++) {
      const answers = await Promise.all([first, first, second].map(measured))
      const sound = { value: { files: 'ok', write_ms: expect.any(Number), flush_ratio: expect.any(Number) } }
      expect(answers).toEqual([sound, sound, sound])
    }
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

  test('closes when the page is left, so that it can be kept for the back button', async () => {
    const { page, talkOf } = await check()
    const { talk } = await talkOf()
    await talk.count(1)
    await page.evaluate('dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true }))')
    await talk.closed
    expect(talk.reports).toHaveLength(1)
  })
})
