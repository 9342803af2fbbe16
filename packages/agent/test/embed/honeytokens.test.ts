import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeBrowsers } from '../../../../test/browsers.ts'
import { type AgentSite, startAgentSite } from '../agent-site.ts'
import { callAgent } from '../agent-tab.ts'
import { agentHost, builtHoneytokens, embedProgram, openWith } from './embed-page.ts'

const FORM = `<main><form><label>Email <input name="email"></label> <label>City <input name="city"></label>
  <button>Sign up</button></form></main>`
const AXE = fileURLToPath(import.meta.resolve('axe-core/axe.min.js'))
const UNUSED = { placed: 1, filled: 0, typed: 0, followed: 0, unattended: 0 }
/** As programs do that look at no field. */
const FILL_ALL = `for (const field of form.querySelectorAll('input[type=text]')) field.value = 'Wvqxzkj'`

describeBrowsers('honeytokens', (browser) => {
  let site: AgentSite
  let program: string
  let honeytokens: string
  beforeAll(async () => {
    ;[site, program, honeytokens] = await Promise.all([startAgentSite(), embedProgram(), builtHoneytokens()])
  })
  afterAll(() => site.close())

  /** A page with the form, `hidden` the field and `stop()` the way back. */
  const openForm = async () => {
    const host = await agentHost(site, 0, honeytokens)
    const page = await openWith(await browser.running().newContext(), site, program)
    await page.evaluate(`
      document.body.innerHTML = ${JSON.stringify(FORM)}
      window.form = document.forms[0]
      window.stop = embed.identifyOnInteraction(form, ${JSON.stringify({ ...host, honeytokens: true })})
      form.addEventListener('submit', (event) => event.preventDefault())`)
    await page.waitForFunction(`window.hidden = form.querySelector('[aria-hidden] input')`)
    return page
  }
  const bodyOf = async (page: Page) => {
    await page.waitForFunction('form.elements.request_id.value')
    return site.body(await page.evaluate<string>('form.elements.request_id.value'))
  }

  test('take no part in what people do: Tab, forms, screen readers; and go when the page takes them out', async () => {
    const page = await openForm()
    const visited: unknown[] = []
    for (let press = 0; press < 8; press++) {
      await page.keyboard.press('Tab')
      visited.push(await page.evaluate('document.activeElement === hidden || document.activeElement.tagName'))
    }
    expect(new Set(visited)).toEqual(
      new Set(visited.includes('BODY') ? ['INPUT', 'BUTTON', 'BODY'] : ['INPUT', 'BUTTON']),
    )
    expect(await page.getByRole('textbox').count()).toBe(2)
    expect(await page.getByRole('link').count()).toBe(0)
    await page.evaluate(await readFile(AXE, 'utf8'))
    expect(
      await page.evaluate(`axe.run('form').then(({ violations }) => violations.map(({ id }) => id))`),
    ).toEqual([])

    await page.evaluate(FILL_ALL)
    expect(await page.evaluate('[...new FormData(form).keys()]')).toEqual(['email', 'city', 'request_id'])
    await page.evaluate('stop()')
    expect(await page.evaluate(`form.querySelector('[aria-hidden]')`)).toBeNull()
  })

  test('say that a script filled in and sent the form that nobody had touched, not what with', async () => {
    const page = await openForm()
    await page.evaluate(`${FILL_ALL}; form.querySelector('button').click()`)
    const body = await bodyOf(page)
    expect(body.readings).toMatchObject({ honeytokens: { value: { ...UNUSED, filled: 1, unattended: 1 } } })
    expect(JSON.stringify(body)).not.toContain('Wvqx')
  })

  test('do not take a form filler, whose user sends the form, for that', async () => {
    const page = await openForm()
    await page.evaluate(FILL_ALL)
    await page.click('button')
    const { readings } = await bodyOf(page)
    expect(readings).toMatchObject({ honeytokens: { value: { ...UNUSED, filled: 1 } } })
  })

  test('say which were typed into and followed after the check, in a later report', async () => {
    const page = await openForm()
    const { requestID = '' } = await callAgent(page, site.scriptWithFollowUp, 'forceCheckAnonymous')
    expect((await site.body(requestID)).readings).toMatchObject({ honeytokens: { value: UNUSED } })
    await site.followUp(requestID)
    await page.evaluate(`hidden.focus(); hidden.nextSibling.click()`)
    await page.keyboard.type('ab')
    const reports = await (await site.channel(requestID)).count(2)
    expect(reports[1]).toEqual({
      more: true,
      readings: {
        honeytokens: { value: { ...UNUSED, filled: 1, typed: 1, followed: 1 } },
        input_traces: { value: { characters: 2, keys: 2 } },
      },
    })
  })
})
