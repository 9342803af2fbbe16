import { inForeignFrame } from './in-foreign-frame.ts'
import { readItem, writeItem } from './safe-storage.ts'
import { newUuid, uuidOrUndefined } from './uuid.ts'

const NAME = 'inkling_id'
const TWO_YEARS_SECONDS = 63_072_000

/**
 * The first-party identifier of this browser, kept for two years from its last use in a cookie and in
 * localStorage: what was cleared in one comes back from the other. The cookie wins, as every port and
 * scheme of the host sees the same one. It is set for this host alone, never for its parent domain.
 */
export function cookieId(): string {
  const id = readCookie() ?? readStored() ?? newUuid()
  writeCookie(id)
  writeItem('localStorage', NAME, `${id} ${Date.now() + TWO_YEARS_SECONDS * 1_000}`)
  return id
}

function readCookie(): string | undefined {
  try {
    const pair = document.cookie.split('; ').find((text) => text.startsWith(`${NAME}=`))
    return uuidOrUndefined(pair?.slice(NAME.length + 1))
  } catch {
    // A sandboxed frame may not even read its cookies.
    return undefined
  }
}

/** localStorage keeps things for ever, so the end is stored along. */
function readStored(): string | undefined {
  const [id, endsAtMs] = (readItem('localStorage', NAME) ?? '').split(' ')
  return Number(endsAtMs) > Date.now() ? uuidOrUndefined(id) : undefined
}

function writeCookie(id: string): void {
  // Refused in the frames of other sites, which Firefox tells the console; the copy in localStorage does.
  if (inForeignFrame()) return
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  try {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing on insecure origins
    document.cookie = `${NAME}=${id}; Max-Age=${TWO_YEARS_SECONDS}; Path=/; SameSite=Lax${secure}`
  } catch {
    // As above; the copy in localStorage, or else in memory, does.
  }
}
