import { once } from 'node:events'
import { connect, createServer } from 'node:net'

/** Forwards connections with a PROXY protocol header, version 2. Arguments: PORT TARGET_ADDRESS. */

const [port, target] = process.argv.slice(2)
const SIGNATURE = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1')
const VERSION_2_PROXY = 0x21
const TCP_OVER_IPV4 = 0x11
const ADDRESSES_BYTES = 12

const bytesOf = (address: string | undefined): number[] => (address ?? '').split('.').map(Number)

const server = createServer({ noDelay: true }, (client) => {
  const ports = Buffer.alloc(4)
  ports.writeUInt16BE(client.remotePort ?? 0, 0)
  ports.writeUInt16BE(client.localPort ?? 0, 2)
  const header = Buffer.concat([
    SIGNATURE,
    Buffer.from([VERSION_2_PROXY, TCP_OVER_IPV4, 0, ADDRESSES_BYTES]),
    Buffer.from([...bytesOf(client.remoteAddress), ...bytesOf(client.localAddress)]),
    ports,
  ])
  const upstream = connect({ host: target, port: Number(port), noDelay: true })
  upstream.on('error', () => client.destroy())
  client.on('error', () => upstream.destroy())
  upstream.write(header)
  client.pipe(upstream).pipe(client)
})
server.listen(Number(port), '0.0.0.0')
await once(server, 'listening')
process.send?.('ready')
