import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeBrowsers } from '../../../../test/browsers.ts'
import { identify } from '../../src/embed/index.ts'
import { type AgentSite, PUBLIC_KEY, startAgentSite } from '../agent-site.ts'
import { agentHost, embedProgram, openWith } from './embed-page.ts'

const NOT_INITIALIZED = { status: 'not_initialized' }
const RUNS = { status: 'initialized', requestID: expect.stringMatching(/^[0-9a-f-]{36}$/) }

test('without a page, nothing is loaded and the result is not_initialized', async () => {
  expect(await identify({ agentUrl: 'http://127.0.0.1:1', publicKey: PUBLIC_KEY })).toEqual(NOT_INITIALIZED)
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

  test('resolves with the request ID of the body, which names the account', async () => {
    const { identify } = await open()
    const { agentUrl, publicKey } = await agentHost(site)
    // A slash at the end of the address makes no difference.
    const given = await identify({ agentUrl: `${agentUrl}/`, publicKey, userHid: 'u1' })
    expect(given).toEqual(RUNS)
    const { requestID } = given as { requestID: string }
    expect(await site.body(requestID)).toMatchObject({ user_hid: 'u1' })
  })

  test('identifies once per visit, and every time when forced', async () => {
    const { identify } = await open()
    const host = await agentHost(site)
    expect(await identify(host)).toEqual(RUNS)
    expect(await identify(host)).toEqual(NOT_INITIALIZED)
    expect(await identify({ ...host, force: true })).toEqual(RUNS)
    expect(await identify({ ...host, userHid: 'u2' })).toEqual(RUNS)
  })

  test('retries a failed load, each time under a new address', async () => {
    const { identify } = await open()
    const host = await agentHost(site, 2)
    expect(await identify(host)).toEqual(RUNS)
    const first = `/agent.js?publicKey=${PUBLIC_KEY}`
    const [base, ...retries] = host.asked
    expect(base).toBe(first)
    expect(retries).toHaveLength(2)
    for (const url of retries) expect(url.replace(/&fresh=[\da-z]+$/, '')).toBe(first)
    expect(new Set(retries).size).toBe(2)
  })

  test('loads the agent for a later call, although the page gave up on an earlier one', async () => {
    const { identify } = await open()
    const host = await agentHost(site, 2)
    expect(await identify({ ...host, retries: 1 })).toEqual(NOT_INITIALIZED)
    expect(await identify({ ...host, retries: 1 })).toEqual(RUNS)
  })

  test('gives up after the retries and does not reject', async () => {
    const { identify } = await open()
    const host = await agentHost(site, 100)
    expect(await identify({ ...host, retries: 1 })).toEqual(NOT_INITIALIZED)
    expect(host.asked).toHaveLength(2)
    expect(await identify({ ...host, agentUrl: 'not an address', retries: 0 })).toEqual(NOT_INITIALIZED)
  })
})
