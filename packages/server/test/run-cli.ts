import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { loadBundledKysely } from './bundled-kysely.ts'
import { databaseSettings } from './test-database.ts'

const BIN = fileURLToPath(new URL('../bin/inkling.js', import.meta.url))

export interface CliResult {
  status: number | null
  stdout: string
  stderr: string
}

/** Starts a command like an operator, with only the given environment. */
export async function startCli(
  args: readonly string[],
  environment: Record<string, string>,
): Promise<ChildProcessWithoutNullStreams> {
  const { DATA_DIR, DATABASE_URL } = environment
  const chosen = DATA_DIR === undefined || DATABASE_URL !== undefined
  const database = chosen ? {} : await databaseSettings(DATA_DIR)
  // A compile cache halves the start of a command.
  const { NODE_COMPILE_CACHE } = process.env
  const cache = NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }
  return spawn(process.execPath, [...(await loadBundledKysely()), BIN, ...args], {
    env: { ...database, ...cache, ...environment },
  })
}

/** Runs a command to its end. */
export async function runCli(
  args: readonly string[],
  environment: Record<string, string>,
  stdin = '',
): Promise<CliResult> {
  const child = await startCli(args, environment)
  return new Promise((resolve, reject) => {
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString()
    })
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString()
    })
    child.on('error', reject)
    child.on('close', (status) => resolve({ status, stdout, stderr }))
    // A command that fails at once does not read what it is given.
    child.stdin.on('error', () => {})
    child.stdin.end(stdin)
  })
}
