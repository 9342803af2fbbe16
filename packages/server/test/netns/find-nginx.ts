import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Where the nginx of the tests is. Knows nothing of a test runner, so that scripts can ask too. */

export interface Nginx {
  program: string
  streamModule: string
}

/** As packages install it, and as `scripts/ensure-network-tools.ts` unpacks them. */
const ROOTS = ['/', fileURLToPath(new URL('../../../../node_modules/.nginx/', import.meta.url))]

export const findNginx = (): Nginx | undefined =>
  ROOTS.map((root) => ({
    program: `${root}usr/sbin/nginx`,
    streamModule: `${root}usr/lib/nginx/modules/ngx_stream_module.so`,
  })).find(({ program, streamModule }) => existsSync(program) && existsSync(streamModule))

/** For the name of a skipped test. */
export const whyNoNginx = (): string | undefined =>
  findNginx() ? undefined : 'there is no nginx with its stream module'
