import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ADDRESSES } from './roomy-settings.ts'

/** Addresses by the lists that contain them, and a data center address that no list contains. */
export const LISTED = {
  tor: '185.220.101.1',
  relay: '172.224.224.1',
  /** In a data center and on the list of abusers. */
  vpn: '5.9.0.2',
  /** In a data center. */
  abuser: '5.9.0.3',
  crawler: '66.249.66.1',
  unlisted: ADDRESSES.hosting,
} as const

const LISTS = [
  { kind: 'tor', addresses: [LISTED.tor] },
  { kind: 'privacy_relay', addresses: [LISTED.relay] },
  { kind: 'vpn', addresses: [LISTED.vpn] },
  { kind: 'abuser', addresses: [LISTED.tor, LISTED.vpn, LISTED.abuser] },
  { kind: 'crawler', addresses: [LISTED.crawler], crawler: 'GoogleBot' },
]

/** Writes the lists to `directory`. Returns the file for the setting `FEEDS`. */
export async function publishLists(directory: string): Promise<string> {
  const folder = join(directory, 'published')
  await mkdir(folder)
  const declared = await Promise.all(
    LISTS.map(async ({ addresses, ...feed }) => {
      const file = join(folder, feed.kind)
      await writeFile(file, addresses.join('\n'))
      return { id: feed.kind, url: pathToFileURL(file).href, parser: 'lines', ...feed }
    }),
  )
  const file = join(folder, 'feeds.json')
  await writeFile(file, JSON.stringify(declared))
  return file
}
