import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'

/** The only files that the bundle loads from elsewhere: its logo, in two sizes. The server has one of its own. */
const REMOTE_LOGO = /https:\/\/cdn\.redoc\.ly\/redoc\/logo-mini(-full)?\.svg/g
const LOCAL_LOGO = 'docs/redoc.svg'

/** Writes Redoc's bundle with its license, compressed, so that the reference page needs no other host. */
export async function packReference(file: string): Promise<void> {
  const bundle = createRequire(import.meta.url).resolve('redoc/bundles/redoc.standalone.js')
  const license = await readFile(join(dirname(bundle), '../LICENSE'), 'utf8')
  const text = `/*! Redoc, https://github.com/Redocly/redoc\n\n${license}*/\n${await readFile(bundle, 'utf8')}`
  if (text.search(REMOTE_LOGO) < 0) throw new Error('this release of Redoc has its logo elsewhere')
  const packed = await promisify(gzip)(text.replaceAll(REMOTE_LOGO, LOCAL_LOGO), {
    level: constants.Z_BEST_COMPRESSION,
  })
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, packed)
}
