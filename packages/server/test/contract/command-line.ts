import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { TestServer } from '../running-server.ts'

const INKLING = fileURLToPath(new URL('../../src/cli/inkling.ts', import.meta.url))
const run = promisify(execFile)

/** Runs a command beside the server, as an operator does; the one JSON value that it prints. */
export async function inkling(
  { directory }: Pick<TestServer, 'directory'>,
  words: readonly string[],
  settings: Record<string, string> = {},
): Promise<unknown> {
  const { stdout } = await run(process.execPath, [INKLING, ...words, '--json'], {
    env: { ...process.env, DATA_DIR: directory, WEBHOOK_ALLOW_PRIVATE: 'true', ...settings },
  })
  return JSON.parse(stdout) as unknown
}
