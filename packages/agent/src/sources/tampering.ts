import type { ReadingValues } from '@inkling/contract'

/**
 * Built-in functions that spoofing tools replace. Left out are those that pages, frameworks or monitoring scripts wrap
 * for honest reasons, such as `fetch`, timers, `toBlob` and `geolocation`.
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

/** The built-ins that are not the browser's own, each with the sign that shows it: `Navigator.platform:proxy`. */
export const tampering = (): ReadingValues['tampering'] =>
  [...signed(signOf), ...Object.getOwnPropertyNames(navigator).map((name) => `navigator.${name}:own`)].slice(
    0,
    100,
  )

/**
 * The built-ins that look native in the page, but not to another realm. Whoever replaces one mostly replaces
 * `Function.prototype.toString` too, and each realm's own knows only what was replaced there.
 */
export const disguised = (realm: typeof globalThis): string[] =>
  signed((prototype, member) => {
    const native = nativeIn(prototype, member)
    return typeof native === 'function' &&
      // Libraries that fix the text of their own functions replace this one: zone.js, core-js.
      member !== 'toString' &&
      isNative(native, member) &&
      !isNative(native, member, realm.Function)
      ? 'frame'
      : undefined
  })

function signed(signOf: (prototype: object, member: string) => string | undefined): string[] {
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
  return found
}

function nativeIn(prototype: object, member: string): unknown {
  const descriptor = Object.getOwnPropertyDescriptor(prototype, member)
  return descriptor?.get ?? descriptor?.value
}

function signOf(prototype: object, member: string): string | undefined {
  const descriptor = Object.getOwnPropertyDescriptor(prototype, member)
  if (!descriptor) return member === 'webdriver' ? 'missing' : undefined
  const native = nativeIn(prototype, member)
  // A plain value, where the browser has a getter.
  if (typeof native !== 'function') return 'value'
  // The text of a proxied function has no name in it.
  if (!isNative(native, member)) return 'text'
  if (Object.getOwnPropertyNames(native).some((name) => name !== 'length' && name !== 'name')) return 'shape'
  if (closesCycle(native)) return 'proxy'
  if (descriptor.get && answersWithoutThis(native, prototype)) return 'this'
  return undefined
}

/**
 * Whether a function can be put into its own prototype chain. Engines refuse such a cycle, but by the standard their
 * check stops at a proxy (https://tc39.es/ecma262/#sec-ordinarysetprototypeof, step 8), so it succeeds for a function
 * wrapped in one, and is undone at once. CreepJS uses the same probe (https://github.com/abrahamjuliot/creepjs).
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

/** The browser's own getters throw a TypeError on anything but an instance (https://webidl.spec.whatwg.org/#dfn-attribute-getter). */
function answersWithoutThis(native: object, prototype: object): boolean {
  try {
    return Reflect.apply(native as () => unknown, prototype, []) !== undefined
  } catch (error) {
    return !(error instanceof TypeError)
  }
}

/**
 * Whether a function is the browser's own, by the text that a realm gives
 * (https://tc39.es/ecma262/#prod-NativeFunction). Engines break the line in it differently.
 */
export const isNative = (native: object, name: string, realm = Function): boolean =>
  new RegExp(`^function (get )?${name}\\(\\) \\{\\s*\\[native code\\]\\s*\\}$`).test(
    realm.prototype.toString.call(native),
  )
