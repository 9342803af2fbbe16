import type { Configuration } from '../src/configuration.ts'
import { clickAt, middleOf, openRawCdp } from '../src/drive/raw-cdp.ts'
import { HEADFUL_USER_AGENT } from '../src/unmarked.ts'

const BRANDS = [
  { brand: 'Chromium', version: '156' },
  { brand: 'Not)A;Brand', version: '24' },
]

export const headlessClaims: Configuration = {
  id: 'headless-claims',
  title: 'Headless over raw CDP, with user agent, client hints, screen and window of a desktop',
  kind: 'automation',
  family: 'claims',
  engine: 'chromium',
  display: 'bare',
  isPrivate: false,
  acts: true,
  async run(visit) {
    const page = await openRawCdp(visit.profile, [
      '--headless=new',
      `--user-agent=${HEADFUL_USER_AGENT}`,
      '--screen-info={1920x1080}',
      '--window-size=1440,900',
      '--window-position=80,40',
    ])
    await page.call('Emulation.setUserAgentOverride', {
      userAgent: HEADFUL_USER_AGENT,
      userAgentMetadata: {
        brands: BRANDS,
        fullVersionList: BRANDS.map(({ brand, version }) => ({ brand, version: `${version}.0.0.0` })),
        platform: 'Linux',
        platformVersion: '6.1.0',
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
