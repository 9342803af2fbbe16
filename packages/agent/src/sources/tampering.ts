import type { ReadingValues } from '@inkling/contract'
import { isNative } from './lib/is-native.ts'

/**
 * Natives that tools replace to tell another story. None that pages, frameworks or monitoring scripts wrap,
 * as they do with `fetch`, timers, `toBlob` and `geolocation`.
 */
const NATIVES: Record<string, string> = {
  Navigator:
    'webdriver userAgent platform languages language hardwareConcurrency deviceMemory plugins mimeTypes vendor maxTouchPoints userAgentData permissions',
  Permissions: 'query',
  NavigatorUAData: 'getHighEntropyValues brands',
  WebGLRenderingContext: 'getParameter getExtension',
  WebGL2RenderingContext: 'getParameter getExtension',
  HTMLCanvasElement: 'toDataURL getContext',
  CanvasRenderingContext2D: 'getImageData measureText',
  AudioBuffer: 'getChannelData',
  Screen: 'width height availWidth availHeight colorDepth',
  HTMLIFrameElement: 'contentWindow',
  HTMLMediaElement: 'canPlayType',
  Date: 'getTimezoneOffset',
  Function: 'toString',
}

/** Which natives are not the browser's own, each with how that shows: `Navigator.platform:proxy`. */
export function tampering(): ReadingValues['tampering'] {
  const found: string[] = []
  for (const [type, members] of Object.entries(NATIVES)) {
    const { prototype } =
      (window as unknown as Record<string, { prototype?: object } | undefined>)[type] ?? {}
    if (!prototype) continue
    for (const member of members.split(' ')) {
      const sign = signOf(prototype, member)
      if (sign) found.push(`${type}.${member}:${sign}`)
    }
  }
  for (const name of Object.getOwnPropertyNames(navigator)) found.push(`navigator.${name}:own`)
  return found.slice(0, 100)
}

function signOf(prototype: object, member: string): string | undefined {
  const descriptor = Object.getOwnPropertyDescriptor(prototype, member)
  if (!descriptor) return member === 'webdriver' ? 'missing' : undefined
  const native: unknown = descriptor.get ?? descriptor.value
  // A plain value where the browser has an accessor.
  if (typeof native !== 'function') return 'value'
  // A proxy of a native has no name in its text.
  if (!isNative(native, member)) return 'text'
  if (Object.getOwnPropertyNames(native).some((name) => name !== 'length' && name !== 'name')) return 'shape'
  if (closesCycle(native)) return 'proxy'
  if (descriptor.get && answersWithoutThis(native, prototype)) return 'this'
  return undefined
}

/**
 * A function may not come before itself in its own chain of prototypes, and engines refuse to make it so. They
 * do not look through a proxy, so there it works, and is undone at once.
 */
function closesCycle(native: object): boolean {
  const before = Object.getPrototypeOf(native)
  try {
    Object.setPrototypeOf(native, Object.create(native))
  } catch {
    return false
  }
  Object.setPrototypeOf(native, before)
  return true
}

/** The browser's own getters throw on anything but an instance. */
function answersWithoutThis(native: object, prototype: object): boolean {
  try {
    return Reflect.apply(native as () => unknown, prototype, []) !== undefined
  } catch (error) {
    return !(error instanceof TypeError)
  }
}
