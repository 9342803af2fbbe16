import CDP from 'chrome-remote-interface'
import type { Configuration } from '../src/configuration.ts'
import { withConnectable } from '../src/drive/connected-browser.ts'
import { clickAt, middleOf, type RawCdp } from '../src/drive/raw-cdp.ts'

export const socketRemoteInterface: Configuration = {
  id: 'socket-remote-interface',
  title: 'chrome-remote-interface on a desktop, with the domains of its examples on',
  kind: 'automation',
  family: 'socket',
  engine: 'chromium',
  packages: ['chrome-remote-interface'],
  display: 'desktop',
  isPrivate: false,
  acts: true,
  run: (visit) =>
    withConnectable(visit.profile, [], async (socketUrl) => {
      const { port } = new URL(socketUrl)
      const client = await CDP({ port: Number(port) })
      const page: RawCdp = {
        call: (method, params) =>
          client.send(method as 'Page.enable', params as never) as unknown as Promise<never>,
        close: async () => client.close(),
      }
      for (const domain of ['Network', 'Page', 'Runtime', 'DOM']) await page.call(`${domain}.enable`)
      await page.call('Page.navigate', { url: visit.url })
      await visit.measured()
      for (const [selector, text] of [
        ['#name', 'Ada Lovelace'],
        ['#email', 'ada@example.org'],
      ] as const) {
        await clickAt(page, await middleOf(page, selector))
        for (const character of text)
          await page.call('Input.dispatchKeyEvent', { type: 'char', text: character })
      }
      await clickAt(page, await middleOf(page, '#join'))
      await visit.final()
      await page.close()
    }),
}
