import { describe, expect, test } from 'vitest'
import { publicUrls, readConfig } from './config.ts'

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
