import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { brokenBytes, malformedRequest, type Surfaces } from './malformed-requests.ts'
import { type RandomSource, randomSource } from './random-source.ts'
import type { RawRequest } from './raw-request.ts'

/** One in this many requests is not HTTP; it needs its own socket. */
const BROKEN_EVERY = 20
const CLIENTS = 6

interface Answer {
  /** Undefined when the server only closed the socket. */
  status: number | undefined
  /** Head and body. */
  text: string
}

function sendRequest(
  { method, path, headers = {}, body }: RawRequest,
  { port, agent }: { port: number; agent: Agent },
): Promise<Answer> {
  const framed = body === undefined ? headers : { ...headers, 'content-length': `${Buffer.byteLength(body)}` }
  return new Promise((resolve, reject) => {
    const sending = request({ host: '127.0.0.1', port, method, path, headers: framed, agent }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const head = response.rawHeaders.join('\n')
        resolve({
          status: response.statusCode,
          text: `${head}\n\n${Buffer.concat(chunks).toString('latin1')}`,
        })
      })
    })
    sending.on('error', (error: NodeJS.ErrnoException) => {
      // A request that cannot be parsed is rejected before its method is known, so HEAD gets a body, too.
      const refused = method === 'HEAD' && error.code?.startsWith('HPE_')
      if (refused) resolve({ status: undefined, text: '' })
      else reject(new Error(`${method} ${path.slice(0, 300)}`, { cause: error }))
    })
    sending.end(body)
  })
}

/** Resolves when the server answers or closes; the test times out otherwise. */
function sendBytes(bytes: Buffer, port: number): Promise<Answer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    const socket = connect(port, '127.0.0.1', () => socket.end(bytes))
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    // A reset counts as a response.
    socket.on('error', () => undefined)
    socket.on('close', () => {
      const text = Buffer.concat(chunks).toString('latin1')
      const status = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]
      resolve({ status: status === undefined ? undefined : Number(status), text })
    })
  })
}

/** Signs of a stack, of our files, or of Node's modules. */
const LEAK = /node:|\.ts[:"]|\/packages\/|\n\s+at |node_modules|SQLITE|sqlite|ECONN|Error:/

/** The only 5xx in the contract: a malformed value in a History search. */
const MALFORMED_VALUE =
  /\{"error":"code: (?:53, message: Cannot convert string '.*' to type UUID|6, message: Cannot parse string '.*' as IPv4)"\}\n$/s

function problemOf(
  { method, path }: { method?: string; path: string },
  { status, text }: Answer,
  secrets: readonly string[],
): string | undefined {
  // Files that are the same for everybody may contain such words.
  const isFile = status === 200 && /content-type\n(?:text|application\/(?:schema|json)|image)/i.test(text)
  const isPublic = /^\/(?:agent|snippet|docs|openapi|schemas|dashboard|demo|embed|client|$|\?)/.test(path)
  if (!(isFile && isPublic) && LEAK.test(text)) return 'reveals internals'
  // Operators are shown where the data is.
  const hidden = path.startsWith('/account/health') ? [] : secrets
  for (const secret of hidden) if (text.includes(secret)) return 'reveals a secret'
  if (status === undefined || status < 500) return undefined
  const mayFail = /^\/(?:api\/v1\/history|pub)\//.test(path)
  if (status === 500 && mayFail && (method === 'HEAD' || MALFORMED_VALUE.test(text))) return undefined
  return `answers ${status}`
}

export interface MalformedTarget {
  port: number
  surfaces: Surfaces
  /** Texts that no answer may contain. */
  secrets: readonly string[]
}

interface Outcome {
  status: number | undefined
  problem?: string
}

/** Sends `count` requests, several at a time, and counts the answers by status. Returns what is wrong with them. */
export async function sendMalformed(
  { port, surfaces, secrets }: MalformedTarget,
  { count, seed, statuses }: { count: number; seed: number; statuses: Map<string, number> },
): Promise<string[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS })
  const problems: string[] = []
  let next = 0

  async function sendOne(random: RandomSource, index: number): Promise<Outcome> {
    if (index % BROKEN_EVERY === 0) {
      const bytes = brokenBytes(random, surfaces.keys)
      const answer = await sendBytes(bytes, port)
      // Some of these are requests after all.
      const [, path = ''] = /^\S+ (\S+)/.exec(bytes.toString('latin1')) ?? []
      const problem = problemOf({ path }, answer, secrets)
      const summary = bytes.toString('latin1').slice(0, 400)
      return { status: answer.status, ...(problem && { problem: `${problem}: ${summary}` }) }
    }
    const sent = malformedRequest(random, surfaces)
    const answer = await sendRequest(sent, { port, agent })
    const problem = problemOf(sent, answer, secrets)
    if (!problem) return { status: answer.status }
    const summary = `${sent.method} ${sent.path.slice(0, 300)} ${JSON.stringify(sent.headers).slice(0, 600)}`
    return { status: answer.status, problem: `${problem}: ${summary} ${answer.text.slice(0, 600)}` }
  }

  const client = async () => {
    while (next < count) {
      const index = next
      next += 1
      // Each request has its own seed, so the order of the clients does not matter.
      const { status, problem } = await sendOne(randomSource(seed + index * 7_919), index)
      const name = String(status ?? 'closed')
      statuses.set(name, (statuses.get(name) ?? 0) + 1)
      if (problem) problems.push(`request ${index} of seed ${seed} ${problem}`)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  agent.destroy()
  return problems
}
