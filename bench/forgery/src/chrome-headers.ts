import type { Attempt } from './attempt.ts'
import type { Header } from './send/send.ts'

export const CHROME =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36'
export const CHROME_ON_WINDOWS =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36'

/** The least that the server needs, and the name of a browser. */
export const claimingChrome = ({ site }: Attempt): Header[] => [
  ['User-Agent', CHROME],
  ['Origin', site.origin],
]
