import { spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Visit } from '../visit.ts'

/** The calls of a server that fill in the form; a snapshot of the page names its parts. */
export interface McpTools {
  open(url: string): [tool: string, args: object]
  look: [tool: string, args: object]
  fill(ref: string, text: string): [tool: string, args: object]
  click(ref: string): [tool: string, args: object]
  /** What the snapshot calls the part whose line has these words. */
  refIn(line: string): string | undefined
}

export const PLAYWRIGHT_TOOLS: McpTools = {
  open: (url) => ['browser_navigate', { url }],
  look: ['browser_snapshot', {}],
  fill: (ref, text) => ['browser_type', { element: 'field', target: ref, ref, text }],
  click: (ref) => ['browser_click', { element: 'button', target: ref, ref }],
  refIn: (line) => /\[ref=(\w+)\]/.exec(line)?.[1],
}

/** The server counts the pages that it may use from 1. A new tab of the browser is none of them. */
const pageId = 1

export const DEVTOOLS_TOOLS: McpTools = {
  open: (url) => ['new_page', { url }],
  look: ['take_snapshot', { pageId }],
  fill: (uid, value) => ['fill', { pageId, uid, value }],
  click: (uid) => ['click', { pageId, uid }],
  refIn: (line) => /uid=(\S+)/.exec(line)?.[1],
}

interface Server {
  /** A file of an installed package. */
  program: string
  args: readonly string[]
}

/** Fills in the form as a language model does that has such a server: it looks at the page, and names what it fills. */
export async function fillInByMcp(visit: Visit, server: Server, tools: McpTools): Promise<void> {
  const { call, close } = await connectMcp(server)
  await call(...tools.open(visit.url))
  await visit.measured()
  const snapshot = (await call(...tools.look)).split('\n')
  const refOf = (part: RegExp): string => {
    const ref = tools.refIn(snapshot.find((line) => part.test(line)) ?? '')
    if (ref === undefined) throw new Error(`no ${part} in ${snapshot.join(' ')}`)
    return ref
  }
  await call(...tools.fill(refOf(/textbox "Name/), 'Ada Lovelace'))
  await call(...tools.fill(refOf(/textbox "Email/), 'ada@example.org'))
  await call(...tools.click(refOf(/button "Create/)))
  await visit.final()
  close()
}

/** The least of https://modelcontextprotocol.io over standard input and output. */
async function connectMcp({ program, args }: Server) {
  const file = fileURLToPath(new URL(`../../node_modules/${program}`, import.meta.url))
  // In the folder of the run, because it keeps notes where it is.
  const child = spawn(process.execPath, [file, ...args], {
    cwd: tmpdir(),
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const waiting = new Map<number, PromiseWithResolvers<Answer>>()
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id, result, error } = JSON.parse(line)
    if (error) waiting.get(id)?.reject(new Error(error.message))
    else waiting.get(id)?.resolve(result)
  })
  let lastId = 0
  const send = (message: object): void =>
    void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const ask = (method: string, params: object): Promise<Answer> => {
    const answer = Promise.withResolvers<Answer>()
    waiting.set(++lastId, answer)
    send({ id: lastId, method, params })
    return answer.promise
  }
  const clientInfo = { name: 'bench', version: '1' }
  await ask('initialize', { protocolVersion: '2024-11-05', capabilities: {}, clientInfo })
  send({ method: 'notifications/initialized' })
  return {
    async call(name: string, args: object): Promise<string> {
      const { content = [], isError } = await ask('tools/call', { name, arguments: args })
      const text = content.map((part) => part.text ?? '').join('\n')
      if (isError) throw new Error(text)
      return text
    },
    close: () => void child.kill(),
  }
}

interface Answer {
  content?: { text?: string }[]
  isError?: boolean
}
