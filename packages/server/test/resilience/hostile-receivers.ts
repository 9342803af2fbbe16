import { createServer as createHttpServer, type ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net'
import { onTestFinished } from 'vitest'
import { selfSignedCertificate } from '../self-signed-certificate.ts'

async function listening(server: Server, scheme = 'http'): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    if ('closeAllConnections' in server)
      (server as unknown as { closeAllConnections(): void }).closeAllConnections()
  })
  return `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
}

const answering = (answer: (response: ServerResponse) => void): Promise<string> =>
  listening(createHttpServer((request, response) => void request.resume().on('end', () => answer(response))))

/** Sends a few bytes at a time until the connection closes. */
function drip(response: ServerResponse): void {
  const timer = setInterval(() => response.write('x'), 50)
  response.on('close', () => clearInterval(timer))
}

const CHUNK = Buffer.alloc(64 * 1024)

/** Sends as fast as the other side reads, without an end. */
function pour(response: ServerResponse): void {
  while (!response.destroyed && response.write(CHUNK));
  response.once('drain', () => pour(response))
}

/** Hostile receivers with the expected entry in the delivery log: a status or an error. */
export async function hostileReceivers(): Promise<Record<string, { url: string; logged: RegExp }>> {
  const certificate = await selfSignedCertificate()
  const turns = { count: 0 }
  return {
    'never answers': { url: await answering(() => {}), logged: /no answer in time/ },
    'drips its header': {
      url: await listening(
        createTcpServer((socket) => {
          socket.on('error', () => {}).write('HTTP/1.1 200 OK\r\nX-Long: ')
          const timer = setInterval(() => socket.write('x'), 50)
          socket.on('close', () => clearInterval(timer))
        }),
      ),
      logged: /no answer in time/,
    },
    'drips its body': { url: await answering((response) => drip(response.writeHead(200))), logged: /^200$/ },
    'sends an endless body': {
      url: await answering((response) => pour(response.writeHead(200))),
      logged: /^200$/,
    },
    'sends an endless header': {
      url: await answering((response) => response.writeHead(200, { 'x-long': 'x'.repeat(100_000) }).end()),
      logged: /HEADERS_OVERFLOW|overflow/i,
    },
    'closes at once': {
      url: await listening(createTcpServer((socket) => void socket.on('error', () => {}).destroy())),
      logged: /ECONNRESET|SOCKET/,
    },
    'speaks another protocol': {
      url: await listening(
        createTcpServer((socket) => void socket.on('error', () => {}).end('220 mail ESMTP\r\n')),
      ),
      logged: /does not match the HTTP/,
    },
    'redirects to itself': {
      url: await answering((response) => {
        turns.count += 1
        response.writeHead(307, { location: `/hook?${turns.count}` }).end()
      }),
      logged: /^307$/,
    },
    'has a self-signed certificate': {
      url: await listening(
        createHttpsServer(certificate, (_request, response) => response.end()),
        'https',
      ),
      logged: /CERT|SIGNED/,
    },
    'refuses connections': { url: 'http://127.0.0.1:1/hook', logged: /ECONNREFUSED/ },
  }
}
