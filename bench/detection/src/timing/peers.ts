import { bundle } from '../bundle.ts'
import { packageVersion } from '../report/versions.ts'

export interface Peer {
  name: string
  path: string
  script: string
}

const PEERS = [
  { name: 'FingerprintJS', package: '@fingerprintjs/fingerprintjs', file: 'fingerprintjs' },
  { name: 'ThumbmarkJS', package: '@thumbmarkjs/thumbmarkjs', file: 'thumbmarkjs' },
] as const

/** The peers, each bundled separately as a shop would. */
export const bundlePeers = (): Promise<Peer[]> =>
  Promise.all(
    PEERS.map(async ({ name, package: packageName, file }) => ({
      name: `${name} ${await packageVersion(packageName)}`,
      path: `/${file}.js`,
      script: await bundle(new URL(`./page/${file}.ts`, import.meta.url)),
    })),
  )
