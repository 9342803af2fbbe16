import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { HeaderFacts } from '../../visit/network-evidence.ts'
import { headerFacts } from './connection-evidence.ts'

/** The facts that a real server extracts from a raw request. */
async function sent(...lines: string[]): Promise<HeaderFacts> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close().closeAllConnections())
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  onTestFinished(() => void client.destroy())
  client.write(['POST / HTTP/1.1', ...lines, '', ''].join('\r\n'))
  return new Promise((resolve) => server.once('request', (request) => resolve(headerFacts(request))))
}

describe('the headers of a request', () => {
  test('are listed in order and case, with the values that are compared', async () => {
    const facts = await sent(
      'Host: localhost',
      'sec-ch-ua-platform: "Linux"',
      'User-Agent: Mozilla/5.0',
      'sec-ch-ua: "Not:A-Brand";v="8", "Chromium";v="156"',
      'Cookie: secret=1',
      'Accept-Language: de-DE,de;q=0.9',
      'Accept: */*',
      'Sec-Fetch-Mode: cors',
      'X-Twice: 1',
      'x-twice: 2',
    )
    expect(facts).toEqual({
      httpVersion: '1.1',
      names: [
        'Host',
        'sec-ch-ua-platform',
        'User-Agent',
        'sec-ch-ua',
        'Cookie',
        'Accept-Language',
        'Accept',
        'Sec-Fetch-Mode',
        'X-Twice',
        'x-twice',
      ],
      acceptLanguage: 'de-DE,de;q=0.9',
      clientHintPlatform: 'Linux',
      clientHintBrands: '"Not:A-Brand";v="8", "Chromium";v="156"',
      fetchMetadata: '/cors/',
      accept: '*/*',
    })
    expect(JSON.stringify(facts)).not.toContain('secret')
  })

  test('have empty values when they were not sent', async () => {
    expect(await sent('Host: localhost')).toEqual({
      httpVersion: '1.1',
      names: ['Host'],
      acceptLanguage: '',
      clientHintPlatform: '',
      clientHintBrands: '',
      fetchMetadata: '//',
      accept: '',
    })
  })

  test('are limited in number and length', async () => {
    const many = Array.from({ length: 200 }, (_, index) => `X-${index}${'x'.repeat(30)}: 1`)
    const long = `X-${'y'.repeat(5_000)}: 1`
    const facts = await sent('Host: localhost', long, `Accept-Language: ${'en,'.repeat(1_000)}`, ...many)
    expect(facts.names).toHaveLength(64)
    expect(Math.max(...facts.names.map((name) => name.length))).toBe(64)
    expect(facts.acceptLanguage).toHaveLength(512)
  })
})
