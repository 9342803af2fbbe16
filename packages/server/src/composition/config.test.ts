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
    for (const name of ['PORT', 'WEBHOOK_ALLOW_PRIVATE', 'HISTORY_URL']) expect(read).toThrow(name)
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
