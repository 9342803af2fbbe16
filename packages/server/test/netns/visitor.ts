import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Visit } from './customer.ts'
import { first, type Namespace } from './namespace.ts'
import { SERVICE_ADDRESS, type Service, SHOP } from './service.ts'

const LINUX = {
  userAgent:
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36',
  platform: 'Linux x86_64',
}
const WINDOWS = {
  userAgent:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36',
  platform: 'Win32',
}

export interface VisitorSettings {
  url: string
  /** The address of the URL's host. */
  address: string
  origin: string
  publicKey: string
  requestId: string
  account: string
  userAgent: string
  platform: string
}

/** Commands, sent one after the other; each gets an answer. */
export type VisitorTask =
  | { do: 'report'; answered: boolean }
  /** Gets a challenge of the network check, and returns the answer to it without sending it. */
  | { do: 'challenge' }
  /** Sends a message to the responder and returns the error code of the response. */
  | { do: 'send'; message: string }

export interface Visitor {
  requestId: string
  account: string
  /** Sends the browser's report on the network check, which ends the visit. */
  report(answered: boolean): Promise<void>
  /** The signed answer to a challenge of this visitor. */
  challenged(): Promise<string>
  /** Sends a signed answer from this visitor's address; 403 means that it was accepted. */
  send(message: string): Promise<number>
  passNetworkCheck(): Promise<void>
}

export interface VisitorOptions {
  os?: 'Linux' | 'Windows'
  /** Inkling's URL, if a proxy is in front of it. */
  at?: string
}

const PROGRAM = fileURLToPath(new URL('visitor-program.ts', import.meta.url))

/** A minimal browser controlled by the test. Its visit is posted and its channel is open. */
export async function openVisitor(
  client: Namespace,
  service: Service,
  { os = 'Linux', at = SERVICE_ADDRESS }: VisitorOptions = {},
): Promise<Visitor> {
  const settings: VisitorSettings = {
    url: service.url,
    address: at,
    origin: `http://${SHOP}`,
    publicKey: service.keys.public_key,
    requestId: randomUUID(),
    account: randomUUID(),
    ...(os === 'Linux' ? LINUX : WINDOWS),
  }
  const program = client.start(process.execPath, [PROGRAM, JSON.stringify(settings)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  await first(program, once(program, 'message'))

  async function ask(task: VisitorTask): Promise<unknown> {
    const answered = first(program, once(program, 'message'))
    program.send(task)
    const [answer] = await answered
    return answer
  }
  const visitor = {
    requestId: settings.requestId,
    account: settings.account,
    report: async (answered: boolean) => void (await ask({ do: 'report', answered })),
    challenged: async () => String(await ask({ do: 'challenge' })),
    send: async (message: string) => Number(await ask({ do: 'send', message })),
  }
  return {
    ...visitor,
    async passNetworkCheck() {
      const code = await visitor.send(await visitor.challenged())
      if (code !== 403) throw new Error(`the responder answered ${code}`)
    },
  }
}

/** All steps of an ordinary visitor. */
export async function completeVisit(
  client: Namespace,
  service: Service,
  options: VisitorOptions = {},
): Promise<Visit> {
  const visitor = await openVisitor(client, service, options)
  await visitor.passNetworkCheck()
  await visitor.report(true)
  return service.customer.visit(visitor.account)
}
