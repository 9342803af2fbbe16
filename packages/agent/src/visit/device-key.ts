import { within } from '../collect/turns.ts'

/** A key pair of this browser that scripts can use and cannot read, nor send away. */
interface DeviceKey {
  /** Compressed P-256 point, base64. */
  publicKey: string
  /** ECDSA over SHA-256: 64 bytes, base64. */
  sign(text: string): Promise<string>
}

const NAME = 'inkling_key'
/** As long as for the ticket. A browser that was just started opens its first database in a second or later. */
const LIMIT_MS = 2_000
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

type Kept = [privateKey: CryptoKey, publicKey: string]

/**
 * The key of this browser at this origin, made once and kept in IndexedDB. Read anew each time, because a visitor who
 * clears it while the page is open must not get it back. Undefined, without an error, where none can be kept: on
 * insecure origins, in sandboxed frames, with blocked or full storage, in private windows that store no keys, and in
 * macOS apps that show pages with WebKit: there the first key makes the system ask for the visitor's password, and the
 * page may hang meanwhile (https://github.com/dotnet/macios/issues/14167, https://github.com/WebKit/WebKit/pull/47942).
 */
export const deviceKey = (): Promise<DeviceKey | undefined> =>
  within(
    LIMIT_MS,
    load().catch(() => undefined),
    undefined,
  )

/** Such an app names no browser. Chrome names Safari as well. Apps of phones and tablets have touch points and do not ask. */
const isMacApp = (): boolean =>
  /Mac OS X(?!.*(Safari|Firefox))/.test(navigator.userAgent) && !navigator.maxTouchPoints

async function load(): Promise<DeviceKey> {
  const { subtle } = isMacApp() ? ({} as Crypto) : crypto
  const db = await open(subtle)
  try {
    // Neither is there where the browser drops what it was given, and then the next line throws.
    const [privateKey, publicKey] = ((await kept(db)) ?? (await kept(db, await newKey(subtle)))) as Kept
    return {
      publicKey,
      sign: async (text) => base64(await subtle.sign(ALGORITHM, privateKey, new TextEncoder().encode(text))),
    }
  } finally {
    // An open connection would make the browser wait when it clears the site's data.
    db.close()
  }
}

const open = (subtle: SubtleCrypto): Promise<IDBDatabase> =>
  new Promise((resolve, reject) => {
    // Throws without `subtle`, which insecure origins lack, so that no database is made there.
    const request = (subtle && indexedDB).open(NAME)
    request.onupgradeneeded = () => request.result.createObjectStore(NAME)
    request.onsuccess = () => resolve(request.result)
    request.onerror = (event) => {
      // Firefox passes errors that nobody handles to the page.
      event.preventDefault()
      reject()
    }
  })

async function newKey(subtle: SubtleCrypto): Promise<Kept> {
  const { privateKey, publicKey } = await subtle.generateKey(ALGORITHM, false, ['sign'])
  const [, ...point] = new Uint8Array(await subtle.exportKey('raw', publicKey))
  return [privateKey, base64([2 + ((point[63] ?? 0) & 1), ...point.slice(0, 32)])]
}

/**
 * What is stored, once it is on disk. Of two tabs that store a key at the same time, the later one fails to and reads
 * the other's.
 */
const kept = (db: IDBDatabase, made?: Kept): Promise<Kept | undefined> =>
  new Promise((resolve, reject) => {
    const transaction = db.transaction(NAME, made ? 'readwrite' : 'readonly')
    const store = transaction.objectStore(NAME)
    if (made) store.add(made, NAME).onerror = (event) => event.preventDefault()
    const request = store.get(NAME)
    transaction.oncomplete = () => resolve(request.result)
    transaction.onabort = reject
  })

const base64 = (bytes: ArrayBuffer | number[]): string => btoa(String.fromCharCode(...new Uint8Array(bytes)))
