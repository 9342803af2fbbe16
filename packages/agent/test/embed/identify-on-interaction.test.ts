import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeBrowsers } from '../../../../test/browsers.ts'
import { type AgentSite, startAgentSite } from '../agent-site.ts'
import { type AgentHost, agentHost, embedProgram, openWith } from './embed-page.ts'

const FORM = `<form action="/signed-up"><input name="email" required>
  <button name="plan" value="free">Sign up</button></form>`
const UUID = /^[0-9a-f-]{36}$/

/** What the form sent, read from the address that it led to. */
async function sentBy(page: Page): Promise<Record<string, string>> {
  await page.waitForURL('**/signed-up*')
  return Object.fromEntries(new URL(page.url()).searchParams)
}

describeBrowsers('identifyOnInteraction', (browser) => {
  let site: AgentSite
  let program: string
  beforeAll(async () => {
    site = await startAgentSite()
    program = await embedProgram()
  })
  afterAll(() => site.close())

  /** A page with the form. Its own handler records submits; with `keep` it prevents them. */
  const openForm = async (host: AgentHost, { keep = false, options = {}, before = '' } = {}) => {
    const page = await openWith(await browser.running().newContext(), site, program)
    await page.evaluate(`
      document.body.innerHTML = ${JSON.stringify(FORM)}
      ${before}
      window.form = document.forms[0]
      window.submits = []
      window.stop = embed.identifyOnInteraction(form, ${JSON.stringify({ ...host, ...options })})
      form.addEventListener('submit', (event) => {
        submits.push(new FormData(form).get('request_id'))
        if (${keep}) event.preventDefault()
      })`)
    return page
  }
  const filled = (page: Page) => page.waitForFunction('form.elements.request_id.value !== ""')

  test('nothing is identified before the form is touched; then the request ID is in its field', async () => {
    const host = await agentHost(site)
    const page = await openForm(host)
    expect(host.asked).toEqual([])
    await page.fill('[name=email]', 'a@shop.example')
    await filled(page)
    await page.click('button')
    const sent = await sentBy(page)
    expect(sent).toEqual({
      email: 'a@shop.example',
      plan: 'free',
      request_id: expect.stringMatching(UUID),
    })
    await site.arrived(sent.request_id ?? '')
  })

  test('a submit before the request ID waits for it, and the page sees one submit', async () => {
    const page = await openForm(await agentHost(site, 1), { keep: true })
    await page.evaluate(`form.elements.email.value = 'a@shop.example'`)
    // Without any interaction, and twice, like an impatient visitor.
    await page.evaluate(`for (const _ of [1, 2]) form.requestSubmit(form.querySelector('button'))`)
    await page.waitForFunction('submits.length > 0')
    expect(await page.evaluate('submits')).toEqual([expect.stringMatching(UUID)])
  })

  test('a server that does not answer delays the submit for no longer than submitWaitMs', async () => {
    const page = await openForm(await agentHost(site, 'silent'), { options: { submitWaitMs: 100 } })
    await page.fill('[name=email]', 'a@shop.example')
    await page.click('button')
    expect(await sentBy(page)).toEqual({ email: 'a@shop.example', plan: 'free', request_id: '' })
  })

  test('each submit has a request ID of its own', async () => {
    const page = await openForm(await agentHost(site), { keep: true })
    await page.fill('[name=email]', 'a@shop.example')
    for (const count of [1, 2]) {
      await page.click('button')
      await page.waitForFunction(`submits.length === ${count}`)
    }
    const ids = await page.evaluate<string[]>('submits')
    expect(ids).toEqual([expect.stringMatching(UUID), expect.stringMatching(UUID)])
    expect(new Set(ids).size).toBe(2)
  })

  // Safari before 16.
  const WITHOUT_REQUEST_SUBMIT = 'delete HTMLFormElement.prototype.requestSubmit'

  test('without requestSubmit, a submit that waited still meets the page: its handlers and its checks', async () => {
    const page = await openForm(await agentHost(site), { keep: true, before: WITHOUT_REQUEST_SUBMIT })
    const submit = () =>
      page.evaluate(`form.dispatchEvent(
      new SubmitEvent('submit', { bubbles: true, cancelable: true, submitter: form.querySelector('button') }))`)
    await page.evaluate(
      `window.invalid = new Promise((resolve) => form.addEventListener('invalid', resolve, true)); 0`,
    )
    await submit()
    await page.evaluate('invalid.then(() => undefined)')
    expect(await page.evaluate('submits')).toEqual([])
    await page.evaluate(`form.elements.email.value = 'a@shop.example'`)
    await submit()
    await page.waitForFunction('submits.length > 0')
    expect(await page.evaluate('submits')).toEqual([expect.stringMatching(UUID)])
    expect(new URL(page.url()).pathname).toBe('/')
  })

  test.each(['', WITHOUT_REQUEST_SUBMIT])(
    'a submit that waited has its button, wherever that stands: %s',
    async (before) => {
      const page = await openForm(await agentHost(site), { before })
      await page.evaluate(`form.id = 'signup'
      form.elements.email.value = 'a@shop.example'
      document.body.insertAdjacentHTML('beforeend', '<button form="signup" name="plan" value="paid">Buy</button>')
      document.querySelector('[value=paid]').click()`)
      expect(await sentBy(page)).toMatchObject({ plan: 'paid', request_id: expect.stringMatching(UUID) })
    },
  )

  test('a button that the page takes away meanwhile does not keep the form from being sent', async () => {
    const page = await openForm(await agentHost(site))
    await page.evaluate(`form.elements.email.value = 'a@shop.example'
      const button = form.querySelector('button')
      button.click()
      button.type = 'button'`)
    const sent = await sentBy(page)
    expect(sent).toEqual({ email: 'a@shop.example', request_id: expect.stringMatching(UUID) })
  })

  test('removed from the form, it does nothing more', async () => {
    const host = await agentHost(site)
    const page = await openForm(host)
    await page.evaluate('stop()')
    await page.fill('[name=email]', 'a@shop.example')
    await page.click('button')
    expect((await sentBy(page)).request_id).toBe('')
    expect(host.asked).toEqual([])
  })
})
