import { allocate, authenticated, udpClient } from './turn-client.ts'

/** What the server hands a browser over its channel. */
export interface TurnTask {
  urls: string[]
  username: string
  credential: string
}

/** Does over UDP what a browser does with the task; resolves when the server has answered, and so has seen it. */
export async function passNetworkCheck({ urls, username, credential }: TurnTask): Promise<void> {
  const port = Number(/:(\d+)\?transport=udp$/.exec(urls[0] ?? '')?.[1])
  const client = await udpClient(port)
  const { nonce } = await client.ask(allocate())
  const { code } = await client.ask(authenticated({ username, credential }, { nonce: nonce.toString() }))
  if (code !== 403) throw new Error(`the responder answered ${code}`)
}
