import type { ReadingValues } from '@inkling/contract'

/**
 * Each arrived in another version of each engine, so together they show the version, whatever the user agent claims.
 * None depends on TLS, isolation, a flag or a page's policy, so a browser answers alike on every page.
 * Versions: https://github.com/mdn/browser-compat-data
 */
const FEATURES = [
  'AbortSignal.any',
  'Array.fromAsync',
  'Array.prototype.at',
  'Array.prototype.findLast',
  'Array.prototype.toSorted',
  'ArrayBuffer.prototype.transfer',
  'Atomics.pause',
  'CSSContainerRule',
  'CSSFunctionDeclarations',
  'CSSLayerBlockRule',
  'CSSNestedDeclarations',
  'CSSPositionTryRule',
  'CSSPropertyRule',
  'CSSStartingStyleRule',
  'CloseWatcher',
  'Document.parseHTMLUnsafe',
  'Element.prototype.checkVisibility',
  'Element.prototype.moveBefore',
  'Element.prototype.pseudo',
  'Element.prototype.setHTML',
  'Element.prototype.startViewTransition',
  'Error.captureStackTrace',
  'Error.isError',
  'FinalizationRegistry',
  'HTMLElement.prototype.autocorrect',
  'HTMLElement.prototype.showPopover',
  'HTMLScriptElement.supports',
  'HTMLSelectElement.prototype.showPicker',
  'Highlight',
  'Intl.DurationFormat',
  'Intl.Segmenter',
  'Intl.supportedValuesOf',
  'Iterator',
  'Iterator.concat',
  'Iterator.prototype.includes',
  'Iterator.zip',
  'Map.groupBy',
  'Map.prototype.getOrInsert',
  'Math.f16round',
  'Math.sumPrecise',
  'Object.hasOwn',
  'Promise.try',
  'Promise.withResolvers',
  'ReadableStream.from',
  'RegExp.escape',
  'RegExp.prototype.unicodeSets',
  'Response.json',
  'Set.prototype.union',
  'String.prototype.isWellFormed',
  'String.prototype.replaceAll',
  'SuppressedError',
  'Temporal',
  'Uint8Array.fromBase64',
  'URL.canParse',
  'URL.parse',
  'URLPattern',
  'ViewTransition',
  'WeakRef',
  'WebAssembly.JSTag',
  'WebAssembly.Suspending',
  'chrome',
  'mozInnerScreenX',
  'navigation',
  'safari',
  'scheduler',
  'structuredClone',
  'trustedTypes',
  'webkitConvertPointFromNodeToPage',
]

export const engine = (): ReadingValues['engine'] => ({
  features: FEATURES.filter(featureExists).join(' '),
  // The native function's text: 33 characters in V8, 37 in SpiderMonkey and JavaScriptCore, which break the line in
  // it. The standard leaves the white space open (https://tc39.es/ecma262/#prod-NativeFunction).
  // biome-ignore lint/security/noGlobalEval: only its text is read, nothing is run
  eval_length: String(globalThis.eval).length,
  error_style: errorStyle(),
})

/** Looks a path up without calling the last getter: on a prototype most of them throw. */
function featureExists(path: string): boolean {
  const names = path.split('.')
  const last = names.pop() ?? ''
  let object: unknown = window
  for (const name of names) object = (object as Record<string, unknown> | undefined)?.[name]
  return (typeof object === 'object' || typeof object === 'function') && object !== null && last in object
}

/** Errors whose message quotes no source text, so that another build of the agent reads the same. */
const ERRORS: readonly (() => unknown)[] = [
  () => new Array(-1),
  () => 'x'.repeat(-1),
  () => decodeURIComponent('%'),
  () => JSON.parse(''),
  () => Number(Symbol()),
]

const errorStyle = (): string => ERRORS.map(messageOf).join('; ')

function messageOf(fail: () => unknown): string {
  try {
    fail()
    return ''
  } catch (error) {
    return error instanceof Error ? error.message : ''
  }
}

/** Every ordinary browser has had these for ten years, on insecure pages and in private windows too. */
const APIS: Record<string, string> = {
  WebRTC: 'RTCPeerConnection',
  WebGL: 'WebGLRenderingContext',
  'Web Audio': 'OfflineAudioContext',
  WebAssembly: 'WebAssembly',
  WebSocket: 'WebSocket',
  Worker: 'Worker',
  Canvas: 'CanvasRenderingContext2D',
  IndexedDB: 'IDBFactory',
}

export const missingApis = (): ReadingValues['missing_apis'] =>
  Object.keys(APIS).filter((name) => !((APIS[name] as string) in window))
