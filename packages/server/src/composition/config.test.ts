import { describe, expect, test } from 'vitest'
import { publicUrls, readConfig, readServerConfig } from './config.ts'

describe('settings', () => {
  test('without any variable the documented defaults apply', () => {
    expect(readConfig({})).toMatchObject({
      HOST: '127.0.0.1',
      PORT: 8080,
      DATA_DIR: './data',
      SERVICE_NAME: 'Svc',
      TRUST_PROXY: [],
      WEBHOOK_RETRIES: 0,
      WEBHOOK_ALLOW_PRIVATE: false,
      STORE_SNAPSHOTS: true,
      LOG_LEVEL: 'info',
    })
  })

  test('an empty variable counts as unset', () => {
    expect(readConfig({ PORT: '' }).PORT).toBe(8080)
  })

  test('every problem is listed, not only the first', () => {
    const read = () => readConfig({ PORT: 'eighty', WEBHOOK_ALLOW_PRIVATE: 'yes', HISTORY_URL: 'ftp://x' })
    expect(read).toThrow(expect.objectContaining({ code: 'INK_CONFIG' }))
    for (const problem of [
      'PORT: Must be a whole number from 0 to 65535.',
      'WEBHOOK_ALLOW_PRIVATE: Must be true or false.',
      'HISTORY_URL: Must be a URL like https://host or https://host/path.',
    ])
      expect(read).toThrow(problem)
  })

  test.each([
    ['PORT', ['eighty', '1.5', '-1', '65536', '-1.5'], 'Must be a whole number from 0 to 65535.'],
    ['RETENTION_DAYS', ['ninety', '-1', '1.5', '-1.5'], 'Must be a whole number, 0 or more.'],
    ['METRICS_PORT', ['on', '0', '1.5'], 'Must be off, or a whole number from 1 to 65535.'],
  ])('a wrong number in %s is one problem, with the numbers that fit', (name, values, problem) => {
    for (const value of values)
      expect(() => readConfig({ [name]: value })).toThrow(`settings are wrong:\n  ${name}: ${problem}`)
  })

  test('for the server the files that settings name are read, too, and every problem is listed', async () => {
    const read = readServerConfig({
      PORT: 'eighty',
      FEEDS: '/nowhere/feeds.json',
      TLS_CERT: '/nowhere/cert.pem',
      TLS_KEY: '/nowhere/key.pem',
      TRUST_PROXY: '10.0.0.0/8, proxy, 10.0.0.0/99',
    })
    const { code, message } = await read.then(
      () => expect.fail('accepted'),
      (error) => error,
    )
    expect(code).toBe('INK_CONFIG')
    for (const part of [
      'PORT: ',
      'FEEDS: ENOENT',
      'TLS_CERT and TLS_KEY: ENOENT',
      '"proxy"',
      '"10.0.0.0/99"',
    ])
      expect(message).toContain(part)
    await expect(readServerConfig({ TRUST_PROXY: '10.0.0.0/8' })).resolves.toMatchObject({ PORT: 8080 })
  })

  test('a certificate without its key is one problem among others', () => {
    const read = () => readConfig({ PORT: 'eighty', TLS_CERT: 'cert.pem' })
    for (const part of ['PORT: ', 'TLS_CERT and TLS_KEY: ']) expect(read).toThrow(part)
  })

  test('base URLs lose a trailing slash and default to the port that was given', () => {
    const config = readConfig({ HISTORY_URL: 'https://history.example/', PORT: '9000' })
    expect(publicUrls(config)).toEqual({
      history: 'https://history.example',
      management: 'http://localhost:9000',
      ingest: 'http://localhost:9000',
      agent: 'http://localhost:9000',
    })
  })
})
