import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type Socket } from 'node:net'

/** An HTTP proxy with CONNECT only. Arguments: PORT TARGET_ADDRESS. Every host name resolves to the target. */

const [port, target] = process.argv.slice(2)
const server = createServer((_request, response) => response.writeHead(405).end())

server.on('connect', ({ url = '' }, client: Socket, head: Buffer) => {
  const upstream = connect({ host: target, port: Number(url.split(':').at(-1)), noDelay: true })
  client.setNoDelay(true)
  upstream.on('error', () => client.destroy())
  client.on('error', () => upstream.destroy())
  upstream.once('connect', () => {
    client.write('HTTP/1.1 200 Connection established\r\n\r\n')
    upstream.write(head)
    client.pipe(upstream).pipe(client)
  })
})
server.listen(Number(port), '0.0.0.0')
await once(server, 'listening')
process.send?.('ready')
