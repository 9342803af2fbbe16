import { holdLock, inTurn } from './locks.ts'
import { readItem, writeItem } from './safe-storage.ts'
import { newUuid, uuidOrUndefined } from './uuid.ts'

const OWN = 'inkling_session'

let joined: { id: string; leave: () => void } | undefined

/**
 * The session that this tab belongs to, a UUID v4. The open tabs of an origin share one, and a new one begins after the
 * last of them was closed. A single tab continues the session in its sessionStorage, which survives reloads,
 * navigation within the tab, and reopening the closed tab. Call it within `inTurn`.
 */
export async function joinSession(): Promise<string> {
  if (joined) return joined.id
  const id = (await openSession()) ?? uuidOrUndefined(readItem('sessionStorage', OWN)) ?? newUuid()
  writeItem('sessionStorage', OWN, id)
  joined = { id, leave: await holdSession(id) }
  addEventListener('pagehide', leaveSession, { once: true })
  return id
}

/** Browsers do not keep pages with locks or channels for the back button, so a page gives them up when it is left. */
function leaveSession(): void {
  joined?.leave()
  joined = undefined
  // After `pagehide`, `pageshow` means that the visitor came back with the back button.
  addEventListener('pageshow', () => void inTurn(joinSession).catch(() => undefined), { once: true })
}

const LOCK_PREFIX = 'inkling:session:'
const CHANNEL = 'inkling:session'
const QUESTION = 'which'
const ANSWER_MS = 100
/** The mark of an open tab in localStorage: its answer is worth waiting for, as a busy machine takes its time. */
const MARK = 'inkling_open'
const MARKED_ANSWER_MS = 1_000

/**
 * The session of the other open tabs. Every tab holds a shared Web Lock named after its session. The browser releases
 * it however the tab ends, so the held locks are exactly those of open tabs. Without locks, open tabs are asked.
 */
async function openSession(): Promise<string | undefined> {
  try {
    const { held = [] } = await navigator.locks.query()
    const names = held.map(({ name }) => name ?? '').filter((name) => name.startsWith(LOCK_PREFIX))
    // Sorted, so that all tabs choose the same one even if two began at once.
    return uuidOrUndefined(names.sort()[0]?.slice(LOCK_PREFIX.length))
  } catch {
    return askOpenTabs()
  }
}

/** Shows other tabs that the session is open, until the page ends or the returned function is called. */
async function holdSession(session: string): Promise<() => void> {
  return (await holdLock(LOCK_PREFIX + session, 'shared')) ?? answerOtherTabs(session)
}

function askOpenTabs(): Promise<string | undefined> {
  return new Promise((resolve) => {
    const channel = openChannel()
    if (!channel) return resolve(undefined)
    const finish = (session?: string) => {
      clearTimeout(timer)
      channel.close()
      resolve(session)
    }
    const timer = setTimeout(finish, readItem('localStorage', MARK) ? MARKED_ANSWER_MS : ANSWER_MS)
    channel.onmessage = ({ data }) => {
      const session = typeof data === 'string' ? uuidOrUndefined(data) : undefined
      if (session) finish(session)
    }
    channel.postMessage(QUESTION)
  })
}

function answerOtherTabs(session: string): () => void {
  const channel = openChannel()
  if (!channel) return () => undefined
  channel.onmessage = ({ data }) => {
    if (data === QUESTION) channel.postMessage(session)
  }
  writeItem('localStorage', MARK, '1')
  return () => {
    channel.close()
    // Tabs that stay open answer all the same, only without the longer wait.
    writeItem('localStorage', MARK, '')
  }
}

/** Undefined where the browser has none or refuses it. Then every tab is a visit of its own. */
function openChannel(): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel(CHANNEL)
  } catch {
    return undefined
  }
}
