import type { BrowserName } from '../../../../test/find-browser.ts'
import { startTestServer } from '../running-server.ts'
import { makeDirectory } from '../temporary-store.ts'
import { startWebhookReceiver } from '../webhook-receiver.ts'
import { type IdentifiedVisit, visitAfter } from './identified-visits.ts'
import { type PersonBrowser, type Settings, startAsPerson } from './person-browser.ts'
import { openShop, SHOP_TITLE } from './shop.ts'

const LANGUAGES = ['en-US', 'en']

/** Differences from the ordinary browser. */
export interface Situation extends Omit<Settings, 'profile' | 'languages'> {
  /** Name of the profile. */
  profile?: string
  languages?: readonly string[]
  address?: string
  /** Clears all storage of the site before the identification. */
  cleared?: boolean
  /** A cookie ID that is copied into the profile before the identification. */
  copied?: string
}

/** A machine with a screen, a site and a server. */
export interface World {
  /** Starts the browser; quits the running one first. */
  start(name: BrowserName, situation?: Situation): Promise<IdentifiedVisit>
  /** Presses a key that loads the page again. */
  press(key: 'F5' | 't' | 'c' | 'k'): Promise<IdentifiedVisit>
  resize(width: number, height: number): Promise<void>
  /** Zooms in by one step. */
  zoomIn(): Promise<void>
  close(): Promise<void>
}

export async function openWorld(): Promise<World> {
  const receiver = await startWebhookReceiver()
  const shop = await openShop()
  const urls = ['HISTORY_URL', 'MANAGEMENT_URL', 'INGEST_URL', 'AGENT_URL'].map((name) => [name, shop.origin])
  const server = await startTestServer({
    domain: 'localhost',
    endpoints: [receiver.url],
    // Follow-up checks do not affect the device.
    settings: { ...Object.fromEntries(urls), TRUST_PROXY: '127.0.0.1', FOLLOW_UP_SECONDS: '0' },
  })
  shop.port = server.port
  shop.publicKey = server.keys.public_key
  const directory = await makeDirectory()
  const home = shop.address
  let browser: PersonBrowser | undefined
  const running = (): PersonBrowser => {
    if (!browser) throw new Error('no browser runs')
    return browser
  }
  async function quit(): Promise<void> {
    await browser?.quit()
    browser = undefined
  }
  async function visit(act: () => Promise<unknown>): Promise<IdentifiedVisit> {
    const lost = Promise.withResolvers<never>()
    const acted = async () => {
      await act()
      browser?.gone.catch(lost.reject)
    }
    return Promise.race([visitAfter(acted, server, receiver), lost.promise])
  }
  return {
    async start(
      name,
      {
        profile = 'ordinary',
        languages = LANGUAGES,
        address = home,
        cleared = false,
        copied,
        ...settings
      } = {},
    ) {
      await quit()
      shop.address = address
      shop.note = undefined
      const url = copied ? shop.copiedUrl(copied) : cleared ? shop.clearedUrl : shop.url
      const folder = `${directory.path}/${name}-${profile}`
      return visit(async () => {
        browser = await startAsPerson({
          name,
          url,
          title: SHOP_TITLE,
          settings: { ...settings, languages, profile: folder },
        })
      })
    },
    press(key) {
      const { loads } = shop
      return visit(() => running().press(key, () => shop.loads > loads))
    },
    resize: (width, height) =>
      running().resize(width, height, () => shop.note !== undefined && shop.note.width <= width),
    zoomIn() {
      const density = shop.note?.density ?? 1
      return running().press('ctrl+plus', () => (shop.note?.density ?? 1) > density)
    },
    async close() {
      await quit()
      shop.close()
      receiver.close()
      await server.close()
      await directory.remove()
    },
  }
}
