import { inForeignFrame } from '../sources/display.ts'
import { readItem, writeItem } from './safe-storage.ts'
import { newUuid, uuidOrUndefined } from './uuid.ts'

const NAME = 'inkling_id'
const TWO_YEARS_SECONDS = 63_072_000

/**
 * The first-party identifier of this browser, a UUID v4. It is kept for two years from its last use in a cookie and in
 * localStorage, and restored from one when the other was cleared. Where they differ the cookie wins, because every
 * port and scheme of the host sees the same one. The cookie is set for this host alone, not for its parent domain.
 */
export function cookieId(): string {
  const id = readCookie() ?? readStored() ?? newUuid()
  writeCookie(id)
  // Of datejs it is a Date.
  writeItem('localStorage', NAME, `${id} ${Number(Date.now()) + TWO_YEARS_SECONDS * 1_000}`)
  return id
}

function readCookie(): string | undefined {
  try {
    const pair = document.cookie.split('; ').find((text) => text.startsWith(`${NAME}=`))
    return uuidOrUndefined(pair?.slice(NAME.length + 1))
  } catch {
    // A sandboxed frame may not read cookies.
    return undefined
  }
}

/** localStorage keeps things forever, so the end of the two years is stored with the identifier. */
function readStored(): string | undefined {
  const [id, endsAtMs] = (readItem('localStorage', NAME) ?? '').split(' ')
  return Number(endsAtMs) > Date.now() ? uuidOrUndefined(id) : undefined
}

function writeCookie(id: string): void {
  // Refused in frames of other sites, and Firefox logs that. The copy in localStorage is enough there.
  if (inForeignFrame()) return
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  try {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing on insecure origins
    document.cookie = `${NAME}=${id}; Max-Age=${TWO_YEARS_SECONDS}; Path=/; SameSite=Lax${secure}`
  } catch {
    // A sandboxed frame. The copy in localStorage, or else in memory, is enough.
  }
}
