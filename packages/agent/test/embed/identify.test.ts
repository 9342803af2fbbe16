import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeBrowsers } from '../../../../test/browsers.ts'
import { identify } from '../../src/embed/index.ts'
import { type AgentSite, PUBLIC_KEY, startAgentSite } from '../agent-site.ts'
import { agentHost, embedProgram, openWith } from './embed-page.ts'

const HELD_BACK = { status: 'not_initialized' }
const RUNS = { status: 'initialized', requestID: expect.stringMatching(/^[0-9a-f-]{36}$/) }

test('where there is no page, nothing is loaded and the answer is not_initialized', async () => {
  expect(await identify({ agentUrl: 'http://127.0.0.1:1', publicKey: PUBLIC_KEY })).toEqual(HELD_BACK)
})

describeBrowsers('identify', (browser) => {
  let site: AgentSite
  let program: string
  beforeAll(async () => {
    site = await startAgentSite()
    program = await embedProgram()
  })
  afterAll(() => site.close())

  const open = async () => {
    const page = await openWith(await browser.running().newContext(), site, program)
    const identify = (options: object) => page.evaluate(`embed.identify(${JSON.stringify(options)})`)
    return { page, identify }
  }

  test('gives the request ID that the body is sent under, with the account', async () => {
    const { identify } = await open()
    const { agentUrl, publicKey } = await agentHost(site)
    // An address with a slash at its end is the same one.
    const given = await identify({ agentUrl: `${agentUrl}/`, publicKey, userHid: 'u1' })
    expect(given).toEqual(RUNS)
    const { requestID } = given as { requestID: string }
    expect(await site.body(requestID)).toMatchObject({ user_hid: 'u1' })
  })

  test('identifies once in a visit, and every time when it is forced', async () => {
    const { identify } = await open()
    const host = await agentHost(site)
    expect(await identify(host)).toEqual(RUNS)
    expect(await identify(host)).toEqual(HELD_BACK)
    expect(await identify({ ...host, force: true })).toEqual(RUNS)
    expect(await identify({ ...host, userHid: 'u2' })).toEqual(RUNS)
  })

  test('tries a failed load again, each time under another address', async () => {
    const { identify } = await open()
    const host = await agentHost(site, 2)
    expect(await identify(host)).toEqual(RUNS)
    const first = `/agent.js?publicKey=${PUBLIC_KEY}`
    expect(host.asked).toEqual([first, `${first}&retry=1`, `${first}&retry=2`])
  })

  test('gives up after the retries, and throws nothing', async () => {
    const { identify } = await open()
    const host = await agentHost(site, 100)
    expect(await identify({ ...host, retries: 1 })).toEqual(HELD_BACK)
    expect(host.asked).toHaveLength(2)
    expect(await identify({ ...host, agentUrl: 'not an address', retries: 0 })).toEqual(HELD_BACK)
  })
})
