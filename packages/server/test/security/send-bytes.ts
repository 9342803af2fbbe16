import { connect } from 'node:net'

/** Sends bytes and returns everything until the server closes or resets the connection. */
export function sendBytes(port: number, bytes: string | Uint8Array): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')))
  })
}
