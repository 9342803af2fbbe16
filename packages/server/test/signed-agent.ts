import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/** An agent's key, as its operator publishes it. */
export interface AgentKey {
  privateKey: KeyObject
  thumbprint: string
  jwk: { kty: string; crv: string; x: string; kid?: string }
}

export function agentKey(): AgentKey {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const { x = '' } = publicKey.export({ format: 'jwk' })
  const thumbprint = createHash('sha256')
    .update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`)
    .digest('base64url')
  return { privateKey, thumbprint, jwk: { kty: 'OKP', crv: 'Ed25519', x, kid: thumbprint } }
}

export interface ToSign {
  key: AgentKey
  authority: string
  /** Of `Signature-Agent`, as it is sent. */
  agent: string
  method?: string
  path?: string
  /** Serialised component with its value, in order. Default: authority, method, path and agent. */
  components?: readonly (readonly [id: string, value: string])[]
  /** Unix seconds. */
  created?: number
  expires?: number
  keyId?: string
  tag?: string
  nonce?: string | undefined
}

/**
 * The three headers of a signed request. The base is written out here on its own, so that it does not follow the server's.
 */
export function signedHeaders({
  key,
  authority,
  agent,
  method = 'GET',
  path = '/',
  components = [
    ['"@authority"', authority],
    ['"@method"', method],
    ['"@path"', path],
    ['"signature-agent"', agent],
  ],
  created = Math.floor(Date.now() / 1_000),
  expires = created + 300,
  keyId = key.thumbprint,
  tag = 'web-bot-auth',
  nonce = randomBytes(32).toString('base64'),
}: ToSign): Record<'signature-agent' | 'signature-input' | 'signature', string> {
  const params = `(${components.map(([id]) => id).join(' ')});created=${created};expires=${expires};keyid="${keyId}";alg="ed25519";nonce="${nonce}";tag="${tag}"`
  const base = [...components.map(([id, value]) => `${id}: ${value}`), `"@signature-params": ${params}`]
  const bytes = sign(null, Buffer.from(base.join('\n'), 'latin1'), key.privateKey)
  return {
    'signature-agent': agent,
    'signature-input': `sig1=${params}`,
    signature: `sig1=:${bytes.toString('base64')}:`,
  }
}
