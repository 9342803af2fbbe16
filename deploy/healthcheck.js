import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'

// Runs inside the container. The certificate is for the public host name, not for this address, so it is not verified.
// An empty variable counts as unset, as in the server.
const { HOST, PORT, TLS_CERT } = process.env
const everywhere = ['0.0.0.0', '::']
const request = TLS_CERT ? httpsRequest : httpRequest

request(
  {
    host: !HOST || everywhere.includes(HOST) ? '127.0.0.1' : HOST,
    port: PORT || '8080',
    path: '/health',
    rejectUnauthorized: false,
    timeout: 4_000,
  },
  (response) => process.exit(response.statusCode === 200 ? 0 : 1),
)
  .on('timeout', () => process.exit(1))
  .on('error', () => process.exit(1))
  .end()
