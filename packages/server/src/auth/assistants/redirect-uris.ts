const LENGTH_MAX = 2_000

/** Programs on the machine of the user listen on a port that the system chooses (RFC 8252, section 7.3). */
const LOOPBACK_HOSTS = ['127.0.0.1', '[::1]', 'localhost']

/** Schemes of known programs. Others need a dot, like a domain name backwards (RFC 8252, section 7.1). */
const PROGRAM_SCHEMES = ['cursor:', 'vscode:', 'vscode-insiders:', 'claude:', 'zed:', 'windsurf:']
const REVERSED_DOMAIN = /^[a-z][a-z0-9-]*(\.[a-z0-9-]+)+:$/

/**
 * Whether codes may be sent to an address: over TLS, to this machine, or to a program by a scheme of its own. A scheme
 * that runs something in the page, such as `javascript:`, is none of these.
 */
export function isAllowedRedirect(text: string): boolean {
  const url = text.length <= LENGTH_MAX && /^[\x21-\x7e]+$/.test(text) ? URL.parse(text) : null
  if (!url) return false
  if (text.includes('#') || url.username !== '' || url.password !== '') return false
  if (url.protocol === 'https:') return true
  if (url.protocol === 'http:') return isLoopback(url)
  return PROGRAM_SCHEMES.includes(url.protocol) || REVERSED_DOMAIN.test(url.protocol)
}

/** Compared as texts, except that the port of a program on this machine is free. */
export function isRegisteredRedirect(text: string, registered: readonly string[]): boolean {
  if (!isAllowedRedirect(text)) return false
  return registered.includes(text) || registered.some((known) => isSameProgram(text, known))
}

function isSameProgram(text: string, known: string): boolean {
  const [given, listed] = [URL.parse(text), URL.parse(known)]
  if (!given || !listed || !isLoopback(given)) return false
  return withoutPort(given) === withoutPort(listed)
}

const isLoopback = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && LOOPBACK_HOSTS.includes(hostname)

const withoutPort = ({ protocol, hostname, pathname, search }: URL): string =>
  `${protocol}//${hostname}${pathname}${search}`

/** How an address is shown to a person who decides. */
export function redirectTarget(text: string): { sentTo: string; onThisMachine: boolean } {
  const url = new URL(text)
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:'
  return { sentTo: isWeb ? url.hostname : url.protocol, onThisMachine: isLoopback(url) || !isWeb }
}
