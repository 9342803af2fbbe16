import type { ReadingValues } from '@inkling/contract'
import { Unsupported } from '../../collect/source.ts'
import { inThread } from '../lib/in-thread.ts'
import type { WithTemporal } from '../locale.ts'
import { disguised } from '../tampering.ts'

/** Safari before 17 has no OffscreenCanvas; the other facts are still worth having. */
const PROGRAM = `let c=null;try{c=new OffscreenCanvas(1,1)}catch{}postMessage((${realmFacts})(self,c))`

/** The facts as a worker sees them. Scripts that forge them in the page rarely reach workers. */
export const worker = (): Promise<ReadingValues['worker']> => inThread(PROGRAM)

/** The facts as an empty frame of the page's origin sees them. The frame is never shown and removed at once. */
export function iframe(): ReadingValues['iframe'] {
  const frame = document.createElement('iframe')
  // Not as an attribute, which a Content-Security-Policy may refuse.
  frame.style.setProperty('display', 'none', 'important')
  document.documentElement.append(frame)
  try {
    const realm = frame.contentWindow as typeof globalThis | null
    if (!realm?.navigator) throw new Unsupported()
    return {
      ...realmFacts(realm, null),
      webdriver: realm.navigator.webdriver === true,
      disguised: disguised(realm),
    }
  } finally {
    frame.remove()
  }
}

/** What one JavaScript realm says of the machine. A page, its frames and its workers ought to agree. */
interface RealmFacts {
  user_agent: string
  platform: string
  languages: string[]
  cores: number | null
  memory_gb: number | null
  timezone: string
  webgl_renderer: string | null
}

/** Also sent to a worker as text, so it may use nothing but its arguments. */
function realmFacts(
  realm: typeof globalThis,
  canvas: HTMLCanvasElement | OffscreenCanvas | null,
): RealmFacts {
  const { userAgent, platform, languages, hardwareConcurrency, deviceMemory } =
    realm.navigator as Navigator & {
      deviceMemory?: number
    }
  const gl = canvas?.getContext('webgl') as WebGLRenderingContext | null | undefined
  let renderer: string | null = null
  if (gl) {
    renderer = String(gl.getParameter(gl.RENDERER))
    // Firefox warns about the extension; see webgl.ts.
    const masked = renderer === 'WebKit WebGL' && gl.getExtension('WEBGL_debug_renderer_info')
    if (masked) renderer = String(gl.getParameter(masked.UNMASKED_RENDERER_WEBGL))
    gl.getExtension('WEBGL_lose_context')?.loseContext()
  }
  return {
    user_agent: userAgent,
    platform,
    languages: [...languages],
    cores: hardwareConcurrency ?? null,
    memory_gb: deviceMemory ?? null,
    // Read like the timezone reading, so that a browser never contradicts itself.
    timezone:
      (realm as WithTemporal).Temporal?.Now.timeZoneId() ??
      realm.Intl.DateTimeFormat().resolvedOptions().timeZone,
    webgl_renderer: renderer,
  }
}
