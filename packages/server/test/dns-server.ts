import { createSocket } from 'node:dgram'
import { once } from 'node:events'

/** The records of a name and type, or the reason for having none. `silence` means no response. */
export type DnsAnswer = readonly string[] | 'no_such_name' | 'server_failure' | 'silence'

export interface DnsServer {
  /** For `Resolver.setServers`. */
  address: string
  /** Names and types that were queried, in order, such as `crawl.example A`. */
  asked: string[]
  close(): Promise<void>
}

const TYPES = new Map([
  [1, 'A'],
  [12, 'PTR'],
  [28, 'AAAA'],
])
const CODES = { no_such_name: 3, server_failure: 2 }

/** A DNS server on the loopback address. `zone` gets keys such as `crawl.example A`. */
export async function startDnsServer(zone: (question: string) => DnsAnswer): Promise<DnsServer> {
  const socket = createSocket('udp4')
  const asked: string[] = []
  socket.on('message', (query, { port, address }) => {
    const { question, end } = readQuestion(query)
    asked.push(question)
    const answer = zone(question)
    if (answer !== 'silence') socket.send(reply(query.subarray(0, end), answer), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    async close() {
      socket.close()
      await once(socket, 'close')
    },
  }
}

/** Labels with their lengths, then type and class: https://www.rfc-editor.org/rfc/rfc1035#section-4.1.2 */
function readQuestion(query: Buffer): { question: string; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  const type = TYPES.get(query.readUInt16BE(at + 1)) ?? 'other'
  return { question: `${labels.join('.').toLowerCase()} ${type}`, end: at + 5 }
}

/** The query's header and question, marked as a response, and a record for each value. */
function reply(query: Buffer, answer: Exclude<DnsAnswer, 'silence'>): Buffer {
  const values = typeof answer === 'string' ? [] : answer
  const head = Buffer.from(query)
  head.writeUInt16BE(0x8180 | (typeof answer === 'string' ? CODES[answer] : 0), 2)
  head.writeUInt16BE(values.length, 6)
  head.writeUInt32BE(0, 8)
  const type = query.subarray(-4, -2)
  return Buffer.concat([head, ...values.map((value) => record(type, value))])
}

function record(type: Buffer, value: string): Buffer {
  const data = encode(type.readUInt16BE(0), value)
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc00c, 0) // a pointer to the name in the question
  type.copy(head, 2)
  head.writeUInt16BE(1, 4) // class IN
  head.writeUInt32BE(60, 6) // TTL in seconds
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}

function encode(type: number, value: string): Buffer {
  if (type === 1) return Buffer.from(value.split('.').map(Number))
  if (type === 28) return encodeIpv6(value)
  const labels = value.split('.').map((label) => Buffer.from(`\0${label}`, 'latin1'))
  for (const label of labels) label.writeUInt8(label.length - 1, 0)
  return Buffer.concat([...labels, Buffer.alloc(1)])
}

function encodeIpv6(value: string): Buffer {
  const [before = [], after = []] = value.split('::').map((part) => part.split(':').filter(Boolean))
  const groups = [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after]
  return Buffer.from(groups.map((group) => group.padStart(4, '0')).join(''), 'hex')
}
