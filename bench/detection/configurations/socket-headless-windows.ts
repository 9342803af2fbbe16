import type { Configuration } from '../src/configuration.ts'
import { clickAt, middleOf, openRawCdp } from '../src/drive/raw-cdp.ts'

const USER_AGENT =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36'
const BRANDS = [
  { brand: 'Google Chrome', version: '156' },
  { brand: 'Chromium', version: '156' },
  { brand: 'Not)A;Brand', version: '24' },
]

export const socketHeadlessWindows: Configuration = {
  id: 'socket-headless-windows',
  title: 'Raw CDP, headless on Linux, that claims to be Chrome on Windows in agent, hints and platform',
  kind: 'automation',
  family: 'socket',
  engine: 'chromium',
  display: 'bare',
  isPrivate: false,
  acts: true,
  spoofs: true,
  async run(visit) {
    const page = await openRawCdp(visit.profile, [
      '--headless=new',
      `--user-agent=${USER_AGENT}`,
      '--screen-info={1920x1080}',
      '--window-size=1536,864',
    ])
    await page.call('Emulation.setUserAgentOverride', {
      userAgent: USER_AGENT,
      platform: 'Win32',
      userAgentMetadata: {
        brands: BRANDS,
        fullVersionList: BRANDS.map(({ brand, version }) => ({ brand, version: `${version}.0.0.0` })),
        platform: 'Windows',
        platformVersion: '19.0.0',
        architecture: 'x86',
        bitness: '64',
        model: '',
        mobile: false,
      },
    })
    await page.call('Page.navigate', { url: visit.url })
    await visit.measured()
    await clickAt(page, await middleOf(page, '#name'), 80)
    await page.call('Input.insertText', { text: 'Ada Lovelace' })
    await clickAt(page, await middleOf(page, '#join'), 80)
    await visit.final()
    await page.close()
  },
}
