import { inTurn } from '../visit/in-turn.ts'
import { keepLiving, livingSession } from './living-session.ts'
import { readItem, writeItem } from './safe-storage.ts'
import { newUuid, uuidOrUndefined } from './uuid.ts'

const OWN = 'inkling_session'

let joined: { id: string; leave: () => void } | undefined

/**
 * The visit that this tab belongs to: shared by the open tabs of the origin, new after the last one
 * closes. A tab that is alone goes on with what its sessionStorage has, which survives reloading and
 * same-tab navigation (and a closed tab that is opened again). To be called in turn.
 */
export async function joinSession(): Promise<string> {
  if (joined) return joined.id
  const id = (await livingSession()) ?? uuidOrUndefined(readItem('sessionStorage', OWN)) ?? newUuid()
  writeItem('sessionStorage', OWN, id)
  joined = { id, leave: await keepLiving(id) }
  addEventListener('pagehide', leaveSession, { once: true })
  return id
}

/** A page that holds locks or channels is not kept for the back button, so it lets go and asks anew. */
function leaveSession(): void {
  joined?.leave()
  joined = undefined
  // Once hidden, a page is shown only when it comes back that way.
  addEventListener('pageshow', () => void inTurn(joinSession).catch(() => undefined), { once: true })
}
