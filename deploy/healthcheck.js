import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'

// Runs inside the container. The certificate is for the public host name, not for this address, so it is not verified.
const { HOST = '', PORT = '8080', TLS_CERT = '' } = process.env
const everywhere = ['', '0.0.0.0', '::']
const request = TLS_CERT === '' ? httpRequest : httpsRequest

request(
  {
    host: everywhere.includes(HOST) ? '127.0.0.1' : HOST,
    port: PORT,
    path: '/health',
    rejectUnauthorized: false,
    timeout: 4_000,
  },
  (response) => process.exit(response.statusCode === 200 ? 0 : 1),
)
  .on('timeout', () => process.exit(1))
  .on('error', () => process.exit(1))
  .end()
