import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createBodyDecoder } from './decode-body.ts'

const REQUEST_ID = '0b5a3f0c-8d8e-4f55-9d49-7a51f3c0f0aa'

/** The agent's half, written from the published layout and sharing no code with the decoder. */
function encrypt(serverKey: Buffer, plaintext: string, requestId: string): Buffer {
  const ephemeral = createECDH('prime256v1')
  const point = ephemeral.generateKeys()
  const nonce = randomBytes(12)
  const key = hkdfSync('sha256', ephemeral.computeSecret(serverKey), point, 'inkling ingest v1', 32)
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(key), nonce)
  cipher.setAAD(Buffer.from(requestId))
  const text = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return Buffer.concat([Buffer.from([1]), point, nonce, text])
}

describe('ingest body', () => {
  const decoder = createBodyDecoder(randomBytes(32))

  test('plain JSON passes as it is', () => {
    expect(decoder.decode(Buffer.from('{"a":"≠"}'), REQUEST_ID)).toBe('{"a":"≠"}')
  })

  test('an encrypted body opens under its request ID, in whatever case the path has it', () => {
    const body = encrypt(decoder.publicKey, '{"a":1}', REQUEST_ID)
    expect(decoder.decode(body, REQUEST_ID)).toBe('{"a":1}')
    expect(decoder.decode(body, REQUEST_ID.toUpperCase())).toBe('{"a":1}')
  })

  test('it does not open under another request ID, so a captured one cannot be sent again', () => {
    const body = encrypt(decoder.publicKey, '{"a":1}', REQUEST_ID)
    expect(() => decoder.decode(body, REQUEST_ID.replace('0b', '1b'))).toThrow('body could not be decrypted')
  })

  test('a cut, changed or senseless body is refused', () => {
    const body = encrypt(decoder.publicKey, '{"a":1}', REQUEST_ID)
    const changed = Buffer.from(body)
    changed.writeUInt8(changed.readUInt8(80) ^ 1, 80)
    for (const bad of [changed, body.subarray(0, 90), Buffer.from([1]), Buffer.alloc(200, 1)])
      expect(() => decoder.decode(bad, REQUEST_ID)).toThrow('body could not be decrypted')
  })
})
