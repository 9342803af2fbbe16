import type { HeaderFacts } from '../visit/network-evidence.ts'

/** Browsers send about twenty; names beyond these only cost room. */
const NAMES_MAX = 64
const NAME_LENGTH_MAX = 64
const VALUE_LENGTH_MAX = 512

type Headers = NodeJS.Dict<string | string[]>

export interface RequestHead {
  httpVersion: string
  /** Names and values in turn, as `node:http` and the compatibility layer of `node:http2` give them. */
  rawHeaders: readonly string[]
  headers: Headers
}

/** Names in their order and the few values that are compared with the browser's own word; all cut in length. */
export const headerFacts = ({ httpVersion, rawHeaders, headers }: RequestHead): HeaderFacts => ({
  httpVersion,
  names: rawHeaders
    .slice(0, NAMES_MAX * 2)
    .filter((_, index) => index % 2 === 0)
    .map((name) => name.slice(0, NAME_LENGTH_MAX)),
  acceptLanguage: cutValue(headers, 'accept-language'),
  clientHintPlatform: cutValue(headers, 'sec-ch-ua-platform').replace(/^"(.*)"$/, '$1'),
  clientHintBrands: cutValue(headers, 'sec-ch-ua'),
})

const cutValue = (headers: Headers, name: string): string =>
  (headers[name]?.toString() ?? '').slice(0, VALUE_LENGTH_MAX)
