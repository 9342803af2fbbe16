import type { ReadingValues } from '@inkling/contract'

/** What every ordinary browser has had for ten years, also on insecure pages and in private windows. */
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
