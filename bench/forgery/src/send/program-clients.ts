import { execFile } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Answer, Send, Sent } from './send.ts'

/** Clients that are programs of their own. */

const run = promisify(execFile)

const reasons = new Map<string, Promise<string | undefined>>()

/** Why a program cannot be used; found out once. */
function whyNot(name: string, check: () => Promise<unknown>): () => Promise<string | undefined> {
  return () => {
    const known =
      reasons.get(name) ??
      check().then(
        () => undefined,
        (error: Error) => `${name}: ${error.message.split('\n')[0]}`,
      )
    reasons.set(name, known)
    return known
  }
}

export const whyNoCurl = whyNot('curl', () => run('curl', ['--version']))
export const whyNoGo = whyNot('Go', () => run('go', ['version']))

export const curl: Send = async ({ method, url, headers, body }) => {
  const named = headers.flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  const args = ['--silent', '--insecure', '--request', method, ...named, '--write-out', '\n%{http_code}']
  return answerOf(
    await withInput('curl', [...args, ...(body === undefined ? [] : ['--data-binary', '@-']), url], body),
  )
}

const GO = fileURLToPath(new URL('send.go', import.meta.url))
const PYTHON = fileURLToPath(new URL('send.py', import.meta.url))

/** Go's own client. */
export const go: Send = async (sent) => answerOf(await withInput('go', ['run', GO], asJson(sent)))

/** Pinned like the packages of npm; a virtual environment outside of the repository holds them. */
const PYTHON_PACKAGES = ['requests==2.34.2', 'httpx[http2]==0.28.1', 'curl_cffi==0.16.3']
const ENVIRONMENT = join(tmpdir(), 'inkling-bench-forgery-python')
const INTERPRETER = join(ENVIRONMENT, 'bin/python')

type PythonClient = 'requests' | 'httpx' | 'curl_cffi'

/** Makes the environment if it is not there, or was left unfinished. */
export const whyNoPython = (client: PythonClient): (() => Promise<string | undefined>) =>
  whyNot(`Python's ${client}`, async () => {
    const imports = (): Promise<unknown> => run(INTERPRETER, ['-c', `import ${client}`])
    if (
      await imports().then(
        () => true,
        () => false,
      )
    )
      return
    await run('python3', ['-m', 'venv', ENVIRONMENT])
    await run(INTERPRETER, ['-m', 'pip', 'install', '--quiet', ...PYTHON_PACKAGES])
    await imports()
  })

export const python =
  (client: PythonClient): Send =>
  async (sent) =>
    answerOf(await withInput(INTERPRETER, [PYTHON, client], asJson(sent)))

const asJson = ({ body, ...sent }: Sent): string =>
  JSON.stringify({ ...sent, body: body === undefined ? '' : Buffer.from(body).toString('base64') })

async function withInput(program: string, args: readonly string[], input?: Sent['body']): Promise<string> {
  const running = run(program, args)
  running.child.stdin?.end(input)
  return (await running).stdout
}

/** The text, and the status in the last line. */
function answerOf(output: string): Answer {
  const at = output.lastIndexOf('\n')
  return { text: output.slice(0, at), status: Number(output.slice(at + 1)) }
}
