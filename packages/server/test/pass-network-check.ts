import { allocate, authenticated, udpClient } from './turn-client.ts'

/** The task that the server sends over the channel. */
export interface TurnTask {
  urls: string[]
  username: string
  credential: string
}

/** Runs the network check over UDP like a browser. Resolves when the server has responded, and so has sighted it. */
export async function passNetworkCheck({ urls, username, credential }: TurnTask): Promise<void> {
  const port = Number(/:(\d+)\?transport=udp$/.exec(urls[0] ?? '')?.[1])
  const client = await udpClient(port)
  const { nonce } = await client.ask(allocate())
  const { code } = await client.ask(authenticated({ username, credential }, { nonce: nonce.toString() }))
  if (code !== 403) throw new Error(`the responder answered ${code}`)
}
