import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeBrowsers } from '../../../../test/browsers.ts'
import { type AgentSite, startAgentSite } from '../agent-site.ts'
import { agentHost, bundled, openWith } from './embed-page.ts'

/** Each shows its result as text, renews on a click, and changes the account with `setUser`. */
const PROGRAMS = {
  React: (options: object) => `
    import { createElement, StrictMode, useState } from 'react'
    import { createRoot } from 'react-dom/client'
    import { useRequestId } from '@inkling/agent/react'
    function Signup() {
      const [userHid, setUser] = useState()
      const { renew, ...result } = useRequestId({ ...${JSON.stringify(options)}, userHid })
      window.setUser = setUser
      return createElement('button', { onClick: renew }, JSON.stringify(result))
    }
    createRoot(document.body).render(createElement(StrictMode, null, createElement(Signup)))`,
  Vue: (options: object) => `
    import { createApp, h, ref } from 'vue'
    import { useRequestId } from '@inkling/agent/vue'
    createApp({
      setup() {
        const userHid = ref()
        window.setUser = (value) => { userHid.value = value }
        const { result, renew } = useRequestId(() => ({ ...${JSON.stringify(options)}, userHid: userHid.value }))
        return () => h('button', { onClick: renew }, JSON.stringify(result.value ?? { status: 'pending' }))
      },
    }).mount(document.body)`,
}

describeBrowsers('useRequestId', (browser) => {
  let site: AgentSite
  beforeAll(async () => {
    site = await startAgentSite()
  })
  afterAll(() => site.close())

  test.each(Object.entries(PROGRAMS))(
    'of %s has a request ID, another for another account, and renews',
    async (_, programOf) => {
      const { agentUrl, publicKey } = await agentHost(site)
      const program = await bundled(programOf({ agentUrl, publicKey }))
      const page = await openWith(await browser.running().newContext(), site, program)
      /** The next result that differs from the one before. */
      const shownAfter = async (before: string): Promise<string> => {
        await page.waitForFunction(
          `(() => { const { requestID } = JSON.parse(document.body.innerText || '{}')
          return requestID && requestID !== ${JSON.stringify(before)} })()`,
        )
        return JSON.parse(await page.innerText('body')).requestID
      }
      const first = await shownAfter('')
      expect(await site.body(first)).toMatchObject({ user_hid: 'anonymous' })
      await page.evaluate(`setUser('u1')`)
      const second = await shownAfter(first)
      expect(await site.body(second)).toMatchObject({ user_hid: 'u1' })
      await page.click('button')
      const third = await shownAfter(second)
      expect(await site.body(third)).toMatchObject({ user_hid: 'u1' })
    },
  )
})
