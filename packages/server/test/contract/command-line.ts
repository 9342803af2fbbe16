import { runCli } from '../run-cli.ts'
import type { TestServer } from '../running-server.ts'

/** Runs a command beside the server, as an operator does. Returns the JSON value that it prints. */
export async function inkling(
  { directory }: Pick<TestServer, 'directory'>,
  words: readonly string[],
  settings: Record<string, string> = {},
): Promise<unknown> {
  const environment = { DATA_DIR: directory, WEBHOOK_ALLOW_PRIVATE: 'true', ...settings }
  const { status, stdout, stderr } = await runCli([...words, '--json'], environment)
  if (status !== 0) throw new Error(`inkling ${words.join(' ')}: ${stderr}`)
  return JSON.parse(stdout) as unknown
}
