import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The path of nginx. Does not import a test runner, so that scripts can use it, too. */

export interface Nginx {
  program: string
  streamModule: string
}

/** Where packages install it, and where `scripts/ensure-network-tools.ts` unpacks it. */
const ROOTS = ['/', fileURLToPath(new URL('../../../../node_modules/.nginx/', import.meta.url))]

export const findNginx = (): Nginx | undefined =>
  ROOTS.map((root) => ({
    program: `${root}usr/sbin/nginx`,
    streamModule: `${root}usr/lib/nginx/modules/ngx_stream_module.so`,
  })).find(({ program, streamModule }) => existsSync(program) && existsSync(streamModule))

/** For the name of a skipped test. */
export const whyNoNginx = (): string | undefined =>
  findNginx() ? undefined : 'there is no nginx with its stream module'
