import type { HelloFacts } from '../../visit/network-evidence.ts'
import type { ClientHello } from './client-hello.ts'
import { isNoGrease } from './ja4.ts'

/** Browsers send about eighteen extensions and five groups. More would only use memory. */
const LIST_LENGTH_MAX = 40
const PROTOCOL_LENGTH_MAX = 16

/** What of a ClientHello shows which TLS library wrote it, beyond the JA4. */
export const helloFacts = ({ ciphers, extensions, groups, protocols }: ClientHello): HelloFacts => ({
  grease: !ciphers.every(isNoGrease) && !extensions.every(isNoGrease),
  extensions: extensions.filter(isNoGrease).slice(0, LIST_LENGTH_MAX),
  groups: groups.filter(isNoGrease).slice(0, LIST_LENGTH_MAX),
  protocols: protocols.map((protocol) => protocol.toString('latin1').slice(0, PROTOCOL_LENGTH_MAX)),
})
