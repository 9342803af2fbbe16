import { type KeyObject, verify } from 'node:crypto'
import {
  type InnerList,
  type Item,
  isInnerList,
  type Parameters,
  parseDictionary,
  serializeInnerList,
  serializeItem,
} from 'structured-headers'
import type { SignedRequest } from '../../visit/agent-identity.ts'

/** One signature of a request, read from `Signature-Input` and `Signature`. */
export interface MessageSignature {
  /** Covered components, such as `"@authority"` or `"signature-agent";key="g"`. */
  components: readonly Item[]
  /** The inner list with its parameters, as its signer serialised it. */
  signatureParams: string
  parameters: Parameters
  bytes: Uint8Array
}

/** Under which of its possible names the client saw this server. */
export interface SeenAs {
  authority: string
  target: string
}

/** More would only take time: agents send one, and a proxy in between may add another. */
const SIGNATURES_MAX = 4
const COMPONENTS_MAX = 24
const FIELD_LENGTH_MAX = 8_192

/**
 * The signatures of a request (RFC 9421, section 4, https://www.rfc-editor.org/rfc/rfc9421#section-4). Undefined when the
 * two fields cannot be read.
 */
export function readSignatures(request: SignedRequest): MessageSignature[] | undefined {
  const [inputs, signatures] = ['signature-input', 'signature'].map((name) => dictionaryOf(request, name))
  if (!inputs || !signatures || inputs.size > SIGNATURES_MAX) return undefined
  const found: MessageSignature[] = []
  for (const [label, input] of inputs) {
    const signature = signatures.get(label)
    if (!isInnerList(input) || !signature || isInnerList(signature)) return undefined
    const [components, parameters] = input
    const [bytes] = signature
    if (!(bytes instanceof ArrayBuffer) || components.length > COMPONENTS_MAX) return undefined
    found.push({
      components,
      parameters,
      signatureParams: serializeInnerList(input as InnerList),
      bytes: new Uint8Array(bytes),
    })
  }
  return found
}

type Dictionary = ReturnType<typeof parseDictionary>

/** Every covered member of a field asks for it again, and anybody may cover many. */
const parsedFields = new WeakMap<SignedRequest, Map<string, Dictionary | undefined>>()

/** A field as a dictionary; undefined when it is missing, too long or malformed. */
export function dictionaryOf(request: SignedRequest, name: string): Dictionary | undefined {
  const known = parsedFields.get(request) ?? new Map<string, Dictionary | undefined>()
  parsedFields.set(request, known)
  if (!known.has(name)) known.set(name, parsed(request, name))
  return known.get(name)
}

function parsed(request: SignedRequest, name: string): Dictionary | undefined {
  const value = fieldOf(request, name)
  if (value === undefined || value.length > FIELD_LENGTH_MAX) return undefined
  try {
    return parseDictionary(value)
  } catch {
    return undefined
  }
}

/** The values of a field in one line, as section 2.1 joins them; undefined without the field. */
export function fieldOf({ headers }: SignedRequest, name: string): string | undefined {
  const values = headers.filter(([known]) => known === name).map(([, value]) => value.trim())
  return values.length === 0 ? undefined : values.join(', ')
}

/** Whether a component's name is this one, whatever its parameters are. */
export const covers = ({ components }: MessageSignature, name: string): boolean =>
  components.some(([covered]) => covered === name)

const DERIVED: readonly string[] = [
  '@method',
  '@authority',
  '@scheme',
  '@target-uri',
  '@request-target',
  '@path',
  '@query',
]

/** Whether every component is of a kind that can be checked here: no `sf`, `bs`, `req`, `tr` or `@query-param`. */
export const isSupported = ({ components }: MessageSignature): boolean =>
  components.every(([name, parameters]) => {
    if (typeof name !== 'string') return false
    if (name.startsWith('@')) return parameters.size === 0 && DERIVED.includes(name)
    return parameters.size === (parameters.has('key') ? 1 : 0)
  })

/** A line break in a value would begin another line of what is signed. */
const FIELD_TEXT = /^[\t\x20-\x7e\x80-\xff]*$/

/**
 * What the signature is of (section 2.5). Undefined when it covers something that the request lacks, that occurs twice,
 * or that is not supported here: `sf`, `bs`, `req` and `tr`, and single query parameters.
 */
export function signatureBase(
  signature: Pick<MessageSignature, 'components' | 'signatureParams'>,
  request: SignedRequest,
  seen: SeenAs,
): string | undefined {
  const lines = new Map<string, string>()
  for (const component of signature.components) {
    const [name, parameters] = component
    if (typeof name !== 'string') return undefined
    const value = componentValue(name, parameters, request, seen)
    const id = serializeItem(component)
    if (value === undefined || !FIELD_TEXT.test(value) || lines.has(id)) return undefined
    lines.set(id, value)
  }
  const covered = [...lines].map(([id, value]) => `${id}: ${value}`)
  return [...covered, `"@signature-params": ${signature.signatureParams}`].join('\n')
}

function componentValue(
  name: string,
  parameters: Parameters,
  request: SignedRequest,
  seen: SeenAs,
): string | undefined {
  if (name.startsWith('@')) return parameters.size === 0 ? derivedValue(name, request, seen) : undefined
  const key = parameters.get('key')
  if (parameters.size > (key === undefined ? 0 : 1)) return undefined
  if (key === undefined) return fieldOf(request, name)
  const member = typeof key === 'string' ? dictionaryOf(request, name)?.get(key) : undefined
  if (!member) return undefined
  return isInnerList(member) ? serializeInnerList(member) : serializeItem(member)
}

/** Section 2.2. */
function derivedValue(name: string, { method, scheme }: SignedRequest, seen: SeenAs): string | undefined {
  const [path = '/', ...query] = seen.target.split('?')
  switch (name) {
    case '@method':
      return method
    case '@authority':
      return seen.authority
    case '@scheme':
      return scheme
    case '@target-uri':
      return `${scheme}://${seen.authority}${seen.target}`
    case '@request-target':
      return seen.target
    case '@path':
      return path === '' ? '/' : path
    case '@query':
      return `?${query.join('?')}`
    default:
      return undefined
  }
}

/** Ed25519 has one encoding for each signature, so nothing can be changed about a valid one. */
const SIGNATURE_BYTES = 64

/** Under which name of this server the key made the signature; undefined when it did not. */
export function verifyMessage(
  signature: MessageSignature,
  request: SignedRequest,
  key: KeyObject,
): SeenAs | undefined {
  if (signature.bytes.length !== SIGNATURE_BYTES) return undefined
  for (const authority of request.authorities)
    for (const target of request.targets) {
      const seen = { authority, target }
      const base = signatureBase(signature, request, seen)
      if (base !== undefined && verify(null, Buffer.from(base, 'latin1'), key, signature.bytes)) return seen
    }
  return undefined
}
