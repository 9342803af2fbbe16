import { holdLock } from '../visit/hold-lock.ts'
import { uuidOrUndefined } from './uuid.ts'

const LOCK_PREFIX = 'inkling:session:'
const CHANNEL = 'inkling:session'
const QUESTION = 'which'
const ANSWER_MS = 100

/**
 * The session of the tabs that are open now. Every tab holds a shared Web Lock that is named after its
 * session: the browser lets go whatever way a tab ends, so the held locks tell exactly what lives.
 * Where there are no locks (on insecure origins, in Safari before 15.4) open tabs are asked.
 */
export async function livingSession(): Promise<string | undefined> {
  try {
    const { held = [] } = await navigator.locks.query()
    const names = held.map(({ name }) => name ?? '').filter((name) => name.startsWith(LOCK_PREFIX))
    // Sorted, so that all tabs choose the same one if two ever began at once.
    return uuidOrUndefined(names.sort()[0]?.slice(LOCK_PREFIX.length))
  } catch {
    return askOpenTabs()
  }
}

/** Makes the session live for as long as the page is open, or until the answered function is called. */
export async function keepLiving(session: string): Promise<() => void> {
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
    const timer = setTimeout(finish, ANSWER_MS)
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
  return () => channel.close()
}

/** Undefined where it is missing or refused: then every tab alone is a visit. */
function openChannel(): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel(CHANNEL)
  } catch {
    return undefined
  }
}
