import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/**
 * A SOCKS5 proxy (https://www.rfc-editor.org/rfc/rfc1928) without passwords. Arguments: PORT TARGET_ADDRESS. Every host
 * name resolves to the target.
 */

const [port, target] = process.argv.slice(2)
const NO_PASSWORD = Buffer.from([5, 0])
const CONNECTED = Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0])

const server = createServer({ noDelay: true }, (client) => {
  client.on('error', () => client.destroy())
  client.once('data', () => {
    client.write(NO_PASSWORD)
    client.once('data', (request: Buffer) => join(client, request.readUInt16BE(request.length - 2)))
  })
})

function join(client: Socket, targetPort: number): void {
  const upstream = connect({ host: target, port: targetPort, noDelay: true })
  upstream.on('error', () => client.destroy())
  client.on('error', () => upstream.destroy())
  upstream.once('connect', () => {
    client.write(CONNECTED)
    client.pipe(upstream).pipe(client)
  })
}
server.listen(Number(port), '0.0.0.0')
await once(server, 'listening')
process.send?.('ready')
